import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import type { QueryNode } from '../query/tree.js'
import type { Field } from '../schema/types.js'
import { SqlWriter } from '../sql/sql.js'
import { joined, sql, Values } from '../sql/statement.js'
import { type Measure, mostGroups, type Question } from './question.js'
import { totalsOf } from './totals.js'

/** A statement that answers a question about the entries of a node, with the values of both. */
export interface GroupedStatement {
  readonly statement: Sql
  readonly values: readonly unknown[]
}

interface Parts {
  readonly engine: Engine
  readonly dialect: Dialect
}

/**
 * Selects one inside the other: a row for each entry with its groups and measures, a row for each group, and of those the ones
 * that are wanted, in their order.
 */
export function grouped(node: QueryNode, question: Question, { engine, dialect }: Parts): GroupedStatement {
  const { groups, measures, having, sort, start, limit } = question
  const { words } = engine
  const writer = new SqlWriter(engine, dialect, true)
  const totals = totalsOf(node, question, writer)
  const columns = [...groups.map((_, index) => `x.g${index}`), ...measures.map((_, index) => `x.m${index}`)]
  const kinds = [...groups.map(({ order: { field }, unit }) => (unit ? undefined : field)), ...measures.map(valued)]
  const taken = columns.map((column, index) => {
    const as = kinds[index]?.type.as
    return (as && engine.selected?.(as, column)) ?? column
  })
  const kept = having.map(({ measure, sign, values: [value] }): Sql => {
    const field = valued(measures[measure] as Measure)
    return { text: `x.m${measure} ${sign} ?`, values: [field ? engine.encode(field.type.as, value) : value] }
  })
  const sorted = (column: string, field: Field | undefined) =>
    field ? writer.sortedText(field, column, node.language) : column
  const orders = [...sort, ...groups.map((_, column) => ({ column, descending: false }))].map(
    ({ column, descending }) =>
      `${sorted(columns[column] as string, kinds[column])}${descending ? ' desc' : ''}${words.nulls(descending)}`,
  )
  const whole = sql(
    ...[`select ${taken.join(', ')} from (`, totals, ') x'],
    ...(kept.length > 0 ? [' where ', joined(kept, ' and ')] : []),
    ...(orders.length > 0 ? [` order by ${orders.join(', ')}`] : []),
    // One more than there may be tells that there are too many.
    { text: ` limit ${words.rows} offset ${words.rows}`, values: [limit ?? mostGroups + 1, start] },
  )
  const values = new Values()
  const { text, values: places } = values.keep(whole)
  return { statement: { text: words.numbered?.(text) ?? text, values: places }, values: values.list }
}

/** The field whose own values a measure gives; none if it is a number of another kind. */
export const valued = ({ does, order }: Measure): Field | undefined =>
  does === 'min' || does === 'max' ? order?.field : undefined
