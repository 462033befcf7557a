import type { Field } from '../schema/types.js'
import { type Dependency, namesIn } from './dependency.js'
import type { NextTimes, TimedRun } from './next-times.js'
import { VersionedCache } from './versioned-cache.js'
import type { Versions } from './versions.js'

/** Characters of SQL under which totals are cached. */
const maxTotals = 5_000_000

/** A request for a total. */
interface TotalRequest extends TimedRun {
  readonly text: string
  readonly key: string
  readonly timed: readonly Field[] | undefined
  readonly rows: Dependency['rows']
  /** The state of the database, if it is known. */
  readonly state?: number | undefined
  readonly note: ((sql: string) => void) | undefined
}

/** Caches how many entries lists have in all: the pages of a list share it. */
export class Totals {
  readonly #versions: Versions
  readonly #nextTimes: NextTimes
  readonly #cached: VersionedCache<number>

  constructor(versions: Versions, nextTimes: NextTimes) {
    this.#versions = versions
    this.#nextTimes = nextTimes
    this.#cached = new VersionedCache(versions, maxTotals, (_, key) => key.length)
  }

  async get(request: TotalRequest, count: () => Promise<number>): Promise<number> {
    const { text, key, timed, rows, note } = request
    const state = request.state ?? (this.#cached.lookup(key) ? await this.#versions.state() : undefined)
    note?.(text)
    if (state === undefined) return count()
    const keyNow = timed ? `${key}@${await this.#nextTimes.next(state, timed, request)}` : key
    const read = async () => ({ value: await count(), names: [namesIn(text)], rows })
    return (await this.#cached.get(keyNow, state, read)).value
  }
}

/** No two values are written alike, nor any two lists of them. */
export const keyOf = (text: string, values: readonly unknown[]): string =>
  `${text}\n${values.map(value => JSON.stringify(typeof value === 'bigint' ? { big: String(value) } : value)).join()}`
