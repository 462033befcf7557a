import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Collation, Sql, Words } from '../engines/words.js'
import { rankField } from '../query/search/rank.js'
import { isFoundById } from '../query/sort.js'
import {
  all,
  type Child,
  type Compare,
  type Condition,
  depthOf,
  type Hop,
  Late,
  metByNothing,
  type Order,
  ofQuery,
  type QueryNode,
} from '../query/tree.js'
import type { Expression } from '../schema/kinds.js'
import type { Field, Link } from '../schema/types.js'
import { type KeysetConditions, renderKeyset } from './keyset.js'
import { type Lead, leadOf, matched, rankedLead, scoreColumn } from './lead.js'
import { bare, joined, LateValue, MarkedValue, noLimit, type Slot, sql, type Values } from './statement.js'

/** Writes the conditions and orders of a query tree as SQL. */
export class SqlWriter {
  readonly engine: Engine
  readonly words: Words
  readonly dialect: Dialect
  readonly quote: (name: string) => string
  /** A guard before the conditions of statements that can take long, on every row. */
  readonly #guard: string | undefined
  #aliases = 0
  #lists = 0

  constructor(engine: Engine, dialect: Dialect, isHeavy: boolean) {
    this.engine = engine
    this.dialect = dialect
    this.words = engine.words
    this.#guard = isHeavy ? engine.words.inTime?.() : undefined
    this.quote = engine.words.quote
  }

  column(alias: string, name: string): string {
    return `${alias}.${this.quote(name)}`
  }

  /** A condition that is asked of a whole table: however little it asks of a row, there may be millions of them. */
  guarded(where: Sql | undefined, alias: string): Sql | undefined {
    const guard = this.#guard ?? this.words.inTime?.(`${alias}.id`)
    return where === undefined || guard === undefined ? where : sql(guard, ' and ', where)
  }

