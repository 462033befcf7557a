import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLUnionType,
} from 'graphql'
import type { ContentType, Field, Link } from '../../../core/index.js'
import type { TypeMeaning } from '../meaning.js'
import { attributesOf, isHidden, isLink, type Way, wayOf } from './attributes.js'
import type { Catalogue } from './catalogue.js'
import { zoneError } from './common.js'
import { enumOf } from './enums.js'
import { hasDrafts, isNullable } from './facts.js'
import { filtersOf, scalarOf } from './filters.js'
import { nameOf, zoneNameOf } from './names.js'
import type { BySuffix, OutputField, OutputFields } from './shape.js'

/** The attributes of an entry, or of a component with its id. */
export const attributesType = (catalogue: Catalogue, type: ContentType): GraphQLObjectType => {
  const { part, own } = catalogue.shape
  const isComponent = type.kind === 'component'
  return objectOf(catalogue, '', { part: isComponent ? 'component' : part, type }, () => ({
    ...(isComponent ? { id: componentId } : own),
    ...Object.assign({}, ...attributesOf(type).map(one => fieldsOf(catalogue, type, one))),
  }))
}

const componentId: OutputField = {
  type: new GraphQLNonNull(GraphQLID),
  extensions: { stele: { is: 'field', name: 'id' } },
}

const entries = (catalogue: Catalogue, type: ContentType): OutputFields => {
  const { held, entry } = catalogue.shape
  const list = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(entry(catalogue, type))))
  return { [held]: { type: list, extensions: { stele: { is: 'held' } } } }
}

/** `{ data }` around one entry. */
export const response = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'EntityResponse', { part: 'response', type }, () => ({
    data: { type: catalogue.shape.entry(catalogue, type), extensions: { stele: { is: 'held' } } },
  }))

/** `{ data, meta }` around the entries of a root. */
export const collection = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'EntityResponseCollection', { part: 'collection', type }, () => ({
    ...entries(catalogue, type),
    ...catalogue.shape.page,
  }))

/** `{ data }` around the entries behind a relation. */
export const relations = (catalogue: Catalogue, type: ContentType): GraphQLObjectType =>
  objectOf(catalogue, 'RelationResponseCollection', { part: 'relations', type }, () => entries(catalogue, type))

export function objectOf(catalogue: Catalogue, suffix: string, stele: TypeMeaning, fields: () => OutputFields) {
  const owner = `the ${stele.part} of ${stele.type.uid}`
  return catalogue.make(
    nameOf(stele.type) + suffix,
    owner,
    name => new GraphQLObjectType({ name, fields, extensions: { stele } }),
  )
}

/** The arguments of a list of entries of a type. */
export const listArgs = (catalogue: Catalogue, type: ContentType): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind !== 'singleType' && { filters: { type: filtersOf(catalogue, type) }, ...catalogue.shape.pageArgs }),
  ...(hasDrafts(type) && catalogue.shape.states),
})

function fieldsOf(catalogue: Catalogue, type: ContentType, one: Field | Link): OutputFields {
  const { name, attribute } = one
  if (catalogue.shape.isTaken(type, name)) return {}
  if (isHidden(one))
    return {
      [name]: {
        type: scalarOf(one as Field),
        // Functions that plugins and code add may return entries with all that is stored.
        resolve: () => null,
        extensions: { stele: { is: 'field', name, hidden: true } },
      },
    }
  if (!one.readable) return {}
  const fields: OutputFields = isLink(one)
    ? linksOf(catalogue, type, one)
    : {
        [name]: {
          type: enumOf(catalogue, type, one) ?? scalarOf(one),
          extensions: { stele: { is: 'field', name } },
        },
      }
  if (!catalogue.shape.requires || attribute.required !== true || isNullable(type, name)) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { ...field, type: new GraphQLNonNull(field.type) }]),
  )
}

function linksOf(catalogue: Catalogue, type: ContentType, link: Link): OutputFields {
  const way = wayOf(link, catalogue.has)
  if (!way) return {}
  const args = link.many && 'target' in way ? listArgs(catalogue, way.target) : {}
  const types = typesBehind(catalogue, type, link, way)
  return Object.fromEntries(
    Object.entries(types).map(([suffix, behind]) => [
      link.name + suffix,
      { type: behind, args, extensions: { stele: { is: 'link' as const, name: link.name } } },
    ]),
  )
}

function typesBehind(catalogue: Catalogue, type: ContentType, link: Link, way: Way): BySuffix {
  const { shape } = catalogue
  const listed = (item: GraphQLObjectType | GraphQLUnionType) => ({ '': link.many ? new GraphQLList(item) : item })
  if (way.is === 'zone') return { '': new GraphQLList(zone(catalogue, type, link, way.targets)) }
  if (way.is === 'any') return listed(anything(catalogue))
  if (way.is === 'component') return listed(attributesType(catalogue, way.target))
  return link.many ? shape.relations(catalogue, way.target) : { '': shape.one(catalogue, way.target) }
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
