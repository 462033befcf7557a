import { GraphQLEnumType, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql'
import type { ContentType } from '../../../core/index.js'
import type { Catalogue } from './catalogue.js'
import { pageArgs, pagination } from './common.js'
import { attributesType, collection, relations } from './outputs.js'
import type { OutputFields, Shape } from './shape.js'

/** Functions of plugins and code return entries as they are stored. */
const own: OutputFields = {
  documentId: {
    type: new GraphQLNonNull(GraphQLID),
    resolve: source => (source as { readonly id: unknown }).id,
    extensions: { stele: { is: 'id' } },
  },
}

const publicationStatus = new GraphQLEnumType({
  name: 'PublicationStatus',
  values: { DRAFT: { value: 'PREVIEW' }, PUBLISHED: { value: 'LIVE' } },
})

const states = {
  status: { type: publicationStatus, defaultValue: 'LIVE', extensions: { means: 'publicationState' } },
}

const deleted = new GraphQLObjectType({ name: 'DeleteMutationResponse', fields: own })

const idsInSort = (sort: unknown): unknown => {
  if (Array.isArray(sort)) return sort.map(idsInSort)
  return typeof sort === 'string' ? sort.replace(/(?<![^\s.,])documentId(?![^\s:,])/g, 'id') : sort
}

const several = (catalogue: Catalogue, type: ContentType) =>
  new GraphQLList(new GraphQLNonNull(attributesType(catalogue, type)))

const connection = '_connection'

/** The shape of Strapi 5: entries have their id beside their attributes, and nothing is around them. */
export const flat: Shape<Catalogue> = {
  reserved: ['PublicationStatus', 'DeleteMutationResponse'],
  part: 'entry',
  idName: 'documentId',
  own,
  // A required attribute may be null in entries from before, and in drafts.
  requires: false,
  held: 'nodes',
  page: { pageInfo: { type: new GraphQLNonNull(pagination), extensions: { stele: { is: 'pages' } } } },
  pageArgs: { ...pageArgs, sort: { ...pageArgs.sort, extensions: { read: idsInSort } } },
  states,
  statesOfOne: states,
  idType: new GraphQLNonNull(GraphQLID),
  hasIdleArguments: false,
  publishes: true,
  entry: attributesType,
  one: attributesType,
  lists: (catalogue, type) => ({
    '': new GraphQLNonNull(several(catalogue, type)),
    [connection]: collection(catalogue, type),
  }),
  // A relation that the caller may not see is null, and would take the entry with it if it were not allowed to be.
  relations: (catalogue, type) => ({ '': several(catalogue, type), [connection]: relations(catalogue, type) }),
  deleted: () => deleted,
  isTaken: ({ kind, links }, name) => {
    const link = name.endsWith(connection) ? links.get(name.slice(0, -connection.length)) : undefined
    const isOfRelation = link?.many === true && !link.embedded && link.targets !== undefined
    return isOfRelation || (name === 'documentId' && kind !== 'component')
  },
}
