import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLUnionType,
} from 'graphql'
import type { ContentType, Field, Link } from '../../../core/index.js'
import type { OperationContext, TypeMeaning } from '../meaning.js'
import { attributesOf, isHidden, isLink, type Way, wayOf } from './attributes.js'
import type { Catalogue } from './catalogue.js'
import { collectionMeta, pageArgs, stateArgs, zoneError } from './common.js'
import { enumOf } from './enums.js'
import { hasDrafts, isNullable } from './facts.js'
import { filtersOf, scalarOf } from './filters.js'
import { nameOf, zoneNameOf } from './names.js'

type OutputField = GraphQLFieldConfig<unknown, OperationContext>
type OutputFields = GraphQLFieldConfigMap<unknown, OperationContext>

/** The attributes of an entry, or of a component with its id. */
export const attributesType = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, '', { part: type.kind === 'component' ? 'component' : 'attributes', type }, () => ({
    ...(type.kind === 'component' && { id: componentId }),
    ...Object.fromEntries(
      attributesOf(type).flatMap(one => {
        const field = fieldOf(catalogue, type, one)
        return field ? [[one.name, field]] : []
      }),
    ),
  }))

const componentId: OutputField = {
  type: new GraphQLNonNull(GraphQLID),
  extensions: { stele: { is: 'field', name: 'id' } },
}

const entity = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'Entity', { part: 'entity', type }, () => ({
    id: { type: GraphQLID, extensions: { stele: { is: 'id' } } },
    attributes: { type: attributesType(catalogue, type), extensions: { stele: { is: 'same' } } },
  }))

const entities = (catalogue: Catalogue, type: ContentType): OutputField => ({
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(entity(catalogue, type)))),
  extensions: { stele: { is: 'held' } },
})

/** `{ data }` around one entry. */
export const response = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'EntityResponse', { part: 'response', type }, () => ({
    data: { type: entity(catalogue, type), extensions: { stele: { is: 'held' } } },
  }))

/** `{ data, meta }` around the entries of a root. */
export const collection = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'EntityResponseCollection', { part: 'collection', type }, () => ({
    data: entities(catalogue, type),
    meta: { type: new GraphQLNonNull(collectionMeta), extensions: { stele: { is: 'pages' } } },
  }))

/** `{ data }` around the entries behind a relation. */
export const relations = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'RelationResponseCollection', { part: 'relations', type }, () => ({
    data: entities(catalogue, type),
  }))

function objectOf(catalogue: Catalogue, suffix: string, stele: TypeMeaning, fields: () => OutputFields) {
  const owner = `the ${stele.part} of ${stele.type.uid}`
  return catalogue.make(
    nameOf(stele.type) + suffix,
    owner,
    name => new GraphQLObjectType({ name, fields, extensions: { stele } }),
  )
}

/** The arguments of a list of entries of a type. */
export const listArgs = (catalogue: Catalogue, type: ContentType): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind !== 'singleType' && { filters: { type: filtersOf(catalogue, type) }, ...pageArgs }),
  ...(hasDrafts(type) && stateArgs),
})

function fieldOf(catalogue: Catalogue, type: ContentType, one: Field | Link): OutputField | undefined {
  const { name, attribute } = one
  if (isHidden(one))
    return {
      type: scalarOf(one as Field),
      // Functions that plugins and code add may return entries with all that is stored.
      resolve: () => null,
      extensions: { stele: { is: 'field', name, hidden: true } },
    }
  if (!one.readable) return undefined
  const found = isLink(one)
    ? linkOf(catalogue, type, one)
    : { type: enumOf(catalogue, type, one) ?? scalarOf(one), extensions: { stele: { is: 'field' as const, name } } }
  if (!found || attribute.required !== true || isNullable(type, name)) return found
  return { ...found, type: new GraphQLNonNull(found.type) }
}

function linkOf(catalogue: Catalogue, type: ContentType, link: Link) {
  const way = wayOf(link, catalogue.has)
  if (!way) return undefined
  const args = link.many && 'target' in way ? listArgs(catalogue, way.target) : {}
  return {
    type: typeBehind(catalogue, type, link, way),
    args,
    extensions: { stele: { is: 'link' as const, name: link.name } },
  }
}

function typeBehind(catalogue: Catalogue, type: ContentType, link: Link, way: Way) {
  const listed = (item: GraphQLObjectType | GraphQLUnionType) => (link.many ? new GraphQLList(item) : item)
  if (way.is === 'zone') return new GraphQLList(zone(catalogue, type, link, way.targets))
  if (way.is === 'any') return listed(anything(catalogue))
  if (way.is === 'component') return listed(attributesType(catalogue, way.target))
  return link.many ? relations(catalogue, way.target) : response(catalogue, way.target)
}

function zone(catalogue: Catalogue, type: ContentType, link: Link, targets: readonly ContentType[]): GraphQLUnionType {
  return catalogue.make(
    zoneNameOf(type, link.name),
    `the zone ${link.name} of ${type.uid}`,
    name =>
      new GraphQLUnionType({
        name,
        types: () => [...targets.map(target => attributesType(catalogue, target)), zoneError],
      }),
  )
}

/** The union of everything that a polymorphic relation may lead to. */
export const anything = (catalogue: Catalogue): GraphQLUnionType =>
  catalogue.make(
    'GenericMorph',
    'the union of all types',
    name =>
      new GraphQLUnionType({
        name,
        types: () => [...catalogue.types.values()].map(type => attributesType(catalogue, type)),
      }),
  )
