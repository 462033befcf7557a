import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Sql, Words } from '../engines/words.js'
import { isOfIndex } from '../query/sort.js'
import type { Keyset, Order, QueryNode } from '../query/tree.js'
import { isUnique } from '../schema/values.js'
import { bare, joined, sql, type Values } from './statement.js'

/** The writer of the order of a node. */
interface OrderWriter {
  readonly engine: Engine
  readonly dialect: Dialect
  sorted(order: Order, alias: string, language?: string): Sql
  ranked(order: Order, compared: string, language: string | undefined): string
  order(orders: readonly Order[], alias: string, language?: string): Sql
}

/** The additional conditions in the statement of a page beside an entry. */
export interface KeysetConditions {
  /** The values that it is sorted by, selected for the cursors of the pages beside this one. */
  readonly selected: readonly Sql[]
  /** The rows behind the entry: one condition, or several parts that an index finds one by one. */
  readonly parts: readonly Part[]
  readonly key: string
}

interface Part {
  readonly where: Sql
  /** Within the part, where that is less than the whole order. */
  readonly order?: Sql
  /** The first term of the order, if an index has that and not the rest. */
  readonly first?: { readonly value: Sql; readonly order: Sql }
}

/** A term of the order, and the value that the entry has there. */
interface Term {
  readonly order: Order
  /** The compared value. */
  readonly value: Sql
  readonly from: unknown
  /** Missing values come behind all others. */
  readonly nullsLast: boolean
}

export function renderKeyset(node: QueryNode, keyset: Keyset, writer: OrderWriter, values: Values): KeysetConditions {
  const { engine } = writer
  const alias = 't'
  const terms = node.order.map((order, index): Term => {
    const value = writer.sorted(order, alias, node.language)
    return { order, value, from: keyset.from?.values[index], nullsLast: nullsLowest(writer) === order.descending }
  })
  // Each place in the statement where it is compared or selected has values of its own.
  const selected = terms.map(({ order, value }) =>
    values.keep({ ...value, text: engine.selected?.(order.field.type.as, value.text) ?? value.text }),
  )
  const find = new Finder(writer, { alias, language: node.language }, keyset.from)
  const parts = isSortedByIndex(node)
    ? find.apart(terms, isOrderOfIndex(node, engine.words))
    : keyset.from
      ? [{ where: find.behind(terms) }]
      : []
  const kept = parts.map(({ where, order, first }: Part) => ({
    where: values.keep(where),
    ...(order && { order: values.keep(order) }),
    ...(first && { first: { value: values.keep(first.value), order: values.keep(first.order) } }),
  }))
  const key = [
    'keyset',
    ...kept.flatMap(({ where, order, first }) => [where.text, order?.text ?? '', first ? 'first' : '']),
  ]
  return { selected, parts: kept, key: key.join('\n') }
}

/** Missing values are the lowest: on PostgreSQL only where the order says so. */
const nullsLowest = ({ dialect, engine }: OrderWriter): boolean =>
  dialect.nullsFirst || engine.words.nulls(false) === ''

/** Several things are sorted by, and an index begins with the first. */
const isSortedByIndex = ({ order }: QueryNode): boolean => order.length > 1 && isOfIndex(order[0] as Order)

/** The whole order is that of an index, or the opposite: indexes have the id behind their columns. */
function isOrderOfIndex({ type, order }: QueryNode, { uniqueEndsOrder }: Words): boolean {
  const [{ descending, field: first }] = order as [Order]
  const names = order.slice(0, -1).map(({ field, through }) => (through.length > 0 ? '' : field.name))
  const isOf = (attributes: readonly string[]) => names.every((name, index) => attributes[index] === name)
  const isSameWay = order.every(one => one.descending === descending)
  const isAlone = names.length === 1 && !(uniqueEndsOrder && isUnique(first))
  const isWhole = isAlone || type.indexes.some(({ attributes }) => isOf(attributes))
  return isSameWay && isWhole && isIdOf(order.at(-1) as Order)
}

/** The rows that are looked through. */
interface RowsOf {
  readonly alias: string
  readonly language: string | undefined
}

/** Rows behind an entry; `isNull` if they lack the value that they are sorted by. */
interface RowsBehind {
  readonly where: Sql
  readonly isNull?: boolean
}

/** Writes which rows come behind an entry. */
class Finder {
  readonly #writer: OrderWriter
  readonly #rows: RowsOf
  /** The entry is one of them. */
  readonly #included: boolean
  /** There is no entry. */
  readonly #begins: boolean

  constructor(writer: OrderWriter, rows: RowsOf, from: Keyset['from']) {
    this.#writer = writer
    this.#rows = rows
    this.#included = from?.included === true
    this.#begins = from === undefined
  }

