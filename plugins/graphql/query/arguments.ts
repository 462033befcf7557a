import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputObjectType,
  getNamedType,
  isInputObjectType,
} from 'graphql'
import { InvalidParameter } from '../../../core/index.js'
import { PaginationError } from '../../../core/plugin-kit.js'
import { readArguments, type Values } from './values.js'

/** The arguments of a field that the content answers, by the names that the content knows. */
export function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode, variables: Values): Values {
  const values = readArguments(field, node, variables)
  for (const { name, extensions } of field.args) {
    const { means = name, read } = extensions
    if ((means === name && !read) || values[name] === undefined) continue
    const value = values[name]
    delete values[name]
    values[means] = read ? read(value) : value
  }
  return values
}

/** The settings that pages depend on. */
export interface PageSettings {
  readonly defaultLimit: number
  /** -1 for none. */
  readonly maxLimit: number
}

/** A page of entries; without `limit`, all that there are from `start` on. */
export interface Page {
  readonly start: number
  readonly limit: number | undefined
}

/** The page that `pagination` asks for. */
export function pageOf(pagination: unknown, { defaultLimit, maxLimit }: PageSettings): Page {
  const { page, pageSize, start, limit } = numbersIn((pagination ?? {}) as Values)
  const byPage = page !== undefined || pageSize !== undefined
  if (byPage && (start !== undefined || limit !== undefined))
    throw new PaginationError('Cannot use both page & offset pagination in the same query')
  if (byPage) {
    const size = Math.max(1, pageSize ?? 1)
    const capped = maxLimit > 0 ? Math.min(size, maxLimit) : size
    return { start: (Math.max(1, page ?? 1) - 1) * capped, limit: capped }
  }
  const asked = limit === undefined ? defaultLimit : limit === -1 ? undefined : Math.max(1, limit)
  const most = maxLimit > 0 ? Math.min(asked ?? maxLimit, maxLimit) : asked
  return { start: Math.max(0, start ?? 0), limit: most }
}

/** Null stands for a number that is not given. */
function numbersIn(pagination: Values): Readonly<Record<'page' | 'pageSize' | 'start' | 'limit', number | undefined>> {
  const of = (name: string) => (typeof pagination[name] === 'number' ? (pagination[name] as number) : undefined)
  return { page: of('page'), pageSize: of('pageSize'), start: of('start'), limit: of('limit') }
}

/** `meta.pagination` of a page, in page form whatever was asked for. */
export function paginationOf({ start, limit }: Page, total: number): Values {
  if (limit === undefined) return { total, page: 1, pageSize: Math.max(0, total - start), pageCount: 1 }
  return { total, page: Math.floor(start / limit) + 1, pageSize: limit, pageCount: Math.ceil(total / limit) }
}

/** `sort` in the words of REST: a text may name several attributes. */
export function sortOf(sort: unknown): readonly string[] | undefined {
  if (sort === null || sort === undefined) return undefined
  const texts = (Array.isArray(sort) ? sort : [sort]).map((text, index): string => {
    if (typeof text === 'string') return text
    throw new InvalidParameter(['sort', String(index)], 'takes the name of an attribute', String(index))
  })
  const parts = texts.flatMap(text => text.split(',')).map(text => text.trim())
  const named = parts.filter(text => text !== '')
  return named.length > 0 ? named : undefined
}

/** Filters in the words of REST; undefined where they ask for nothing. */
export function filtersOf(filters: unknown, type: GraphQLInputObjectType): Values | undefined {
  if (filters === null || filters === undefined) return undefined
  const conditions = Object.entries(filters as Values).flatMap(([name, value]) => {
    const condition = conditionOf(name, value, type)
    return condition ? [condition] : []
  })
  return joined(conditions)
}

function conditionOf(name: string, value: unknown, type: GraphQLInputObjectType): Values | undefined {
  if (name === 'and' || name === 'or') return groupOf(name, value, inner => filtersOf(inner, type))
  if (name === 'not') return denied(filtersOf(value, type))
  const field = type.getFields()[name]
  const target = getNamedType(field?.type)
  if (!isInputObjectType(target)) return undefined
  const isScalar = isOfScalar(target)
  const meant = field?.extensions.means ?? name
  if (value === null) return isScalar ? { [meant]: { $null: true } } : undefined
  const below = isScalar ? operatorsOf(value as Values, [name]) : filtersOf(value, target)
  return below && { [meant]: below }
}

/** The input of a scalar has operators; that of a type has attributes. */
const isOfScalar = (type: GraphQLInputObjectType): boolean => Object.hasOwn(type.getFields(), 'eqi')

function groupOf(name: 'and' | 'or', value: unknown, read: (inner: unknown) => Values | undefined): Values | undefined {
  if (value === null || value === undefined) return undefined
  const parts = (Array.isArray(value) ? value : [value]).map(read)
  if (name === 'and') return joined(parts.filter(part => part !== undefined))
  // A part without a condition lets everything through.
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return { $or: parts }
}

const denied = (condition: Values | undefined): Values | undefined => condition && { $not: condition }

function joined(conditions: readonly Values[]): Values | undefined {
  if (conditions.length < 2) return conditions[0]
  return { $and: conditions }
}

/** No value is greater or less than null, or contains it. */
const nothing: Values = { $in: [] }

/** The operators of one column in the words of REST. */
function operatorsOf(operators: Values | null | undefined, path: readonly string[]): Values | undefined {
  if (operators === null || operators === undefined) return undefined
  const conditions = Object.entries(operators).flatMap(([name, value]) => {
    const condition = operatorOf(name, value, path)
    return condition ? [condition] : []
  })
  return joined(conditions)
}

function operatorOf(name: string, value: unknown, path: readonly string[]): Values | undefined {
  const at = [...path, name]
  switch (name) {
    case 'and':
    case 'or':
      throw new InvalidParameter(['filters', ...at], `takes no values; write ${name} beside the attribute`, name)
    case 'not':
      return denied(operatorsOf(value as Values | null, at))
    case 'null':
      return value === true ? { $null: true } : { $notNull: true }
    case 'notNull':
      return value === false ? { $null: true } : { $notNull: true }
    case 'eq':
      return equals(value)
    case 'ne':
      return value === null ? { $notNull: true } : { $ne: value }
    case 'in':
      return { $in: listOf(value) }
    case 'notIn': {
      const list = listOf(value)
      return list.length > 0 ? { $notIn: list } : undefined
    }
    case 'between': {
      const list = listOf(value)
      if (list.length !== 2) throw new InvalidParameter(['filters', ...at], 'takes two values', name)
      return { $between: list }
    }
    default:
      return value === null ? nothing : { [`$${name}`]: value }
  }
}

const equals = (value: unknown): Values => (value === null ? { $null: true } : { $eq: value })

/** A single value counts as a list; nulls match nothing. */
const listOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter(item => item !== null && item !== undefined)

/** The object that a field takes as this argument. */
export const inputOf = (field: GraphQLField<unknown, unknown>, name: string): GraphQLInputObjectType => {
  const type = getNamedType(field.args.find(arg => arg.name === name)?.type)
  if (!isInputObjectType(type)) throw new Error(`${field.name} has no object as its argument ${name}`)
  return type
}
