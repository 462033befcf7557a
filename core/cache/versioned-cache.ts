import { LRUCache } from 'lru-cache'
import type { Names, ReadFrom } from './changes.js'
import type { Versions } from './versions.js'

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