  /** All of them in one condition, which costs a scan no more than one comparison of most rows. */
  behind([term, ...others]: readonly Term[]): Sql {
    const parts: Sql[] = this.#further(term as Term).map(({ where }) => where)
    if (others.length > 0) parts.push(sql(this.#same(term as Term), ' and ', this.behind(others)))
    return sql('(', joined(parts, ' or '), ')')
  }

  /**
   * In parts that are each one range of an index: databases find the beginning of such a range, and sort all the rows of
   * several that stand in one condition. Without an entry they are all the rows, from their beginning.
   */
  apart(terms: readonly Term[], isOrdered: boolean): Part[] {
    return terms.flatMap((term, index) => {
      const same = terms.slice(0, index).map(former => this.#same(former))
      const rest = terms.slice(index + 1).map(({ order }) => order)
      const behind = rest.length > 0 ? [this.#writer.order(rest, this.#rows.alias, this.#rows.language)] : []
      const further = this.#begins ? this.#all(index === 0, term) : this.#further(term)
      return further.map(({ where, isNull }) => {
        const ranked = this.#writer.ranked(term.order, term.value.text, this.#rows.language)
        const own = { text: `${ranked}${term.order.descending ? ' desc' : ''}`, values: term.value.values }
        return {
          ...{ where: joined([...same, where], ' and '), order: joined(isNull ? behind : [own, ...behind], ', ') },
          ...(index === 0 && !isNull && !isOrdered && { first: { value: term.value, order: own } }),
        }
      })
    })
  }

  /** All rows, by a first term that may lack its value. */
  #all(isFirst: boolean, { value }: Term): RowsBehind[] {
    return isFirst ? [{ where: sql(value, ' is not null') }, { where: sql(value, ' is null'), isNull: true }] : []
  }

  /** The rows that a term alone puts behind the entry. */
  #further(term: Term): RowsBehind[] {
    const { order, value, from, nullsLast } = term
    if (from === null) return nullsLast ? [] : [{ where: sql(value, ' is not null') }]
    const isId = isIdOf(order)
    const sign = `${order.descending ? '<' : '>'}${isId && this.#included ? '=' : ''}`
    const further = { where: sql(value, ` ${sign} `, this.#operand(term)) }
    return nullsLast && !isId ? [further, { where: sql(value, ' is null'), isNull: true }] : [further]
  }

  #same(term: Term): Sql {
    return term.from === null ? sql(term.value, ' is null') : sql(term.value, ' = ', this.#operand(term))
  }

  /** The value as the row has it: read once more, it could be less exact. */
  #operand({ order: { field, through }, from }: Term): Sql {
    const { engine } = this.#writer
    const { as } = field.type
    const isWhole = as === 'id' || as === 'integer'
    const value = isWhole ? Number(from) : as === 'bigint' ? engine.encode(as, String(from)) : from
    // A value that is compared with the smallest or largest of many has the type of that.
    return { text: through.length > 0 ? '?' : engine.place(as, value), values: [value] }
  }
}

const isIdOf = ({ field, through }: Order): boolean => field.name === 'id' && through.length === 0

/** The statement of a page, as far as it is not the same for all. */
interface Rows {
  readonly node: { readonly type: { readonly table: string } }
  readonly lead: Sql | undefined
  readonly where: Sql | undefined
  readonly order: Sql
}

/** The rows of a page beside an entry, with the values that it is sorted by behind the other selected ones. */
export function keysetRows<Of extends Rows>(
  conditions: Of,
  { parts, selected: sorted }: KeysetConditions,
  selected: Sql,
  write: { readonly words: Words; readonly rows: (conditions: Of, selected: Sql) => Sql },
): Sql {
  const { words, rows } = write
  const columns = sql(selected, ', ', joined(sorted, ', '))
  const within = ({ where, order }: Part): Of => ({
    ...conditions,
    where: conditions.where ? sql(conditions.where, ' and ', where) : where,
    ...(order && { order }),
  })
  const table = words.quote(conditions.node.type.table)
  const join = words.joinInOrder ?? 'join'
  const [only] = parts
  if (!only) return rows(conditions, columns)
  if (!only.order) return rows(within(only), columns)
  const found = parts.map(part => {
    const { first } = part
    const of = within(part)
    if (!first || conditions.lead) return rows(of, bare('t.id as id'))
    // A page has no more values of the first term than rows: only the rows with these have to be sorted.
    const page = rows({ ...of, order: first.order }, sql(first.value, ' as v'))
    const values = sql('(select distinct v from (', page, `) w) v ${join} ${table} t on `, first.value, ' = v.v')
    return rows({ ...of, lead: values }, bare('t.id as id'))
  })
  const each = found.map(part => sql('select id from (', part, ') p'))
  const lead = sql('(', joined(each, ' union all '), `) f ${join} ${table} t on t.id = f.id`)
  return rows({ ...conditions, lead, where: undefined }, columns)
}
