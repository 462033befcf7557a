import type { Knex } from 'knex'
import type { Registry } from '../schema/registry.js'
import type { Representation } from '../schema/representation.js'
import type { Field } from '../schema/types.js'
import type { Dependency } from './dependency.js'
import type { Session } from './recording.js'
import type { Versions } from './versions.js'

/** A time in which no row changes its meaning by the time alone. */
interface Span {
  /** The state of the database in which it was found. */
  readonly state: number
  readonly from: number
  readonly until: number
}

/** The functions of an engine for finding the next time that a column holds. */
interface Database {
  readonly knex: Knex
  readonly versions: Versions
  encode(as: Representation, value: unknown): unknown
  decode(as: Representation, value: unknown): unknown
}

/** The session and the time of a query. */
export interface TimedRun {
  readonly session: Session
  readonly now: number
}

/**
 * Knows when responses change although no row does: the next time that a column holds which queries compare with the time.
 * One statement finds it, by the index of the column, after a row has changed or that time has come.
 */
export class NextTimes {
  readonly #database: Database
  readonly #registry: Registry
  readonly #statements = new Map<Field, { readonly sql: string; readonly dependency: Dependency }>()
  readonly #spans = new Map<Field, Span>()

  constructor(database: Database, registry: Registry) {
    this.#database = database
    this.#registry = registry
  }

  /**
   * The next time that any of the columns holds, infinite if there is none: a read after it has another result. The time is
   * cached, unless the state of the database is unknown.
   */
  async next(state: number | undefined, fields: readonly Field[], { session, now }: TimedRun): Promise<number> {
    let until = Number.POSITIVE_INFINITY
    for (const field of fields) {
      let span = state === undefined ? undefined : this.#spans.get(field)
      const changed = span && this.#database.versions.changed(this.#statementOf(field).dependency, span.state)
      // A clock may be set back.
      if (!span || (changed as number) > span.state || now < span.from || now >= span.until) {
        span = { state: state ?? -1, from: now, until: await this.#after(now, field, session) }
        if (state !== undefined) this.#spans.set(field, span)
      }
      until = Math.min(until, span.until)
    }
    return until
  }

  async #after(now: number, field: Field, session: Session): Promise<number> {
    const { as } = field.type
    const [row] = await session.all(this.#statementOf(field).sql, [this.#database.encode(as, now), 1])
    const next = row ? Date.parse(String(this.#database.decode(as, row[0]))) : Number.NaN
    // A column that is finer than milliseconds may hold a time within this one.
    return next > now ? next : next === now ? now + 1 : Number.POSITIVE_INFINITY
  }

  #statementOf(field: Field): { readonly sql: string; readonly dependency: Dependency } {
    const before = this.#statements.get(field)
    if (before) return before
    const { knex } = this.#database
    const { name, column } = field
    const table = [...this.#registry.types.values()].find(({ fields }) => fields.get(name) === field)?.table as string
    const { sql } = knex(table).select(column).where(column, '>', 0).orderBy(column).limit(1).toSQL().toNative()
    const selections = new Map([[table.toLowerCase(), { by: 'id', columns: new Set([column.toLowerCase()]) }]])
    const reach = () => ({ selections, idsIn: () => new Map() })
    const statement = { sql, dependency: { names: [[...selections.keys()]], rows: { reach } } }
    this.#statements.set(field, statement)
    return statement
  }
}
