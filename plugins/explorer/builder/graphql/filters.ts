import type { Query } from '../../../pages/values/query-text.js'
import type { FieldInfo, TypeInfo } from '../metadata.js'
import { nameIn, type Writing } from './writing.js'

const groups: Readonly<Record<string, string>> = { $and: 'and', $or: 'or', $not: 'not' }

/** Filters of REST in the words of GraphQL. */
export function filtersOf(writing: Writing, type: TypeInfo, filters: Query): Query {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]): [string, unknown][] => {
      const group = groups[name]
      if (group !== undefined) return [[group, eachOf(value, part => filtersOf(writing, type, part))]]
      const own = writing.graphql.types[type.uid]?.filters?.[name]
      if (own !== undefined) return [[own, conditionOf(writing, type, name, value as Query)]]
      writing.missing.add(`Filters of GraphQL cannot use ${nameIn(type, name)}.`)
      return []
    }),
  )
}

const eachOf = (value: unknown, read: (part: Query) => Query): unknown =>
  Array.isArray(value) ? value.map(read) : read(value as Query)

/** The condition on an attribute: operators, or conditions behind a link. */
function conditionOf(writing: Writing, type: TypeInfo, name: string, value: Query): Query {
  const { model } = writing
  const [, target] = model.followed(type).find(([link]) => link.name === name) ?? []
  if (target) return filtersOf(writing, target, value)
  const field = model.fields(type).find(field => field.name === name)
  const operators = Object.entries(value).flatMap(([operator, operand]) => {
    const own = operator.replace('$', '')
    const isTaken = isOperator(writing, own, operator) && isOperand(writing, operand, field)
    return isTaken ? [[own, operand] as const] : []
  })
  return Object.fromEntries(operators)
}

function isOperator({ graphql, missing }: Writing, own: string, operator: string): boolean {
  if (graphql.operators.includes(own)) return true
  missing.add(`GraphQL has no operator for ${operator}.`)
  return false
}

/** Whole numbers of GraphQL have 32 bits. */
const largest = 2 ** 31 - 1

function isOperand({ missing }: Writing, operand: unknown, field: FieldInfo | undefined): boolean {
  const numbers = [operand].flat().filter(one => typeof one === 'number')
  if (field?.type !== 'integer' || numbers.every(one => one <= largest && one >= -largest - 1)) return true
  missing.add(`A whole number of GraphQL is at most ${largest}: the condition on "${field.name}" has a larger one.`)
  return false
}
