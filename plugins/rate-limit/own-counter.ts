import { LRUCache } from 'lru-cache'
import { type Counter, type CountResult, most } from './counter.js'
import type { Limit } from './settings.js'

/** The requests of one sender in its interval. */
interface Window {
  count: number
  /** Start of the next interval, on the clock of the process. */
  readonly ends: number
}

/** Each process counts for itself: of several that serve the app together, each lets its share pass. */
export class OwnCounter implements Counter {
  readonly #processes: number
  readonly #windows = new LRUCache<string, Window>({ max: most })

  constructor(processes: number) {
    this.#processes = processes
  }

  maxOf({ max }: Limit): number {
    return Math.max(1, Math.floor(max / this.#processes))
  }

  count(sender: string, limit: Limit): CountResult {
    const now = performance.now()
    let window = this.#windows.get(sender)
    if (!window || window.ends <= now) {
      window = { count: 0, ends: now + limit.interval * 1000 }
      this.#windows.set(sender, window)
    }
    window.count += 1
    const left = this.maxOf(limit) - window.count
    return { passes: left >= 0, left: Math.max(0, left), ends: window.ends - now }
  }
}
