import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Counts, Log } from '../../core/index.js'
import { within } from '../../core/plugin-kit.js'
import { type Counter, type CountResult, most } from './counter.js'
import { OwnCounter } from './own-counter.js'
import type { Limit } from './settings.js'

/** The share of the rest that a process reserves. */
const parts = 10
/** Milliseconds for which a request waits for the database to count. */
const maxWait = 1000

/** The known count of a sender in an interval. */
interface Window {
  /** Requests that it may let pass without asking the database. */
  reserved: number
  /** Requests that no process has reserved, as the database said last. */
  free: number
  /** Start of the next interval, on the clock of the process. */
  ends: number
  /** The process is asking for more. */
  asking: Promise<void> | undefined
  /** The database could not be asked: the process counts for itself until the interval is over. */
  isAlone: boolean
}

export interface SharedPlace {
  readonly counts: Counts
  readonly processes: number
  readonly log: Log
}

/**
 * Counts in the database, for all machines. A statement for each request would cost more than most requests, so a process
 * reserves a part of the remaining limit in one statement, and lets as many requests pass before it asks again. A
 * reserved part belongs to one process alone, so the limit is never exceeded. Parts get smaller with the rest, so that
 * little is reserved and never used.
 */
export class SharedCounter implements Counter {
  readonly #place: SharedPlace
  readonly #own: OwnCounter
  readonly #windows = new LRUCache<string, Window>({ max: most })
  #nextWarning = 0

  constructor(place: SharedPlace) {
    this.#place = place
    this.#own = new OwnCounter(place.processes)
  }

  maxOf({ max }: Limit): number {
    return max
  }

  count(sender: string, limit: Limit): CountResult | Promise<CountResult> {
    const window = this.#windowOf(sender, limit)
    return this.#counted(window, sender, limit) ?? this.#afterAsking(window, sender, limit)
  }

  async #afterAsking(first: Window, sender: string, limit: Limit): Promise<CountResult> {
    for (let window = first; ; window = this.#windowOf(sender, limit)) {
      const counted = this.#counted(window, sender, limit)
      if (counted) return counted
      // Requests that come meanwhile wait for the same statement.
      window.asking ??= this.#reserve(window, sender, limit)
      await window.asking
    }
  }

  /** Undefined where the database has to be asked. */
  #counted(window: Window, sender: string, limit: Limit): CountResult | undefined {
    if (window.isAlone) return this.#own.count(sender, limit)
    if (window.reserved > 0) window.reserved -= 1
    else if (window.free > 0) return undefined
    else return { passes: false, left: 0, ends: window.ends - performance.now() }
    return { passes: true, left: window.reserved + window.free, ends: window.ends - performance.now() }
  }

  #windowOf(sender: string, { max, interval }: Limit): Window {
    const now = performance.now()
    const known = this.#windows.get(sender)
    if (known && known.ends > now) return known
    const window = { reserved: 0, free: max, ends: now + interval * 1000, asking: undefined, isAlone: false }
    this.#windows.set(sender, window)
    return window
  }

  async #reserve(window: Window, sender: string, { max, interval }: Limit): Promise<void> {
    const wanted = Math.max(1, Math.floor(window.free / parts))
    try {
      const adding = this.#place.counts.add(hashed(sender), interval * 1000, undefined, wanted)
      const { count, left } = await within(maxWait, adding, () => new Error(`no count after ${maxWait} ms`))
      window.free = Math.max(0, max - count)
      // Another process may have taken all of it, or a part.
      window.reserved = Math.max(0, Math.min(wanted, max - (count - wanted)))
      window.ends = performance.now() + left
    } catch (error) {
      this.#warn(error)
      window.isAlone = true
    } finally {
      window.asking = undefined
    }
  }

  #warn(error: unknown): void {
    const now = performance.now()
    if (now < this.#nextWarning) return
    this.#nextWarning = now + 60_000
    this.#place.log.warn(
      { err: error },
      'requests cannot be counted in the database; this process counts them for itself',
    )
  }
}

/** The table of counts has no addresses in it. */
const hashed = (sender: string): string => createHash('sha256').update(sender).digest('base64url')
