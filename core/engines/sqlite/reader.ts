import { statements } from '../../loop/constants.js'
import { FairScheduler } from '../../loop/fair-scheduler.js'
import type { RawRow, Session } from '../engine.js'
import { type Connection, isOutOfTime } from './connection.js'
import { type ReaderLimits, ReaderThread } from './reader-thread.js'

/** Milliseconds after which one that has taken longer before goes on in the thread: with other values it may be a quick one. */
const secondStop = 25
/** Texts of statements that are known to take long. */
const mostKnown = 1000

/**
 * Reads of a database file. Quick ones run on the event loop, where each of them blocks all other requests. One that takes
 * too long is repeated in a thread, where it delays only other slow reads.
 */
export class Reader {
  readonly #connection: Connection
  readonly #statementTimeout: number
  readonly #slow = new Set<string>()
  readonly #scheduler = new FairScheduler()
  readonly #thread: ReaderThread

  constructor(connection: Connection, filename: string, limits: ReaderLimits) {
    this.#connection = connection
    this.#statementTimeout = limits.statementTimeout || Number.POSITIVE_INFINITY
    this.#thread = new ReaderThread(filename, limits)
  }

  /** Runs a statement when it is its turn. */
  readonly fairly: Session['all'] = (sql, values) => this.#scheduler.run(sql, () => this.all(sql, values))

  all(sql: string, values: readonly unknown[]): RawRow[] | Promise<RawRow[]> {
    const timeout = this.#statementTimeout
    const limit = Math.min(timeout, this.#slow.has(sql) ? secondStop : statements.longest)
    try {
      return this.#connection.all(sql, values, limit)
    } catch (error) {
      if (!isOutOfTime(error) || limit === timeout) throw error
      this.#remember(sql)
      return this.#thread.all(sql, values)
    }
  }

  #remember(sql: string): void {
    this.#slow.add(sql)
    const [oldest] = this.#slow
    if (this.#slow.size > mostKnown) this.#slow.delete(oldest as string)
  }

  /** Ends the statement that runs in the thread, and those that wait for it. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}