  /** A condition on a row that the alias names; undefined where every row meets it. */
  condition(condition: Condition, alias: string): Sql | undefined {
    switch (condition.kind) {
      case 'always':
        return undefined
      case 'never':
        return met(false)
      case 'all':
        return joined(this.#each(condition.of, alias), ' and ')
      case 'any':
        return sql('(', joined(this.#each(condition.of, alias), ' or '), ')')
      case 'not':
        return sql('not (', this.condition(condition.of, alias) ?? met(true), ')')
      case 'compare':
        return this.#compare(condition, alias)
      case 'atMost':
        return sql(this.#number(condition, alias), ` <= ${this.words.real('?')}`, {
          text: '',
          values: [condition.bound],
        })
      case 'matches':
        return matched(condition, this.column(alias, 'id'), this.engine)
      case 'some':
        return this.#some(condition, alias)
      case 'none':
        return this.#none(condition, alias)
    }
  }

  #each(conditions: readonly Condition[], alias: string): Sql[] {
    return conditions.map(part => this.condition(part, alias) ?? met(true))
  }

  /** Entries that have some linked row: a list of ids, so that rows never double and totals agree with pages. */
  #some({ link, node, where }: Extract<Condition, { kind: 'some' }>, alias: string): Sql {
    const own = this.column(alias, this.#ownColumn(link))
    this.#lists += 1
    const keep = this.#lists > mostMerged || depthOf(where) >= deepestMerged
    const found = this.#isIn(own, this.#owners(link, { ...node, where: all(where, node.where) }), keep)
    if (!metByNothing(where)) return found
    return sql('(', found, ' or not exists (', this.#owners(link, node, own), '))')
  }

  #none({ link, node, where }: Extract<Condition, { kind: 'none' }>, alias: string): Sql {
    const own = this.column(alias, this.#ownColumn(link))
    return sql('not exists (', this.#owners(link, { ...node, where: all(where, node.where) }, own), ')')
  }

  /**
   * The part of a root's condition that best limits the possible entries, to start from, and the rest of the condition, for
   * databases that do not know how few entries a condition on another table leaves, and would read all.
   */
  lead(node: QueryNode): Lead | undefined {
    const { where: condition } = node
    if (isRanked(node)) return rankedLead(condition, this.engine, node.order.length === 1)
    const { joinInOrder: join } = this.words
    if (join === undefined) return undefined
    const parts = condition.kind === 'all' ? condition.of : [condition]
    for (const part of parts) {
      if (part.kind !== 'some' || part.link.storage.via !== 'table' || metByNothing(part.where)) continue
      const { link, node, where } = part
      const owners = this.#owners(link, { ...node, where: all(where, node.where) }, undefined, true)
      return { owners, column: part.link.storage.from, join, rest: all(...parts.filter(other => other !== part)) }
    }
    return undefined
  }

  /** `keep` says that the list is not worth merging into the joins around it. */
  #isIn(column: string, list: Sql, keep: boolean): Sql {
    const condition = sql(column, ' in (', list, ')')
    return keep && this.words.unmerged ? this.words.unmerged(condition) : condition
  }

  #ownColumn({ storage }: Link): string {
    return storage.via === 'column' ? storage.column : 'id'
  }

  /** Selects the ids of the owners of linked rows that a node lets through; `only` asks for one owner. */
  #owners({ storage }: Link, node: QueryNode, only?: string, lead = false): Sql {
    const target = this.#alias()
    const table = this.quote(node.type.table)
    const of = (owner: string, ...conditions: (Sql | undefined)[]) =>
      this.#held([...conditions, only === undefined ? undefined : bare(`${owner} = ${only}`)])
    if (storage.via === 'column') {
      const owner = this.column(target, 'id')
      return sql(`select ${owner} from ${table} ${target}`, of(owner, this.condition(node.where, target)))
    }
    if (storage.via === 'target') {
      const owner = this.column(target, storage.column)
      const match = this.#match(target, storage.match)
      return sql(`select ${owner} from ${table} ${target}`, of(owner, ...match, this.condition(node.where, target)))
    }
    const link = this.#alias()
    const owner = this.column(link, storage.from)
    const through = this.quote(storage.table)
    const match = this.#match(link, storage.match)
    const onId = node.where.kind === 'compare' && node.where.field.name === 'id' && node.where.operator !== 'null'
    // A condition on the id alone is answered by the link table itself.
    if (onId) {
      const { where } = node as { where: Compare }
      const condition = this.#compare({ ...where, field: { ...where.field, column: storage.to } }, link)
      return sql(`select ${lead ? 'distinct ' : ''}${owner} from ${through} ${link}`, of(owner, ...match, condition))
    }
    const [first, second] = [`${table} ${target}`, `${through} ${link}`]
    const join = lead
      ? `select distinct ${owner} from ${first} ${this.words.joinInOrder} ${second} on ${this.column(link, storage.to)} = ${this.column(target, 'id')}`
      : `select ${owner} from ${second} join ${first} on ${this.column(target, 'id')} = ${this.column(link, storage.to)}`
    return sql(join, of(owner, ...match, this.condition(node.where, target)))
  }

  /** All of these conditions behind the guard, as a clause; nothing where there is none. */
  #held(conditions: readonly (Sql | undefined)[]): Sql {
    const held = conditions.filter(part => part !== undefined)
    if (this.#guard !== undefined) held.unshift(bare(this.#guard))
    return held.length > 0 ? sql(' where ', joined(held, ' and ')) : bare('')
  }

