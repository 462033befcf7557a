import fc from 'fast-check'
import type { Query } from './evaluate.js'
import { hiddenName, isOrdered, isText, type Kind, kinds, type Model, type TypeModel } from './model.js'

/** Ids of components are the database's to say. */
const isPart = ({ name }: TypeModel): boolean => name.includes('.')

const equality = ['$eq', '$ne']
const order = ['$lt', '$lte', '$gt', '$gte']
const patterns = [
  '$contains',
  '$containsi',
  '$notContains',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
]
const folding = ['$endsWithi', '$eqi', '$nei']

/** Conditions on one field, as they stand behind its name. */
function conditions(kind: Kind): fc.Arbitrary<unknown> {
  const value = fc.constantFrom<unknown>(...kinds[kind]).map(String)
  const values = fc.array(value, { minLength: 1, maxLength: 3 })
  const operators = [...equality, ...(isOrdered(kind) ? order : []), ...(isText(kind) ? [...patterns, ...folding] : [])]
  const plain = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...operators), value).map(([name, one]) => ({ [name]: one })) },
    { weight: 1, arbitrary: value },
    { weight: 1, arbitrary: values },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('$in', '$notIn'), values).map(([name, list]) => ({ [name]: list })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('$null', '$notNull'), fc.boolean())
        .map(([name, yes]) => ({ [name]: String(yes) })),
    },
    ...(isOrdered(kind) ? [{ weight: 1, arbitrary: fc.tuple(value, value).map(pair => ({ $between: pair })) }] : []),
  )
  return fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 1, arbitrary: plain.filter(one => typeof one === 'object').map(one => ({ $not: one })) },
    { weight: 1, arbitrary: fc.array(plain, { minLength: 1, maxLength: 2 }).map(list => ({ $or: list })) },
  )
}

function filters(model: Model, type: TypeModel, depth: number): fc.Arbitrary<Query> {
  const onField = Object.entries(type.fields).map(([name, kind]) => conditions(kind).map(one => ({ [name]: one })))
  const onId = fc.nat(12).map(id => ({ id: { $gt: String(id) } }))
  const onLink =
    depth === 0
      ? []
      : Object.entries(type.links).map(([name, { target }]) =>
          filters(model, model.types.get(target) as TypeModel, depth - 1).map(one => ({ [name]: one })),
        )
  const simple = fc.oneof(
    { weight: 5, arbitrary: fc.oneof(...onField) },
    ...(isPart(type) ? [] : [{ weight: 1, arbitrary: onId }]),
    ...(onLink.length > 0 ? [{ weight: 4, arbitrary: fc.oneof(...onLink) }] : []),
  )
  const several = fc.array(simple, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 6, arbitrary: simple },
    { weight: 2, arbitrary: fc.tuple(simple, simple).map(([one, other]) => ({ ...one, ...other })) },
    { weight: 1, arbitrary: several.map(list => ({ $and: list })) },
    { weight: 1, arbitrary: several.map(list => ({ $or: list })) },
    { weight: 1, arbitrary: simple.map(one => ({ $not: one })) },
    { weight: 1, arbitrary: several.map(list => ({ $not: { $or: list } })) },
  )
}

/** Paths to fields that every database orders alike: letters are ordered as the database's own rules say. */
function paths(model: Model, type: TypeModel, depth: number): string[] {
  const own = Object.entries(type.fields).flatMap(([name, kind]) => (isText(kind) ? [] : [name]))
  const far = Object.entries(type.links).flatMap(([name, { target }]) =>
    depth === 0 ? [] : paths(model, model.types.get(target) as TypeModel, depth - 1).map(path => `${name}.${path}`),
  )
  return [...own, ...far, ...(isPart(type) ? [] : ['id'])]
}

function sorts(model: Model, type: TypeModel, depth: number): fc.Arbitrary<string[] | undefined> {
  const all = paths(model, type, depth)
  if (all.length === 0) return fc.constant(undefined)
  const term = fc
    .tuple(fc.constantFrom(...all), fc.constantFrom('', ':asc', ':desc', ':DESC'))
    .map(([path, direction]) => path + direction)
  return fc.array(term, { minLength: 1, maxLength: 3 })
}

const optional = <T>(arbitrary: fc.Arbitrary<T>, often = 2) => fc.option(arbitrary, { freq: often, nil: undefined })
const without = <T extends object>(record: T): Query =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

/** The links to populate, and their queries; undefined if a type has no links. */
function wishes(model: Model, type: TypeModel, depth: number): fc.Arbitrary<Query | undefined> {
  const names = Object.keys(type.links)
  if (names.length === 0 || depth === 0) return fc.constant(undefined)
  const one = (name: string): fc.Arbitrary<unknown> => {
    const target = model.types.get(type.links[name]?.target ?? '') as TypeModel
    const nested = fc
      .record({
        filters: optional(filters(model, target, 1)),
        sort: optional(sorts(model, target, 0)),
        fields: optional(fc.subarray(Object.keys(target.fields), { minLength: 1 })),
        populate: wishes(model, target, depth - 1),
      })
      .map(without)
      .filter(wish => Object.keys(wish).length > 0)
    return fc.oneof(fc.constant('true'), nested)
  }
  return fc
    .record(Object.fromEntries(names.map(name => [name, optional(one(name), 1)])))
    .map(without)
    .map(wish => (Object.keys(wish).length > 0 ? wish : undefined))
}

const pages = fc.oneof(
  fc.record({ page: fc.integer({ min: 1, max: 3 }), pageSize: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ start: fc.nat(6), limit: fc.integer({ min: 1, max: 5 }) }),
)

/** Any good query of a type. */
export const queries = (model: Model, type: TypeModel): fc.Arbitrary<Query> =>
  fc
    .record({
      filters: optional(filters(model, type, 3), 4),
      sort: optional(sorts(model, type, 2)),
      fields: optional(fc.subarray(Object.keys(type.fields), { minLength: 1 }), 1),
      populate: wishes(model, type, 2),
      pagination: optional(pages),
    })
    .map(without)

const wrongNames = [
  hiddenName,
  'nosuch',
  '__proto__',
  'constructor',
  '$nosuch',
  'ID',
  ' ',
  "f0'",
  'f0"',
  'r0.id',
  'c0',
  '',
]

/** A good query in which one name or value is a wrong one. */
export const spoilt = (model: Model, type: TypeModel): fc.Arbitrary<Query> =>
  fc.tuple(queries(model, type), fc.nat(), fc.constantFrom(...wrongNames)).map(([query, at, wrong]) => {
    let left = at % countOf(query)
    const spoil = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(spoil)
      if (typeof value !== 'object' || value === null) return left-- === 0 ? wrong : value
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [left-- === 0 ? wrong : name, spoil(inner)]),
      )
    }
    return spoil(query) as Query
  })

const countOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : 1 + Object.entries(value).reduce((sum, [, inner]) => sum + 1 + countOf(inner), 0)

/** `filters[a][$in][0]=b` */
export function text(query: unknown, place = ''): string {
  if (typeof query !== 'object' || query === null) return `${place}=${encodeURIComponent(String(query))}`
  return Object.entries(query)
    .map(([name, value]) =>
      text(value, place === '' ? encodeURIComponent(name) : `${place}[${encodeURIComponent(name)}]`),
    )
    .filter(part => part !== '')
    .join('&')
}
