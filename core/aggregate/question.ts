import { FormatError, InvalidParameter } from '../errors.js'
import { print } from '../kit/print.js'
import { integer } from '../query/pagination.js'
import { asList, isObject, type Raw } from '../query/raw.js'
import { rankField } from '../query/search/rank.js'
import { readSort } from '../query/sort.js'
import type { Hop, Order } from '../query/tree.js'
import type { QueryPlace } from '../query/visitor.js'
import type { ContentType, Field } from '../schema/types.js'
import { WrongValue } from '../schema/values.js'
import { leadsToMany, wayOf } from './joins.js'

/** The parameters that aggregates have besides those of a list. */
export const own = ['groupBy', 'measures', 'having', 'sort', 'pagination']

export const units = ['year', 'month', 'day', 'hour'] as const
export type Unit = (typeof units)[number]

/** A value that entries are grouped by: a field, or the field behind relations to one. */
export interface Group {
  /** The name as it was asked for, which is its name in the response. */
  readonly name: string
  readonly order: Order
  readonly unit?: Unit
}

export interface Measure {
  readonly does: MeasureName
  /** The name of the field, `<relation>.<field>` where it is one of related entries, or * for the entries themselves. */
  readonly of: string
  /** None if the entries are counted. */
  readonly order: Order | undefined
}

/** A comparison of a measure, which the groups of the response meet. */
export interface HavingCondition {
  readonly measure: number
  readonly sign: string
  readonly values: readonly unknown[]
}

/** The groups, measures and order that a request asks for; the entries are chosen apart. */
export interface Question {
  readonly groups: readonly Group[]
  readonly measures: readonly Measure[]
  readonly having: readonly HavingCondition[]
  /** The columns of the response to sort by, in this order: groups count from 0, measures follow. */
  readonly sort: readonly { readonly column: number; readonly descending: boolean }[]
  readonly start: number
  /** The maximum number of groups; undefined for all of them. */
  readonly limit: number | undefined
}

/** The maximum number of groups in one response. */
export const mostGroups = 1000
const mostTerms = 20

const isNumber = ({ type: { as } }: Field): boolean => ['integer', 'bigint', 'decimal', 'float'].includes(as)
const isOrdered = (field: Field): boolean =>
  isNumber(field) ||
  ['date', 'time', 'datetime', 'timestamp'].includes(field.type.as) ||
  field.type.operators === 'text'
const isPlain = ({ type: { as } }: Field): boolean => as !== 'json'

/** The measures, and the fields that each can be taken of. */
const measureTable = {
  count: { takes: isPlain, of: 'a field, or *' },
  distinct: { takes: isPlain, of: 'a field' },
  sum: { takes: isNumber, of: 'a number' },
  avg: { takes: isNumber, of: 'a number' },
  min: { takes: isOrdered, of: 'a number, a date or a text' },
  max: { takes: isOrdered, of: 'a number, a date or a text' },
} as const
export type MeasureName = keyof typeof measureTable
export const measureNames = Object.keys(measureTable) as readonly MeasureName[]

