import { GraphQLEnumType, GraphQLID, GraphQLNonNull, GraphQLObjectType } from 'graphql'
import type { ContentType } from '../../../core/index.js'
import type { Catalogue } from './catalogue.js'
import { pageArgs, pagination } from './common.js'
import { attributesType, collection, objectOf, relations, response } from './outputs.js'
import type { Shape } from './shape.js'

const entity = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'Entity', { part: 'entity', type }, () => ({
    id: { type: GraphQLID, extensions: { stele: { is: 'id' } } },
    attributes: { type: attributesType(catalogue, type), extensions: { stele: { is: 'same' } } },
  }))

const collectionMeta = new GraphQLObjectType({
  name: 'ResponseCollectionMeta',
  fields: { pagination: { type: new GraphQLNonNull(pagination), extensions: { stele: { is: 'same' } } } },
})

const publicationState = new GraphQLEnumType({ name: 'PublicationState', values: { LIVE: {}, PREVIEW: {} } })

/** The shape of Strapi 4: `{ data: { id, attributes } }`. */
export const v4: Shape<Catalogue> = {
  reserved: ['ResponseCollectionMeta', 'PublicationState'],
  part: 'attributes',
  idName: 'id',
  own: {},
  requires: true,
  held: 'data',
  page: { meta: { type: new GraphQLNonNull(collectionMeta), extensions: { stele: { is: 'pages' } } } },
  pageArgs,
  states: { publicationState: { type: publicationState, defaultValue: 'LIVE' } },
  statesOfOne: {},
  idType: GraphQLID,
  hasIdleArguments: true,
  publishes: false,
  entry: entity,
  one: response,
  lists: (catalogue, type) => ({ '': collection(catalogue, type) }),
  relations: (catalogue, type) => ({ '': relations(catalogue, type) }),
  deleted: response,
  isTaken: () => false,
}
