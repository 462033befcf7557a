import type { Limit } from './settings.js'

/** What became of a request that was counted. */
export interface Counted {
  readonly passes: boolean
  /** Requests of the interval that are left, and milliseconds until the next one begins. */
  readonly left: number
  readonly ends: number
}

/** Where the requests of senders are counted. */
export interface Counter {
  /** How much of a limit may pass here. */
  maxOf(limit: Limit): number
  count(sender: string, limit: Limit): Counted | Promise<Counted>
}

/** Senders that are counted at the same time: those unused for longest begin anew. */
export const most = 50_000
