import type { Dialect } from '../dialect.js'
import {
  all,
  type Compare,
  type Condition,
  depthOf,
  type Hop,
  Late,
  metByNothing,
  type Order,
  type QueryNode,
} from '../query/tree.js'
import type { Field, Link } from '../schema/types.js'
import { type Engine, quoteWith } from './engine.js'

/** Writes the conditions and orders of a query tree as SQL, collecting the values to bind in the order of the text. */
export class SqlWriter {
  readonly values: unknown[] = []
  readonly #engine: Engine
  readonly #dialect: Dialect
  readonly quote: (name: string) => string
  /** Stands before the conditions of whatever can take long, on every row. */
  readonly #guard: string | undefined
  #aliases = 0
  #lists = 0

  constructor(engine: Engine, dialect: Dialect, isHeavy: boolean) {
    this.#engine = engine
    this.#dialect = dialect
    this.#guard = isHeavy ? engine.inTime?.() : undefined
    this.quote = quoteWith(engine.name === 'mysql' ? '`' : '"')
  }

  column(alias: string, name: string): string {
    return `${alias}.${this.quote(name)}`
  }

  /** The condition of a node that the alias names, as far as it has one. */
  where(condition: Condition, alias: string): string | undefined {
    const where = this.condition(condition, alias)
    // However little is asked of a row, there may be millions of them.
    const guard = this.#guard ?? this.#engine.inTime?.(`${alias}.id`)
    return where === undefined || guard === undefined ? where : `${guard} and ${where}`
  }

  /** The text of a condition on a row that the alias names; undefined where every row meets it. */
  condition(condition: Condition, alias: string): string | undefined {
    switch (condition.kind) {
      case 'always':
        return undefined
      case 'never':
        return '1 = 0'
      case 'all':
        return condition.of.map(part => this.condition(part, alias) ?? '1 = 1').join(' and ')
      case 'any':
        return `(${condition.of.map(part => this.condition(part, alias) ?? '1 = 1').join(' or ')})`
      case 'not':
        return `not (${this.#compare(condition.of, alias)})`
      case 'compare':
        return this.#compare(condition, alias)
      case 'some':
        return this.#some(condition, alias)
      case 'none':
        return this.#none(condition, alias)
    }
  }

  /** Entries that have some linked row: a list of ids, so that rows never double and totals agree with pages. */
  #some({ link, node, where }: Extract<Condition, { kind: 'some' }>, alias: string): string {
    const own = this.column(alias, this.#ownColumn(link))
    this.#lists += 1
    const keep = this.#lists > mostMerged || depthOf(where) >= deepestMerged
    const found = this.#isIn(own, this.#owners(link, { ...node, where: all(where, node.where) }), keep)
    if (!metByNothing(where)) return found
    return `(${found} or not exists (${this.#owners(link, node, own)}))`
  }

  #none({ link, node, where }: Extract<Condition, { kind: 'none' }>, alias: string): string {
    const own = this.column(alias, this.#ownColumn(link))
    return `not exists (${this.#owners(link, { ...node, where: all(where, node.where) }, own)})`
  }

  /**
   * The part of a root's condition that says best which entries there can be, to start from, and what remains of the
   * condition. MySQL does not know how few entries a condition on another table leaves, and would read them all.
   */
  lead(condition: Condition): { owners: string; column: string; rest: Condition } | undefined {
    if (this.#engine.name !== 'mysql') return undefined
    const parts = condition.kind === 'all' ? condition.of : [condition]
    for (const part of parts) {
      if (part.kind !== 'some' || part.link.storage.via !== 'table' || metByNothing(part.where)) continue
      const { link, node, where } = part
      const owners = this.#owners(link, { ...node, where: all(where, node.where) }, undefined, true)
      return { owners, column: part.link.storage.from, rest: all(...parts.filter(other => other !== part)) }
    }
    return undefined
  }

  /** MySQL merges a list of ids into the joins around it, and to order a dozen of joins takes it seconds. */
  #isIn(column: string, list: string, keep: boolean): string {
    const condition = `${column} in (${list})`
    return keep && this.#engine.name === 'mysql' ? `(${condition}) is true` : condition
  }

