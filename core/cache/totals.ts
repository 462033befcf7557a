import type { Field } from '../schema/types.js'
import { namesIn, type ReadFrom } from './changes.js'
import type { Moments, Now } from './moments.js'
import { VersionedCache } from './versioned-cache.js'
import type { Versions } from './versions.js'

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
