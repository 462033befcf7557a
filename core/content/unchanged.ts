import { LRUCache } from 'lru-cache'
import type { Engine } from '../store/engine.js'

/**
 * What was read of the database, kept as long as it provably has not changed: a row that changes anywhere lets go of all
 * of it. Stores that cannot tell keep nothing.
 */
export class Unchanged<T extends NonNullable<unknown>> {
  readonly #engine: Pick<Engine, 'version'>
  readonly #kept: LRUCache<string, T> | undefined
  #version: string | undefined

  /** `most` is in the unit of `sizeOf`. */
  constructor(engine: Pick<Engine, 'version'>, most: number, sizeOf: (value: T, key: string) => number) {
    this.#engine = engine
    if (most > 0)
      this.#kept = new LRUCache({ maxSize: most, maxEntrySize: Math.ceil(most / 16), sizeCalculation: sizeOf })
  }

  /** What is kept under a key, or what is read now; that is kept only where nothing changed while it was read. */
  async get(key: string, read: () => Promise<T>): Promise<T> {
    const version = this.#engine.version()
    if (version === undefined || !this.#kept) return read()
    if (version !== this.#version) {
      this.#kept.clear()
      this.#version = version
    }
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const value = await read()
    // A write may have come between: then it is right for this answer and not kept for the next.
    if (this.#engine.version() === version && this.#version === version) this.#kept.set(key, value)
    return value
  }
}