  #match(alias: string, match: Readonly<Record<string, string>>): Sql[] {
    return Object.entries(match).map(([column, value]) => ({
      text: `${this.column(alias, column)} = ?`,
      values: [value],
    }))
  }

  #compare(compare: Compare, alias: string): Sql {
    const written = this.#written(compare, alias)
    return compare.slot ? marked(written, compare, alias) : written
  }

  #written({ field, operator, values, pattern }: Compare, alias: string): Sql {
    const column = this.column(alias, field.column)
    switch (operator) {
      case 'null':
        return bare(`${column} is null`)
      case 'notNull':
        return bare(`${column} is not null`)
      case 'like':
      case 'notLike': {
        const { literalWildcards, exactCase } = this.dialect
        const how = {
          open: 'both',
          ignoreCase: false,
          wildcards: literalWildcards ? 'none' : 'all',
          ...pattern,
          exactCase,
          negated: operator === 'notLike',
        } as const
        return this.words.like(this.#asText(field, column), String(values[0]), how)
      }
      case 'between':
        return sql(`${column} between `, this.#operands(field, values, ' and '))
      default:
        return this.#plain(field, column, operator, values)
    }
  }

  #plain(
    field: Field,
    column: string,
    operator: Exclude<Compare['operator'], 'null' | 'notNull' | 'like' | 'notLike' | 'between'>,
    values: readonly unknown[],
  ): Sql {
    const sign = signs[operator]
    const operands = this.#operands(field, values, ', ')
    const target = field.type.as === 'json' ? this.#asText(field, column) : column
    const exact = field.type.operators === 'text' && this.dialect.exactCase ? this.words.exact : undefined
    if (exact && (sign === '=' || sign === '<>' || sign === 'in' || sign === 'not in'))
      return exact(target, sign, operands)
    const isList = operator === 'in' || operator === 'notIn'
    const text = isList ? `${target} ${sign} (${operands.text})` : `${target} ${sign} ${operands.text}`
    return { text, values: operands.values }
  }

  /** The operands that a column is compared with: the places of values, and the values as the engine stores them. */
  #operands(field: Field, values: readonly unknown[], between: string): Sql {
    const { as } = field.type
    const shown = as === 'json' ? 'text' : as
    const engine = this.engine
    return {
      text: values.map(value => engine.place(shown, value)).join(between),
      values: values.map(value =>
        value instanceof Late ? new LateValue(value, field, engine) : engine.encode(shown, value),
      ),
    }
  }

  #asText(field: Field, column: string): string {
    return field.type.operators === 'text' ? column : this.words.asText(column, field.type.as)
  }

  /** The order of a node; the id comes last, so that pages neither repeat nor miss an entry. */
  order(orders: readonly Order[], alias: string, language?: string): Sql {
    const terms = orders.map(order => this.#term(order, alias, language))
    const last = orders.at(-1)
    const byId = last?.field.name === 'id' && last.through.length === 0
    if (!byId) terms.push(bare(this.column(alias, 'id')))
    return joined(terms, ', ')
  }

  #term(order: Order, alias: string, language: string | undefined): Sql {
    const { field, descending, through } = order
    const isNeverNull = field.name === 'id' && through.length === 0
    const nulls = this.dialect.nullsFirst && !isNeverNull ? this.words.nulls(descending) : ''
    const { text, values } = this.sorted(order, alias, language)
    return { text: `${this.ranked(order, text, language)}${descending ? ' desc' : ''}${nulls}`, values }
  }

  /** The value that an order compares: a text as its language has it, which on some databases is no text any more. */
  sorted(order: Order, alias: string, language?: string): Sql {
    const { field, number, descending, byLargest = descending, through } = order
    if (field === rankField) return bare(scoreColumn)
    // Entries without the number come last, whichever way the others are sorted.
    if (number)
      return sql(
        'coalesce(',
        this.#measured({ field, number, byLargest, through }, alias),
        `, ${descending ? '-' : ''}1e308)`,
      )
    if (through.length === 0) return bare(this.#compared(field, this.column(alias, field.column), language))
    return sql('(', this.#farValue(field, byLargest, through, alias), ')')
  }

  #compared(field: Field, column: string, language: string | undefined): string {
    return this.#collation(field, language)?.of(column) ?? column
  }

  /** The expression that sorts rows by such a value. */
  ranked({ field, through }: Order, compared: string, language: string | undefined): string {
    const collation = this.#collation(field, through.length === 0 ? language : through.at(-1)?.node.language)
    return collation?.rank?.(compared) ?? compared
  }

  /** The expression that sorts rows by a text that is a column of an inner select. */
  sortedText(field: Field, column: string, language: string | undefined): string {
    return this.ranked({ field, descending: false, through: [] }, this.#compared(field, column, language), language)
  }

  #collation({ collation }: Field, language: string | undefined): Collation | undefined {
    const tag = collation === ofQuery ? language : collation
    return tag === undefined ? undefined : this.words.collation(tag)
  }

  /** The number of an attribute, or the one of the attribute behind links that counts. */
  #measured({ field, number, byLargest, through }: MeasuredNumber, alias: string): Sql {
    if (through.length === 0) return this.#number({ field, number }, alias)
    const { rows, here } = this.#reach(through, alias)
    return sql(`(select ${byLargest ? 'max' : 'min'}(`, this.#number({ field, number }, here), ') ', rows, ')')
  }

  /** Renders an expression about the attribute of a row: all its numbers and names are bound. */
  #number({ field, number }: Pick<MeasuredNumber, 'field' | 'number'>, alias: string): Sql {
    const column = this.column(alias, field.column)
    const write = (part: Expression): Sql => {
      switch (part.kind) {
        case 'number':
          return { text: this.words.real('?'), values: [part.value] }
        case 'value':
          return bare(this.words.real(column))
        case 'part':
          return this.words.part(column, part.name)
        case 'call':
          return sql(`${functionNames[part.name]}(`, write(part.of), ')')
        case 'joined': {
          const [left, right] = [write(part.left), write(part.right)]
          return part.sign === '/'
            ? sql('(', left, ' / nullif(', right, ', 0))')
            : sql('(', left, ` ${signsOf[part.sign]} `, right, ')')
        }
      }
    }
    return write(number)
  }

  /** One value for each entry, however many rows are linked: the smallest ascending, the largest descending. */
  #farValue(field: Field, byLargest: boolean, through: Order['through'], alias: string): Sql {
    const { rows, here } = this.#reach(through, alias)
    const column = this.#compared(field, this.column(here, field.column), through.at(-1)?.node.language)
    const value = this.words.comparable(field.type.as, column)
    return sql(`select ${byLargest ? 'max' : 'min'}(${value}) `, rows)
  }

  /**
   * The rows at the end of a way, as the SQL behind a select. Those before them are a list of ids: joined, a way
   * through lists would come to the same row as often as there are paths to it.
   */
  #reach(through: readonly Hop[], alias: string): { rows: Sql; here: string } {
    const { link, node } = through.at(-1) as Hop
    const { storage } = link
    const former = through.length > 1 ? this.#reach(through.slice(0, -1), alias) : undefined
    const reached = (column: string, name: string) =>
      former
        ? this.#isIn(column, sql(`select ${this.column(former.here, name)} `, former.rows), true)
        : bare(`${column} = ${this.column(alias, name)}`)
    const here = this.#alias()
    const tables = [`${this.quote(node.type.table)} ${here}`]
    const conditions: (Sql | undefined)[] = []
    if (storage.via === 'table') {
      const between = this.#alias()
      tables.unshift(`${this.quote(storage.table)} ${between}`)
      conditions.push(reached(this.column(between, storage.from), 'id'))
      conditions.push(bare(`${this.column(here, 'id')} = ${this.column(between, storage.to)}`))
      conditions.push(...this.#match(between, storage.match))
    } else if (storage.via === 'column') conditions.push(reached(this.column(here, 'id'), storage.column))
    else conditions.push(reached(this.column(here, storage.column), 'id'), ...this.#match(here, storage.match))
    conditions.push(this.condition(node.where, here))
    return { rows: sql(`from ${tables.join(', ')}`, this.#held(conditions)), here }
  }

  #alias(): string {
    this.#aliases += 1
    return `a${this.#aliases}`
  }
}

const isRanked = ({ order }: QueryNode): boolean => order.some(({ field }) => field === rankField)

const rankedIn = (node: QueryNode, lead: Lead | undefined): Conditions['ranked'] =>
  lead && isRanked(node) ? (lead.join ? 'joined' : 'alone') : undefined

/** Functions and signs that all engines have under these names; no others are ever written. */
const functionNames = { abs: 'abs', sin: 'sin', cos: 'cos' } as const
const signsOf = { '+': '+', '-': '-', '*': '*' } as const

interface MeasuredNumber {
  readonly field: Field
  readonly number: Expression
  readonly byLargest: boolean
  readonly through: Order['through']
}

const met = (always: boolean): Sql => bare(always ? '1 = 1' : '1 = 0')

const mostMerged = 3
const deepestMerged = 2

const signs = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=', in: 'in', notIn: 'not in' } as const

/** The parts of a node that have no values, so that plans may keep them. */
export type ShownNode = Pick<QueryNode, 'type' | 'view' | 'more' | 'depth' | 'fields' | 'countOnly' | 'cost'>

/** The SQL of a node that depends on its conditions, with a place for each value. */
export interface Conditions {
  readonly node: ShownNode
  /** The start of the statement, if it is not the node's own table. */
  readonly lead: Sql | undefined
  readonly where: Sql | undefined
  /** The same without looks at the clock. */
  readonly unguarded: Sql | undefined
  readonly order: Sql
  readonly page: { readonly start: Slot; readonly limit: Slot } | undefined
  readonly keyset: KeysetConditions | undefined
  /** The ids of the page are worth finding before its rows. */
  readonly idsFirst: boolean
  /** It is sorted by how well entries match; `alone`: the lead has all that has to be known for that. */
  readonly ranked: 'joined' | 'alone' | undefined
  /** Each row of the page ends with the total. */
  readonly isTotalled?: boolean
  readonly children: readonly ChildConditions[]
  /** A column for each part of what some entries show, which tells whether the row is one of them. */
  readonly more: readonly Sql[]
  /** The SQL of the node and of all nodes below it, as far as it does not depend on values. */
  readonly key: string
}

export interface ChildConditions {
  readonly link: Link
  readonly attribute?: string | undefined
  readonly as: Child['as']
  readonly isSparse?: boolean | undefined
  readonly rendered: readonly Conditions[]
}

/** Writes the SQL that depends on the query's conditions, and leaves their values with those of the whole query. */
export function renderConditions(node: QueryNode, writer: SqlWriter, values: Values): Conditions {
  const { use, page: asked } = node
  const t = aliasOf(node)
  const first = use === 'root' ? writer.lead(node) : undefined
  const lead = first && values.keep(leadOf(node.type.table, first, writer))
  const condition = writer.condition(first ? first.rest : node.where, t)
  const unguarded = condition && values.keep(condition)
  const where = writer.guarded(unguarded, t)
  const order =
    use === 'root' || node.order.length > 0 ? values.keep(writer.order(node.order, t, node.language)) : unsorted
  const page = asked && { limit: values.place(asked.limit ?? noLimit), start: values.place(asked.start) }
  const keyset = asked?.keyset && renderKeyset(node, asked.keyset, writer, values)
  const idsFirst = use === 'root' && asked !== undefined && isFoundById(node)
  const children = node.children.map(
    ({ link, as, attribute, isSparse, nodes }): ChildConditions => ({
      ...{ link, as, attribute, isSparse },
      rendered: nodes.map(inner => renderConditions(inner, writer, values)),
    }),
  )
  const more = tellMore(node, writer, values)
  const { type, depth, fields, countOnly = false, cost } = node
  const key = [
    lead?.text ?? '',
    `${node.type.uid}(${node.fields.map(field => field.name).join()})`,
    where?.text ?? '',
    order.text,
    page ? (keyset?.key ?? (idsFirst ? 'ids first' : 'page')) : '',
    node.countOnly ? 'how many' : '',
    ...children.map(keyOf),
    ...more.map(({ text }) => text),
  ].join('\n')
  const shown = { ...shownOf(node), type, depth, fields, countOnly, ...(cost !== undefined && { cost }) }
  return {
    node: shown,
    lead,
    where,
    unguarded,
    order,
    page,
    keyset,
    idsFirst,
    ranked: rankedIn(node, first),
    children,
    more,
    key,
  }
}

/** The columns that tell what each row shows. */
const tellMore = (node: QueryNode, writer: SqlWriter, values: Values): readonly Sql[] =>
  (node.more?.conditions ?? []).map(condition => {
    const tells = writer.condition(condition, aliasOf(node)) ?? met(true)
    return values.keep(sql('case when ', tells, ' then 1 else 0 end'))
  })

const shownOf = ({ view, more }: QueryNode) => ({ ...(view && { view }), ...(more && { more }) })

const unsorted: Sql = { text: '', values: [] }

const keyOf = ({ link, as, rendered }: ChildConditions): string =>
  `>${as ?? ''} ${link.name}\n${rendered.map(({ key }) => `${key}\n`).join('')}<`

/** The name of a node's table in its statements; nested ones must not hide each other. */
export const aliasOf = ({ depth }: ShownNode): string => (depth === 0 ? 't' : `t${depth}`)

/** A condition on a value that other queries have another of: it is noted how it was written. */
function marked({ text, values }: Sql, compare: Compare, alias: string): Sql {
  const marks = values.map(value => new MarkedValue(value))
  compare.slot?.written.push({ compare, alias, text, places: marks.map(({ places }) => places) })
  return { text, values: marks }
}
