import type { Knex } from 'knex'
import type { Registry } from '../schema/registry.js'
import type { Representation } from '../schema/representation.js'
import type { Field } from '../schema/types.js'
import type { ReadFrom } from './changes.js'
import type { Session } from './recorded.js'
import type { Versions } from './versions.js'

/** From when to when no row changes what it is by the time alone. */
interface Span {
  /** The moment of the database at which it was found. */
  readonly at: number
  readonly from: number
  readonly until: number
}

/** What an engine has for finding the next time that a column holds. */
interface Database {
  readonly knex: Knex
  readonly versions: Versions
  encode(as: Representation, value: unknown): unknown
  decode(as: Representation, value: unknown): unknown
}

/** Where and when a query runs. */
export interface Now {
  readonly session: Session
  readonly now: number
}

/**
 * Knows when responses change although no row does: the next time that a column holds which queries compare with the time.
 * One statement finds it, by the index of the column, after a row has changed or that time has come.
 */
export class Moments {
  readonly #engine: Database
  readonly #registry: Registry
  readonly #statements = new Map<Field, { readonly sql: string; readonly from: ReadFrom }>()
  readonly #spans = new Map<Field, Span>()

  constructor(engine: Database, registry: Registry) {
    this.#engine = engine
    this.#registry = registry
  }

  /**
   * The next time that any of the columns holds, infinite if there is none: then what is read now is another one. What is
   * found is known for later, unless the moment of the database is not.
   */
  async next(at: number | undefined, fields: readonly Field[], { session, now }: Now): Promise<number> {
    let until = Number.POSITIVE_INFINITY
    for (const field of fields) {
      let span = at === undefined ? undefined : this.#spans.get(field)
      const changed = span && this.#engine.versions.changed(this.#statementOf(field).from, span.at)
      // A clock may be set back.
      if (!span || (changed as number) > span.at || now < span.from || now >= span.until) {
        span = { at: at ?? -1, from: now, until: await this.#after(now, field, session) }
        if (at !== undefined) this.#spans.set(field, span)
      }
      until = Math.min(until, span.until)
    }
    return until
  }

  async #after(now: number, field: Field, session: Session): Promise<number> {
    const { as } = field.type
    const [row] = await session.all(this.#statementOf(field).sql, [this.#engine.encode(as, now), 1])
    const next = row ? Date.parse(String(this.#engine.decode(as, row[0]))) : Number.NaN
    // Of a column that is finer than milliseconds, the time may come within this one.
    return next > now ? next : next === now ? now + 1 : Number.POSITIVE_INFINITY
  }

  #statementOf(field: Field): { readonly sql: string; readonly from: ReadFrom } {
    const known = this.#statements.get(field)
    if (known) return known
    const { knex } = this.#engine
    const { name, column } = field
    const table = [...this.#registry.types.values()].find(({ fields }) => fields.get(name) === field)?.table as string
    const { sql } = knex(table).select(column).where(column, '>', 0).orderBy(column).limit(1).toSQL().toNative()
    const chosen = new Map([[table.toLowerCase(), { by: 'id', asked: new Set([column.toLowerCase()]) }]])
    const reach = () => ({ chosen, idsIn: () => new Map() })
    const statement = { sql, from: { names: [[...chosen.keys()]], rows: { reach } } }
    this.#statements.set(field, statement)
    return statement
  }
}
