import type { Limit } from './settings.js'

/** The result of counting a request. */
export interface Counted {
  readonly passes: boolean
  /** Requests of the interval that are left, and milliseconds until the next one begins. */
  readonly left: number
  readonly ends: number
}

/** A counter of requests by sender. */
export interface Counter {
  /** This process's share of a limit. */
  maxOf(limit: Limit): number
  count(sender: string, limit: Limit): Counted | Promise<Counted>
}

/** Senders that are counted at the same time: those unused for longest begin anew. */
export const most = 50_000
