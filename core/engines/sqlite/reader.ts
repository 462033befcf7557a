import { statements } from '../../loop/constants.js'
import { FairScheduler } from '../../loop/fair-scheduler.js'
import type { RawRow, Session, Statement } from '../engine.js'
import { type Connection, isOutOfTime, onlyReading } from './connection.js'
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
  readonly #open: () => Connection
  readonly #connection: Connection
  readonly #statementTimeout: number
  readonly #slow = new Set<string>()
  readonly #scheduler = new FairScheduler()
  readonly #thread: ReaderThread

  constructor(open: () => Connection, filename: string, limits: ReaderLimits) {
    this.#open = open
    this.#connection = open()
    this.#statementTimeout = limits.statementTimeout || Number.POSITIVE_INFINITY
    this.#thread = new ReaderThread(filename, limits)
  }

  /** Runs a statement when it is its turn. */
  readonly fairly: Session['all'] = (sql, values) => this.#scheduler.run(sql, () => this.all(sql, values))

  all(sql: string, values: readonly unknown[]): RawRow[] | Promise<RawRow[]> {
    return this.#briefly(this.#connection, { sql, values }, () => this.#thread.all(sql, values))
  }

  /**
   * Does reads in a transaction. SQLite cannot hand the state of one on to another connection: where one of them takes too
   * long for the event loop, all of them are done again in the thread, in a transaction there.
   */
  async snapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const own = this.#open()
    let tooLong: unknown
    const failed = (error: unknown): never => {
      tooLong = error
      throw error
    }
    const session = onlyReading((sql, values) =>
      tooLong === undefined ? this.#briefly(own, { sql, values }, failed) : failed(tooLong),
    )
    try {
      // It reads much of the file once: nothing of that is worth keeping in memory.
      own.exec('pragma mmap_size = 0; pragma cache_size = -4096; begin')
      const value = await work(session)
      if (tooLong === undefined) return value
    } catch (error) {
      if (tooLong === undefined) throw error
    } finally {
      own.close()
    }
    return this.#thread.snapshot(work)
  }

  /** Runs a statement on the event loop. `goOn` has its rows where it takes too long for that. */
  #briefly(
    connection: Connection,
    { sql, values }: Statement,
    goOn: (error: unknown) => Promise<RawRow[]>,
  ): RawRow[] | Promise<RawRow[]> {
    const timeout = this.#statementTimeout
    const limit = Math.min(timeout, this.#slow.has(sql) ? secondStop : statements.longest)
    try {
      return connection.all(sql, values, limit)
    } catch (error) {
      if (!isOutOfTime(error) || limit === timeout) throw error
      this.#remember(sql)
      return goOn(error)
    }
  }

  #remember(sql: string): void {
    this.#slow.add(sql)
    const [oldest] = this.#slow
    if (this.#slow.size > mostKnown) this.#slow.delete(oldest as string)
  }

  /** Ends the statement that runs in the thread, and those that wait for it. */
  async close(): Promise<void> {
    await this.#thread.close()
    this.#connection.close()
  }
}