  #ownColumn({ storage }: Link): string {
    return storage.via === 'column' ? storage.column : 'id'
  }

  /** Selects what identifies the owners of linked rows that a node lets through; `only` asks for one owner. */
  #owners({ storage }: Link, node: QueryNode, only?: string, lead = false): string {
    const target = this.#alias()
    const table = this.quote(node.type.table)
    const of = (owner: string, ...conditions: (string | undefined)[]) => {
      const held = [this.#guard, ...conditions, only === undefined ? undefined : `${owner} = ${only}`].filter(
        part => part !== undefined,
      )
      return held.length > 0 ? ` where ${held.join(' and ')}` : ''
    }
    if (storage.via === 'column') {
      const owner = this.column(target, 'id')
      return `select ${owner} from ${table} ${target}${of(owner, this.condition(node.where, target))}`
    }
    if (storage.via === 'target') {
      const owner = this.column(target, storage.column)
      const match = this.#match(target, storage.match)
      return `select ${owner} from ${table} ${target}${of(owner, ...match, this.condition(node.where, target))}`
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
      return `select ${lead ? 'distinct ' : ''}${owner} from ${through} ${link}${of(owner, ...match, condition)}`
    }
    if (lead) {
      const join = `straight_join ${through} ${link} on ${this.column(link, storage.to)} = ${this.column(target, 'id')}`
      return `select distinct ${owner} from ${table} ${target} ${join}${of(owner, ...match, this.condition(node.where, target))}`
    }
    const join = `join ${table} ${target} on ${this.column(target, 'id')} = ${this.column(link, storage.to)}`
    return `select ${owner} from ${through} ${link} ${join}${of(owner, ...match, this.condition(node.where, target))}`
  }

  #match(alias: string, match: Readonly<Record<string, string>>): string[] {
    return Object.entries(match).map(([column, value]) => {
      this.values.push(value)
      return `${this.column(alias, column)} = ?`
    })
  }

  #compare({ field, operator, values, pattern }: Compare, alias: string): string {
    const column = this.column(alias, field.column)
    switch (operator) {
      case 'null':
        return `${column} is null`
      case 'notNull':
        return `${column} is not null`
      case 'like':
      case 'notLike': {
        const { literalWildcards: literal, exactCase } = this.#dialect
        const how = {
          open: 'both',
          ignoreCase: false,
          ...pattern,
          literal,
          exactCase,
          negated: operator === 'notLike',
        } as const
        const { sql, value } = this.#engine.like(this.#asText(field, column), String(values[0]), how)
        this.values.push(value)
        return sql
      }
      case 'between': {
        const [low, high] = values.map(value => this.#place(field, value))
        return `${column} between ${low} and ${high}`
      }
      default:
        return this.#plain(field, column, operator, values)
    }
  }

  #plain(
    field: Field,
    column: string,
    operator: Exclude<Compare['operator'], 'null' | 'notNull' | 'like' | 'notLike' | 'between'>,
    values: readonly unknown[],
  ): string {
    const sign = signs[operator]
    const exact = field.type.operators === 'text' && this.#dialect.exactCase
    const placeholders = values.map(value => this.#place(field, value)).join(', ')
    const target = field.type.as === 'json' ? this.#asText(field, column) : column
    if (exact && (sign === '=' || sign === '<>' || sign === 'in' || sign === 'not in')) {
      if (this.#engine.exactTwice && (sign === '=' || sign === 'in'))
        this.values.push(...this.values.slice(-values.length))
      return this.#engine.exact(target, sign, placeholders)
    }
    return operator === 'in' || operator === 'notIn'
      ? `${target} ${sign} (${placeholders})`
      : `${target} ${sign} ${placeholders}`
  }

  #place(field: Field, value: unknown): string {
    const { as } = field.type
    const shown = as === 'json' ? 'text' : as
    this.values.push(
      value instanceof Late ? new LateValue(value, field, this.#engine) : this.#engine.encode(shown, value),
    )
    return this.#engine.place(shown, value)
  }

  #asText(field: Field, column: string): string {
    return this.#engine.name === 'postgres' && field.type.operators !== 'text' ? `${column}::text` : column
  }

  /** The order of a node; the id comes last, so that pages neither repeat nor miss an entry. */
  order(orders: readonly Order[], alias: string): string {
    const terms = orders.map(order => this.#term(order, alias))
    const last = orders.at(-1)
    const byId = last?.field.name === 'id' && last.through.length === 0
    return [...terms, ...(byId ? [] : [this.column(alias, 'id')])].join(', ')
  }

  #term({ field, descending, through }: Order, alias: string): string {
    const direction = descending ? ' desc' : ''
    // SQLite and MySQL take a missing value for the smallest; PostgreSQL is told to.
    const never = field.name === 'id' && through.length === 0
    const nulls = this.#engine.name === 'postgres' && !never ? (descending ? ' nulls last' : ' nulls first') : ''
    const value =
      through.length === 0 ? this.column(alias, field.column) : `(${this.#farValue(field, descending, through, alias)})`
    return `${value}${direction}${nulls}`
  }

  /** One value for each entry, however many rows are linked: the smallest ascending, the largest descending. */
  #farValue(field: Field, descending: boolean, through: Order['through'], alias: string): string {
    const { rows, here } = this.#reach(through, alias)
    const value = this.#comparable(field, this.column(here, field.column))
    return `select ${descending ? 'max' : 'min'}(${value}) ${rows}`
  }

  /**
   * The rows at the end of a way, as the text behind a select. Those before them are a list of ids: joined, a way
   * through lists would come to the same row as often as there are paths to it.
   */
  #reach(through: readonly Hop[], alias: string): { rows: string; here: string } {
    const { link, node } = through.at(-1) as Hop
    const { storage } = link
    const former = through.length > 1 ? this.#reach(through.slice(0, -1), alias) : undefined
    const reached = (column: string, name: string) =>
      former
        ? this.#isIn(column, `select ${this.column(former.here, name)} ${former.rows}`, true)
        : `${column} = ${this.column(alias, name)}`
    const here = this.#alias()
    const tables = [`${this.quote(node.type.table)} ${here}`]
    // Values are bound in the order of the text: what was reached before stands first.
    const conditions: (string | undefined)[] = [this.#guard]
    if (storage.via === 'table') {
      const between = this.#alias()
      tables.unshift(`${this.quote(storage.table)} ${between}`)
      conditions.push(reached(this.column(between, storage.from), 'id'))
      conditions.push(`${this.column(here, 'id')} = ${this.column(between, storage.to)}`)
      conditions.push(...this.#match(between, storage.match))
    } else if (storage.via === 'column') conditions.push(reached(this.column(here, 'id'), storage.column))
    else conditions.push(reached(this.column(here, storage.column), 'id'), ...this.#match(here, storage.match))
    conditions.push(this.condition(node.where, here))
    const held = conditions.filter(condition => condition !== undefined).join(' and ')
    return { rows: `from ${tables.join(', ')} where ${held}`, here }
  }

  /** PostgreSQL has no smallest boolean and no smallest document. */
  #comparable({ type: { as } }: Field, column: string): string {
    if (this.#engine.name !== 'postgres') return column
    return as === 'boolean' ? `${column}::int` : as === 'json' ? `${column}::text` : column
  }

  #alias(): string {
    this.#aliases += 1
    return `a${this.#aliases}`
  }
}

const mostMerged = 3
const deepestMerged = 2

const signs = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=', in: 'in', notIn: 'not in' } as const

/** The id in the address of a request. */
export class EntryId extends Late {
  constructor() {
    super(() => undefined)
  }
}

/** What late values are taken from when a statement runs. */
export interface Moment {
  readonly caller: unknown
  readonly entryId?: number | undefined
}

/** A value that is taken from the request when the statement runs. */
export class LateValue {
  readonly #late: Late
  readonly #field: Field
  readonly #engine: Engine

  constructor(late: Late, field: Field, engine: Engine) {
    this.#late = late
    this.#field = field
    this.#engine = engine
  }

  /** Two callers of one scope may get different rows. */
  get ofCaller(): boolean {
    return !(this.#late instanceof EntryId)
  }

  of({ caller, entryId }: Moment): unknown {
    if (this.#late instanceof EntryId) return entryId ?? null
    const value = this.#late.of(caller as never)
    const { as } = this.#field.type
    return this.#engine.encode(
      as,
      value === undefined || value === null ? null : this.#field.type.operand(value, false),
    )
  }
}
