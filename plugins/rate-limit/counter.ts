import type { Limit } from './settings.js'

/** The result of counting a request. */
export interface CountResult {
  readonly passes: boolean
  /** Requests of the interval that are left, and milliseconds until the next one begins. */
  readonly left: number
  readonly ends: number
}

/** A counter of requests by sender. */
export interface Counter {
  /** The share of a limit for this process. */
  maxOf(limit: Limit): number
  count(sender: string, limit: Limit): CountResult | Promise<CountResult>
}

/** The number of senders counted at the same time: the least recently used begin anew. */
export const most = 50_000
