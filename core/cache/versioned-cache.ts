import { LRUCache } from 'lru-cache'
import type { Dependency, Names, ReadValue } from './dependency.js'
import type { Versions } from './versions.js'

/** A cached value, and the state it is valid for. */
export interface CacheEntry<T> extends Dependency {
  /** Absent if it was only requested, or was invalidated. */
  value?: T | undefined
  rows?: Dependency['rows']
  /** The state of the database for which this is valid, or has been checked last. */
  state: number
  /** The state after the last change to the rows that were read. */
  changed: number
  /** The tag by which clients recognise it, as it has been since a change. */
  tag?: { readonly changed: number; readonly text: string }
}

/** An entry that has a value. */
type FilledEntry<T> = CacheEntry<T> & { readonly value: T }

const never = Number.POSITIVE_INFINITY
/** The entry of a key that was requested, and of which nothing else is known. */
const requested: CacheEntry<never> = { names: [], state: never, changed: never }

/** Caches values that were read from the database, by keys, until something changes in the rows that they came from. */
export class VersionedCache<T extends NonNullable<unknown>> {
  readonly #versions: Versions
  readonly #entries: LRUCache<string, CacheEntry<T>> | undefined
  /** Reads in flight, the last one of each key. */
  readonly #reading = new Map<string, { readonly state: number; readonly read: Promise<FilledEntry<T>> }>()

  /** `most` is in the unit of `sizeOf`. */
  constructor(versions: Versions, most: number, sizeOf: (value: T | undefined, key: string) => number) {
    this.#versions = versions
    if (most === 0) return
    const sizeCalculation = ({ value }: CacheEntry<T>, key: string) => sizeOf(value, key)
    this.#entries = new LRUCache({ maxSize: most, maxEntrySize: Math.ceil(most / 16), sizeCalculation })
  }

  /**
   * The entry of a key; undefined at its first request: a value that is requested once is not worth caching, nor a check of the
   * database.
   */
  lookup(key: string): CacheEntry<T> | undefined {
    const entry = this.#entries?.get(key)
    if (!entry) this.#entries?.set(key, requested)
    return entry
  }

  /** Brings an entry to a state of the database: its value is dropped if that has changed since. */
  revalidate(entry: CacheEntry<T>, state: number): void {
    if (entry.state >= state) return
    const changed = this.#versions.changed(entry, entry.state)
    if (changed > entry.state) {
      entry.changed = changed
      entry.value = undefined
      entry.rows = undefined
    }
    entry.state = state
  }

  /** An entry without a value, which tells when the value would have changed. */
  track(key: string, state: number, names: readonly Names[]): CacheEntry<T> {
    const entry: CacheEntry<T> = { names, state: -1, changed: 0 }
    this.#entries?.set(key, entry)
    this.revalidate(entry, state)
    return entry
  }

  /** The entry as it is cached, or with a value that is read now, once for all that wait. */
  async get(key: string, state: number, read: () => Promise<ReadValue<T>>): Promise<FilledEntry<T>> {
    const entry = this.#entries?.get(key)
    if (entry) this.revalidate(entry, state)
    if (entry?.value !== undefined) return entry as FilledEntry<T>
    const others = this.#reading.get(key)
    if (others && others.state >= state) return others.read
    const reading = { state, read: this.#read(key, state, read) }
    this.#reading.set(key, reading)
    try {
      return await reading.read
    } finally {
      if (this.#reading.get(key) === reading) this.#reading.delete(key)
    }
  }

  /**
   * A write between the request and the read does no harm: the value is newer than the state, and it is not used, as its tables
   * have changed since.
   */
  async #read(key: string, state: number, read: () => Promise<ReadValue<T>>): Promise<FilledEntry<T>> {
    const { value, names, rows } = await read()
    const entry = { value, names, rows, state, changed: this.#versions.changed({ names }) }
    this.#entries?.set(key, entry)
    return entry
  }
}
