import { LRUCache } from 'lru-cache'
import { type Names, namesIn, type ReadFrom } from '../engines/changes.js'
import type { Engine, Session } from '../engines/engine.js'
import type { Versions } from '../engines/versions.js'
import type { Registry } from '../schema/registry.js'
import type { Field } from '../schema/types.js'

/** What was read, and where. */
export interface ReadOf<T> extends ReadFrom {
  readonly value: T
}

/** What is known under a key. */
export interface Cached<T> extends ReadFrom {
  /** Absent where it was only asked for, or is not as it was any more. */
  value?: T | undefined
  rows?: ReadFrom['rows']
  /** The moment up to which all of this is known; before all others, where nothing is. */
  at: number
  /** That of the last change to what was read. */
  changed: number
  /** By what clients recognise it, as it has been since a change. */
  tag?: { readonly changed: number; readonly text: string }
}

/** What was found under a key, or has just been read. */
type Read<T> = Cached<T> & { readonly value: T }

const never = Number.POSITIVE_INFINITY
const unread: Cached<never> = { names: [], at: never, changed: never }

/** What was read of the database under a key, as long as nothing has changed where it was read. */
export class VersionedCache<T extends NonNullable<unknown>> {
  readonly #versions: Versions
  readonly #cached: LRUCache<string, Cached<T>> | undefined
  /** Reads in flight, the last one of each key. */
  readonly #reading = new Map<string, { readonly at: number; readonly read: Promise<Read<T>> }>()

  /** `most` is in the unit of `sizeOf`. */
  constructor(versions: Versions, most: number, sizeOf: (value: T | undefined, key: string) => number) {
    this.#versions = versions
    if (most === 0) return
    const sizeCalculation = ({ value }: Cached<T>, key: string) => sizeOf(value, key)
    this.#cached = new LRUCache({ maxSize: most, maxEntrySize: Math.ceil(most / 16), sizeCalculation })
  }

  /**
   * What is known under a key; undefined where it was never asked for: what is asked for once is not worth caching, nor a
   * check of the database.
   */
  find(key: string): Cached<T> | undefined {
    const cached = this.#cached?.get(key)
    if (!cached) this.#cached?.set(key, unread)
    return cached
  }

  /** Finds out what of it holds at a moment. A value that does not is dropped. */
  check(cached: Cached<T>, at: number): void {
    if (cached.at >= at) return
    const changed = this.#versions.changed(cached, cached.at)
    if (changed > cached.at) {
      cached.changed = changed
      cached.value = undefined
      cached.rows = undefined
    }
    cached.at = at
  }

  /** Where something was read that is not cached itself. */
  note(key: string, at: number, names: readonly Names[]): Cached<T> {
    const noted: Cached<T> = { names, at: -1, changed: 0 }
    this.#cached?.set(key, noted)
    this.check(noted, at)
    return noted
  }

  /** What is cached, or what is read now, once for all that wait. */
  async get(key: string, at: number, read: () => Promise<ReadOf<T>>): Promise<Read<T>> {
    const cached = this.#cached?.get(key)
    if (cached) this.check(cached, at)
    if (cached?.value !== undefined) return cached as Read<T>
    const others = this.#reading.get(key)
    if (others && others.at >= at) return others.read
    const reading = { at, read: this.#read(key, at, read) }
    this.#reading.set(key, reading)
    try {
      return await reading.read
    } finally {
      if (this.#reading.get(key) === reading) this.#reading.delete(key)
    }
  }

  /**
   * A write between the moment and the read does no harm: what was read is newer, and it is not used, as its tables have
   * changed since the moment.
   */
  async #read(key: string, at: number, read: () => Promise<ReadOf<T>>): Promise<Read<T>> {
    const { value, names, rows } = await read()
    const cached = { value, names, rows, at, changed: this.#versions.changed({ names }) }
    this.#cached?.set(key, cached)
    return cached
  }
}

/** A session, and the names in what is read through it; `note` is called with statements whose result was known. */
export function recorded(session: Session) {
  const statements = new Set<string>()
  const note = (sql: string): void => void statements.add(sql)
  const noting: Session = {
    all(sql, values) {
      note(sql)
      return session.all(sql, values)
    },
    run: (sql, values) => session.run(sql, values),
  }
  const names = (): readonly Names[] => Array.from(statements, namesIn)
  return { session: noting, note, names }
}

/** From when to when no row changes what it is by the time alone. */
interface Span {
  /** The moment of the database at which it was found. */
  readonly at: number
  readonly from: number
  readonly until: number
}

/** Where and when a query runs. */
interface Now {
  readonly session: Session
  readonly now: number
}

/**
 * Knows when responses change although no row does: the next time that a column holds which queries compare with the time.
 * One statement finds it, by the index of the column, after a row has changed or that time has come.
 */
export class Moments {
  readonly #engine: Engine
  readonly #registry: Registry
  readonly #statements = new Map<Field, { readonly sql: string; readonly from: ReadFrom }>()
  readonly #spans = new Map<Field, Span>()

  constructor(engine: Engine, registry: Registry) {
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

/** Characters of SQL under which totals are cached. */
const maxTotals = 5_000_000

/** A total that is asked for. */
interface TotalAsked extends Now {
  readonly text: string
  readonly key: string
  readonly timed: readonly Field[] | undefined
  readonly rows: ReadFrom['rows']
  /** The moment of the database, if it is known. */
  readonly at?: number | undefined
  readonly note: ((sql: string) => void) | undefined
}

/** How many entries lists have in all: pages of a list share it. */
export class Totals {
  readonly #versions: Versions
  readonly #moments: Moments
  readonly #cached: VersionedCache<number>

  constructor(versions: Versions, moments: Moments) {
    this.#versions = versions
    this.#moments = moments
    this.#cached = new VersionedCache(versions, maxTotals, (_, key) => key.length)
  }

  async get(asked: TotalAsked, count: () => Promise<number>): Promise<number> {
    const { text, key, timed, rows, note } = asked
    const at = asked.at ?? (this.#cached.find(key) ? await this.#versions.now() : undefined)
    note?.(text)
    if (at === undefined) return count()
    const keyNow = timed ? `${key}@${await this.#moments.next(at, timed, asked)}` : key
    const read = async () => ({ value: await count(), names: [namesIn(text)], rows })
    return (await this.#cached.get(keyNow, at, read)).value
  }
}

/** No two values are written alike, nor any two lists of them. */
export const keyOf = (text: string, values: readonly unknown[]): string =>
  `${text}\n${values.map(value => JSON.stringify(typeof value === 'bigint' ? { big: String(value) } : value)).join()}`
