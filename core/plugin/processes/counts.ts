import type { Engine } from '../../engines/engine.js'
import type { ForeignLayout } from '../../layout/foreign.js'
import type { Log } from '../../log.js'

/** Counts that all processes on all machines share. */
export interface Counts {
  /**
   * Adds one, or `by`, to the count of a key in this interval, in one statement that is stored when this resolves. Intervals are
   * in milliseconds, and are the same for all keys: the first began in 1970. A count above `most` is not increased any further by
   * the process that has seen it, until the interval is over: a flood of requests is no flood of statements.
   */
  add(key: string, interval: number, most?: number, by?: number): Promise<CountState>
  /** Takes back the count of a key in this interval. */
  forget(key: string, interval: number): Promise<void>
}

export interface CountState {
  /** The sum of all that was added to it, this time included. */
  readonly count: number
  /** Milliseconds until the next interval begins. */
  readonly left: number
}

/** Keeps the counts in the database. */
export interface CountsStore {
  /** Makes their table, where it is not there. */
  prepare(engine: Engine, foreign: ForeignLayout): Promise<void>
  /** The counts of one name. */
  open(name: string, parts: CountsParts): Counts
}

export interface CountsParts {
  readonly engine: Engine
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly time: () => number
}
