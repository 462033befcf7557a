import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import type { QueryNode } from '../query/tree.js'
import type { Field } from '../schema/types.js'
import { SqlWriter } from '../sql/sql.js'
import { bare, joined, sql, Values } from '../sql/statement.js'
import { type Group, type Measure, mostGroups, type Question } from './question.js'

/** A statement that answers a question about the entries of a node, with the values of both. */
export interface Grouped {
  readonly statement: Sql
  readonly values: readonly unknown[]
}

interface Parts {
  readonly engine: Engine
  readonly dialect: Dialect
}

/**
 * Three selects, each from the one before: a row for each entry with what it is grouped by and what is measured, a row for
 * each group, and of those the ones that are wanted, in their order.
 */
export function grouped(node: QueryNode, question: Question, { engine, dialect }: Parts): Grouped {
  const { groups, measures, having, sort, start, limit } = question
  const { words } = engine
  const writer = new SqlWriter(engine, dialect, true)
  const rows = [
    ...groups.map(({ order }, index) => sql(writer.sorted(asStored(order), 't'), ` as g${index}`)),
    ...measures.flatMap(({ field }, index) =>
      field ? [bare(`${writer.column('t', field.column)} as c${index}`)] : [],
    ),
  ]
  const condition = writer.where(node.where, 't')
  const guard = words.inTime?.('t.id')
  const where = condition ?? (guard === undefined ? undefined : bare(guard))
  const entries = sql(
    ...['select ', rows.length > 0 ? joined(rows, ', ') : 't.id', ` from ${writer.quote(node.type.table)} t`],
    ...(where ? [' where ', where] : []),
  )
  const keys = groups.map((group, index) => keyOf(group, `s.g${index}`, engine))
  const shown = [
    // What a database groups by in another form is the same in all rows of a group.
    ...groups.map(({ unit }, index) => {
      const [key, column] = [keys[index] as string, `s.g${index}`]
      return `${unit || key === column ? key : `min(${column})`} as g${index}`
    }),
    ...measures.map((measure, index) => `${measured(measure, `s.c${index}`, engine)} as m${index}`),
  ]
  const byGroup = keys.length > 0 ? ` group by ${keys.join(', ')}` : ''
  const totals = sql(`select ${shown.join(', ')} from (`, entries, `) s${byGroup}`)
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

/** A group is its value, not what sorts it. */
function asStored({ field: { collation: _, ...field }, ...order }: Group['order']): Group['order'] {
  return { ...order, field }
}

/** What is the same for all entries of a group. */
function keyOf({ order, unit }: Group, column: string, { words }: Engine): string {
  const { as } = order.field.type
  return unit ? words.unitOf(as, column, unit) : (words.exactGroup?.(as, column) ?? column)
}

/** The field whose own values a measure gives; none where it is a number of another kind. */
export const valued = ({ does, field }: Measure): Field | undefined =>
  does === 'min' || does === 'max' ? field : undefined

function measured({ does, field }: Measure, column: string, { words }: Engine): string {
  if (!field) return 'count(*)'
  const { as } = field.type
  switch (does) {
    case 'count':
      return `count(${column})`
    case 'distinct':
      return `count(distinct ${words.exactGroup?.(as, column) ?? column})`
    case 'sum':
    case 'avg':
      return `${does}(${words.real(column)})`
    default:
      return `${does}(${words.comparable(as, column)})`
  }
}