const signs: Readonly<Record<string, string>> = { $eq: '=', $ne: '<>', $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' }

export function readQuestion(raw: Raw, place: QueryPlace): Question {
  const groups = readGroups(raw.groupBy, at(place, 'groupBy'))
  const measures = readMeasures(raw.measures ?? { count: '*' }, at(place, 'measures'))
  const { start, limit } = readLimits(raw.pagination, at(place, 'pagination'))
  payForJoins(groups, measures, place)
  return {
    groups,
    measures,
    having: readHaving(raw.having, measures, at(place, 'having')),
    sort: readOrder(raw.sort, [...groups.map(({ name }) => name), ...measures.map(labelOf)], at(place, 'sort')),
    start,
    limit,
  }
}

export const labelOf = ({ does, of }: Measure): string => `${does}(${of})`

const at = (place: QueryPlace, key: string): QueryPlace => ({ ...place, path: [...place.path, key] })

/** Texts in a list, or with commas between them. */
function textsOf(sent: unknown, { path, visitor }: QueryPlace): string[] {
  if (sent === undefined || sent === '' || sent === null) return []
  const raw = visitor.unfold(sent, path)
  const texts = (asList(raw) ?? [raw]).flatMap((item, index) => {
    if (typeof item === 'string') return item.split(',').map(text => text.trim())
    throw new InvalidParameter([...path, String(index)], 'takes a name')
  })
  if (texts.length > mostTerms) throw new InvalidParameter(path, `names more than ${mostTerms}`)
  return [...new Set(texts.filter(text => text !== ''))]
}

function readGroups(raw: unknown, place: QueryPlace): Group[] {
  return textsOf(raw, place).map(name => {
    const [, word, inner] = /^(\w+)\((.*)\)$/.exec(name) ?? []
    const unit = units.find(one => one === word)
    if (word !== undefined && !unit)
      throw new InvalidParameter(
        place.path,
        `"${word.slice(0, 100)}" is no unit of time; there are ${units.join(', ')}`,
      )
    const order = readWay(inner ?? name, place)
    const { field } = order
    if (!isPlain(field)) throw new InvalidParameter(place.path, `"${field.name}" is JSON, which makes no groups`)
    if (unit && field.type.as !== 'date' && field.type.as !== 'datetime')
      throw new InvalidParameter(place.path, `"${field.name}" is no date, and has no ${unit}`)
    if (unit === 'hour' && field.type.as === 'date')
      throw new InvalidParameter(place.path, `"${field.name}" is a date, which has no hour`)
    return { name, order, ...(unit && { unit }) }
  })
}

/** `title`, `author.name`, `tags.name`, or `author` for its id: a field of the entry, or one behind relations. */
function readWay(text: string, place: QueryPlace): Order {
  const { visitor, path } = place
  visitor.budget.spend('conditions', path)
  const names = text.split('.')
  if (names[0] === rankField.name && place.type.search) throw visitor.unknown(place.type, rankField.name, path)
  let type: ContentType = place.type
  for (const [step, name] of names.entries()) {
    const link = visitor.linkToAsk(type, name, path)
    if (!link) {
      if (step < names.length - 1) throw visitor.unknown(type, name, path)
      break
    }
    const [target] = visitor.targets(link)
    if (!target) throw visitor.unknown(type, name, path)
    type = target
    if (step === names.length - 1) names.push('id')
  }
  const last = names.at(-1) ?? ''
  if (last.includes(':')) throw visitor.unknown(type, last, path)
  const [order] = readSort(names.join('.'), place)
  return order ?? { field: visitor.field(type, last, path), descending: false, through: [] }
}

function readMeasures(sent: unknown, place: QueryPlace): Measure[] {
  const raw = place.visitor.unfold(sent, place.path)
  if (!isObject(raw) || asList(raw))
    throw new InvalidParameter(place.path, 'takes what is measured: measures[count]=* or measures[avg]=<field>')
  const measures = Object.entries(raw).flatMap(([name, fields]) => {
    const inner = at(place, name)
    const does = measureNames.find(known => known === name)
    if (!does)
      throw new InvalidParameter(inner.path, `nothing is measured so; there are ${measureNames.join(', ')}`, name)
    return textsOf(fields, inner).map(of => readMeasure(does, of, inner))
  })
  if (measures.length === 0) throw new InvalidParameter(place.path, 'needs a field, or * for count')
  if (measures.length > mostTerms) throw new InvalidParameter(place.path, `names more than ${mostTerms}`)
  return measures
}

function readMeasure(does: MeasureName, of: string, place: QueryPlace): Measure {
  const { visitor, path } = place
  if (of === '*' && does === 'count') {
    visitor.budget.spend('conditions', path)
    return { does, of, order: undefined }
  }
  const order = readWay(of, place)
  const { takes, of: taken } = measureTable[does]
  if (!takes(order.field)) throw new InvalidParameter(path, `"${of}" cannot be measured so; ${does} takes ${taken}`, of)
  return { does, of, order }
}

/** Relations that one select goes through at most: databases join some sixty tables, and each relation needs three. */
const mostHops = 12

/** Counts the joins for groups and measures behind relations to many: each multiplies the rows that are read. */
function payForJoins(groups: readonly Group[], measures: readonly Measure[], { visitor, path }: QueryPlace): void {
  const grouped = groups.map(({ order }) => order.through).filter(leadsToMany)
  const ends = new Map(measures.map(({ order }) => [wayOf(order?.through ?? []), order?.through ?? []]))
  for (const through of ends.values()) {
    const hops = new Map<string, Hop>()
    for (const way of [...grouped, through])
      for (const [index, hop] of way.entries()) hops.set(wayOf(way.slice(0, index + 1)), hop)
    const lists = [...hops.values()].filter(({ link }) => link.many).length
    const at = [...path, grouped.length > 0 ? 'groupBy' : 'measures']
    if (hops.size > mostHops)
      throw new InvalidParameter(
        at,
        `goes through more than ${mostHops} relations; ask for less, or in several requests`,
      )
    if (lists > 0) visitor.budget.spend('joins', at, 3 ** lists)
  }
}

/** `having[avg][rating][$gte]=4` */
function readHaving(sent: unknown, measures: readonly Measure[], place: QueryPlace): HavingCondition[] {
  const groupsOf = (raw: unknown, where: QueryPlace): [string, unknown][] => {
    const unfolded = place.visitor.unfold(raw, where.path)
    if (isObject(unfolded) && !asList(unfolded)) return Object.entries(unfolded)
    throw new InvalidParameter(where.path, 'takes a measure and a comparison: having[count][*][$gt]=1')
  }
  if (sent === undefined || sent === '') return []
  return groupsOf(sent, place).flatMap(([does, fields]) =>
    groupsOf(fields, at(place, does)).flatMap(([of, comparisons]) => {
      const inner = at(at(place, does), of)
      const measure = measures.findIndex(one => one.does === does && one.of === of)
      if (measure < 0)
        throw new InvalidParameter(inner.path, `is not measured; there are ${measures.map(labelOf).join(', ')}`, of)
      return groupsOf(comparisons, inner).map(([operator, value]) =>
        readComparison(measure, measures[measure] as Measure, operator, { value, place: at(inner, operator) }),
      )
    }),
  )
}

function readComparison(
  measure: number,
  { does, order }: Measure,
  operator: string,
  { value, place: { path, visitor } }: { readonly value: unknown; readonly place: QueryPlace },
): HavingCondition {
  visitor.budget.spend('conditions', path)
  const sign = Object.hasOwn(signs, operator) ? signs[operator] : undefined
  if (sign === undefined)
    throw new InvalidParameter(
      path,
      `is no comparison of measures; there are ${Object.keys(signs).join(', ')}`,
      operator,
    )
  const operand =
    order && (does === 'min' || does === 'max')
      ? operandOf(order.field, value, path)
      : numberOf(value, does === 'count' || does === 'distinct', path)
  return { measure, sign, values: [operand] }
}

function operandOf(field: Field, value: unknown, path: readonly string[]): unknown {
  try {
    if (typeof value === 'string' || typeof value === 'number') return field.type.operand(value, false)
  } catch (reason) {
    if (reason instanceof WrongValue) throw new InvalidParameter(path, reason.reason)
    if (!(reason instanceof FormatError)) throw reason
  }
  throw new InvalidParameter(path, `${print(value).slice(0, 100)} is no value of "${field.name}"`)
}

function numberOf(value: unknown, isCount: boolean, path: readonly string[]): number {
  const number = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN
  if (isCount ? Number.isSafeInteger(number) : Number.isFinite(number)) return number
  throw new InvalidParameter(path, `${print(value).slice(0, 100)} is no ${isCount ? 'whole number' : 'number'}`)
}

/** `sort=count(*):desc`: by columns of the response. */
function readOrder(raw: unknown, columns: readonly string[], place: QueryPlace): Question['sort'] {
  return textsOf(raw, place).map(term => {
    const [, name = term, direction = 'asc'] = /^(.*?)(?::(\w+))?$/.exec(term) ?? []
    const column = columns.indexOf(name)
    if (column < 0)
      throw new InvalidParameter(
        place.path,
        `"${name.slice(0, 100)}" is not in the response; there are ${columns.join(', ')}`,
      )
    if (!/^(asc|desc)$/i.test(direction))
      throw new InvalidParameter(place.path, `"${direction.slice(0, 100)}" is neither asc nor desc`)
    return { column, descending: direction.toLowerCase() === 'desc' }
  })
}

function readLimits(sent: unknown, { path, visitor }: QueryPlace): { start: number; limit: number | undefined } {
  const raw = visitor.unfold(sent, path) ?? {}
  const stray = isObject(raw) ? Object.keys(raw).find(key => key !== 'start' && key !== 'limit') : ''
  if (!isObject(raw) || stray !== undefined)
    throw new InvalidParameter(stray ? [...path, stray] : path, 'takes pagination[start] and pagination[limit] here')
  const start = integer('start', raw.start, false, path) ?? 0
  const limit = integer('limit', raw.limit, false, path)
  if (start < 0) throw new InvalidParameter([...path, 'start'], 'is too small; it is an integer from 0')
  if (limit !== undefined && (limit < 1 || limit > mostGroups))
    throw new InvalidParameter([...path, 'limit'], `is an integer from 1 to ${mostGroups}`)
  return { start, limit }
}
