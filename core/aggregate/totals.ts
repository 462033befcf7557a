import type { Engine } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import type { QueryNode } from '../query/tree.js'
import type { SqlWriter } from '../sql/sql.js'
import { bare, joined, sql } from '../sql/statement.js'
import { Joins, leadsToMany, wayOf } from './joins.js'
import type { Group, Measure, Question } from './question.js'

/** A row for each group of the entries of a node, with all that is measured: `g0`, `g1`, `m0`, `m1`. */
export function totalsOf(node: QueryNode, { groups, measures }: Question, writer: SqlWriter): Sql {
  const ways = [...new Set(measures.map(endOf))]
  const levels = ways.map(way => new Level(node, { groups, measures, way }, writer).totals())
  const [only, ...others] = levels as [Sql, ...Sql[]]
  if (others.length === 0) return only
  // Each level has the same groups, and a null of the right type for the measures of the others.
  const keys = groups.map((group, index) => keyOf(group, `u.g${index}`, writer.engine, true))
  const shown = [...keys.map(asGroup), ...measures.map((_, index) => `max(u.m${index}) as m${index}`)]
  return sql(`select ${shown.join(', ')} from (`, joined(levels, ' union all '), `) u${groupedBy(keys)}`)
}

/** The way from the entries to the rows that are measured. */
const endOf = ({ order }: Measure): string => wayOf(order?.through ?? [])

/** The measures of the entries, or of the rows at the end of one way from them: each row once in a group. */
class Level {
  readonly #node: QueryNode
  readonly #groups: readonly Group[]
  readonly #measures: readonly Measure[]
  readonly #way: string
  readonly #writer: SqlWriter

  constructor(
    node: QueryNode,
    of: { readonly groups: readonly Group[]; readonly measures: readonly Measure[]; readonly way: string },
    writer: SqlWriter,
  ) {
    this.#node = node
    this.#groups = of.groups
    this.#measures = of.measures
    this.#way = of.way
    this.#writer = writer
  }

  totals(): Sql {
    const { engine } = this.#writer
    // An entry is one row if no way leads to many.
    const isPlain = this.#way === '' && !this.#groups.some(({ order }) => leadsToMany(order.through))
    const rows = isPlain ? this.#rows([]) : this.#eachOnce()
    const keys = this.#groups.map((group, index) => keyOf(group, `s.g${index}`, engine, !isPlain))
    const shown = this.#measures.map((measure, index) => {
      const value = this.#isMeasured(measure) ? measured(measure, `s.c${index}`, engine) : this.#least(measure)
      return `${value} as m${index}`
    })
    return sql(`select ${[...keys.map(asGroup), ...shown].join(', ')} from (`, rows, `) s${groupedBy(keys)}`)
  }

  /** However many ways lead to a row, it is in a group once. */
  #eachOnce(): Sql {
    const { engine } = this.#writer
    const keys = this.#groups.map((group, index) => keyOf(group, `r.g${index}`, engine))
    const values = this.#fields().map(
      ({ order: { field }, index }) => `min(${engine.words.comparable(field.type.as, `r.c${index}`)}) as c${index}`,
    )
    const shown = [...keys.map(asGroup), 'r.e as e', ...values].join(', ')
    const by = [...keys.map(({ key }) => key), 'r.e'].join(', ')
    return sql(`select ${shown} from (`, this.#rows(['e']), `) r group by ${by}`)
  }

  /** The entries with their groups and measures, as often as ways lead to each. */
  #rows(named: readonly 'e'[]): Sql {
    const writer = this.#writer
    const node = this.#node
    const joins = new Joins(writer)
    const groups = this.#groups.map(({ order }, index) => {
      // A group is its value, not the key that sorts it.
      const { collation: _, ...field } = order.field
      const value = leadsToMany(order.through)
        ? writer.sorted({ ...order, field, through: [] }, joins.reach(order.through))
        : writer.sorted({ ...order, field }, 't')
      return sql(value, ` as g${index}`)
    })
    const here = joins.reach(this.#measures.find(this.#isMeasured)?.order?.through ?? [])
    const values = this.#fields().map(({ order: { field }, index }) =>
      bare(`${writer.column(here, field.column)} as c${index}`),
    )
    const rows = [...groups, ...named.map(name => bare(`${here}.id as ${name}`)), ...values]
    const guard = writer.words.inTime?.('t.id')
    const condition =
      writer.guarded(writer.condition(node.where, 't'), 't') ?? (guard === undefined ? undefined : bare(guard))
    const conditions = [...joins.guards, condition].filter(part => part !== undefined)
    return sql(
      ...['select ', rows.length > 0 ? joined(rows, ', ') : 't.id', ` from ${writer.quote(node.type.table)} t`],
      ...[joins.text, ...(conditions.length > 0 ? [' where ', joined(conditions, ' and ')] : [])],
    )
  }

  /** The fields that are measured here, which stand in the selects as `c` with the number of the measure. */
  #fields() {
    return this.#measures.flatMap((measure, index) =>
      measure.order && this.#isMeasured(measure) ? [{ order: measure.order, index }] : [],
    )
  }

  readonly #isMeasured = (measure: Measure): boolean => endOf(measure) === this.#way

  /** No value, or 0 where things are counted, of the type that a measure has. */
  #least({ does, order }: Measure): string {
    const { words, quote } = this.#writer
    if (!order || does === 'count' || does === 'distinct') return '0'
    if (does === 'sum' || does === 'avg') return `${does}(${words.real('null')})`
    const { table } = (order.through.at(-1)?.node ?? this.#node).type
    const column = words.comparable(order.field.type.as, `n.${quote(order.field.column)}`)
    return `(select ${does}(${column}) from ${quote(table)} n where 1 = 0)`
  }
}

/** The expression that rows are grouped by, and the one that is selected for the group. */
interface Key {
  readonly key: string
  readonly value: string
}

/** The key of a group; `isShort` if an inner select has shortened a date already. */
function keyOf({ order, unit }: Group, column: string, { words }: Engine, isShort = false): Key {
  const { as } = order.field.type
  if (unit && isShort) return { key: column, value: column }
  const key = unit ? words.unitOf(as, column, unit) : (words.exactGroup?.(as, column) ?? column)
  // A database that groups by another form of a value needs an aggregate to select it: it is the same in all rows of a group.
  return { key, value: unit || key === column ? key : `min(${column})` }
}

const asGroup = ({ value }: Key, index: number): string => `${value} as g${index}`

const groupedBy = (keys: readonly Key[]): string =>
  keys.length > 0 ? ` group by ${keys.map(({ key }) => key).join(', ')}` : ''

function measured({ does, order }: Measure, column: string, { words }: Engine): string {
  if (!order) return 'count(*)'
  const { as } = order.field.type
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
