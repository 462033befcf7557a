import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import type { ContentType, Field, Link } from '../../../core/index.js'
import { attributesOf, isLink, wayOf } from './attributes.js'
import type { Catalogue } from './catalogue.js'
import { nameOf } from './names.js'
import { date, dateTime, json, long, time } from './scalars.js'
import { idNamed } from './shape.js'

const byType: Readonly<Record<string, GraphQLScalarType>> = {
  integer: GraphQLInt,
  biginteger: long,
  decimal: GraphQLFloat,
  float: GraphQLFloat,
  boolean: GraphQLBoolean,
  date,
  time,
  datetime: dateTime,
  timestamp: dateTime,
}

/** Attribute types of plugins, by the form in which they are stored. */
const byForm: Readonly<Record<string, GraphQLScalarType>> = {
  text: GraphQLString,
  longtext: GraphQLString,
  integer: GraphQLInt,
  bigint: long,
  decimal: GraphQLFloat,
  float: GraphQLFloat,
  boolean: GraphQLBoolean,
  date,
  time,
  datetime: dateTime,
  timestamp: dateTime,
}

export const scalarOf = ({ type }: Field): GraphQLScalarType => byType[type.name] ?? byForm[type.as] ?? json

const one = ['eq', 'eqi', 'ne', 'nei', 'startsWith', 'endsWith', 'contains', 'notContains', 'containsi', 'notContainsi']
const compared = ['gt', 'gte', 'lt', 'lte']
const flags = ['null', 'notNull']
const several = ['in', 'notIn', 'between']

/** The operators that every scalar has. */
export const operators: readonly string[] = [...one, ...compared, ...flags, ...several]

/** The operators of a scalar. */
export const scalarFilter = (catalogue: Catalogue, scalar: GraphQLScalarType): GraphQLInputObjectType =>
  catalogue.make(`${scalar.name}FilterInput`, `the filter of ${scalar.name}`, name => {
    const list = { type: new GraphQLList(scalar) }
    const self: GraphQLInputObjectType = new GraphQLInputObjectType({
      name,
      fields: () => ({
        and: list,
        or: list,
        not: { type: self },
        ...Object.fromEntries([...one, ...compared].map(name => [name, { type: scalar }])),
        ...Object.fromEntries(flags.map(name => [name, { type: GraphQLBoolean }])),
        ...Object.fromEntries(several.map(name => [name, list])),
      }),
    })
    return self
  })

/** `TFiltersInput`: conditions on the attributes of a type, and on those behind its relations. */
export const filtersOf = (catalogue: Catalogue, type: ContentType): GraphQLInputObjectType => {
  return catalogue.make(`${nameOf(type)}FiltersInput`, `the filters of ${type.uid}`, name => {
    const self: GraphQLInputObjectType = new GraphQLInputObjectType({
      name,
      fields: () => ({
        ...(type.kind === 'collectionType' && idNamed(catalogue.shape, scalarFilter(catalogue, GraphQLID))),
        ...conditionsOn(catalogue, type),
        and: { type: new GraphQLList(self) },
        or: { type: new GraphQLList(self) },
        not: { type: self },
      }),
    })
    return self
  })
}

const conditionsOn = (catalogue: Catalogue, type: ContentType): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    attributesOf(type).flatMap(one => {
      const filter = catalogue.shape.isTaken(type, one.name) ? undefined : conditionOn(catalogue, one)
      return filter ? [[one.name, { type: filter }]] : []
    }),
  )

function conditionOn(catalogue: Catalogue, one: Field | Link): GraphQLInputObjectType | undefined {
  if (!isLink(one)) return scalarFilter(catalogue, scalarOf(one))
  const way = wayOf(one, catalogue.has)
  const isThrough = way?.is === 'relation' || way?.is === 'component'
  return isThrough ? filtersOf(catalogue, way.target) : undefined
}
