import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

export interface Rate {
  /** Attempts in one interval, and its length in milliseconds. */
  readonly max: number
  readonly interval: number
}

/** An attempt that was counted. */
export type Attempt = Pick<RateLimiterRes, 'consumedPoints' | 'remainingPoints' | 'msBeforeNext'>

export interface Limiter {
  readonly max: number
  /** Counts one attempt; more than `max` of them are `consumedPoints` of the result. */
  attempt(key: string): Promise<Attempt>
  forget(key: string): unknown
}

/** Counts in memory, with room for so many keys: new ones replace those unused for longest, so that memory does not grow. */
export class BoundedLimiter implements Limiter {
  readonly max: number
  readonly #limiter: RateLimiterMemory
  readonly #recent: LRUCache<string, true>

  constructor({ max, interval }: Rate, keys: number) {
    this.max = max
    this.#limiter = new RateLimiterMemory({ points: max, duration: interval / 1000 })
    this.#recent = new LRUCache({ max: keys, dispose: (_, key) => void this.#limiter.delete(key) })
  }

  async attempt(key: string): Promise<Attempt> {
    if (!this.#recent.get(key)) this.#recent.set(key, true)
    const result = await this.#limiter.consume(key).catch((refused: RateLimiterRes | Error) => refused)
    if (result instanceof Error) throw result
    return result
  }

  forget(key: string): void {
    this.#recent.delete(key)
  }
}
