import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { statements } from '../../loop/constants.js'
import { ofDriver } from '../driver-errors.js'
import type { ChangeResult, RawRow, Session } from '../engine.js'
import { NamingValues } from '../named.js'
import { sortKeysOf } from './sort-keys.js'

/** The condition that holds while a statement has not run too long: calls from SQLite are the only stops on its way. */
export const inTime = 'in_time'
/** Makes the key of a text in the order of a language. */
export const sortKey = 'sort_key'
export const isOutOfTime = (error: unknown): boolean => error instanceof Error && error.message.includes(inTime)
const maxStatements = 1000
/** By how much more than its work a statement may take: on a slow disk it works little, and other requests wait all the same. */
const mostDelay = 4
/**
 * The share of its time by which the noted working time of the process may be older than a statement: looking at it takes longer
 * than most of them.
 */
const counted = 0.1

/** Milliseconds of processor time, those of threads beside included. */
function worked(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The session of a snapshot. */
export const onlyReading = (all: Session['all']): Session => ({
  all,
  run: () => {
    throw new Error('a snapshot only reads')
  },
})

/** A connection and its prepared statements. */
export class Connection implements Session {
  readonly db: DatabaseSyncInstance
  readonly #statements = new Map<string, StatementSyncInstance>()
  /** Milliseconds that a statement may take. */
  readonly timeout: number
  /** The time of the statement that runs. */
  #limit = 0
  #deadline = Number.POSITIVE_INFINITY
  #begun = 0
  /** The working time of the process when the statement that runs began, or a moment before. */
  #worked = { at: Number.NEGATIVE_INFINITY, time: 0 }

  /** `timeout` is in milliseconds; 0 is none. */
  constructor(db: DatabaseSyncInstance, timeout: number) {
    this.db = db
    this.timeout = timeout || Number.POSITIVE_INFINITY
    db.function(inTime, () => {
      this.#look()
      return 1
    })
    db.function('fold', { deterministic: true }, (text: unknown) => {
      // Long texts are folded at every row, also where others only look at the clock now and then.
      this.#look()
      return typeof text === 'string' ? text.toLowerCase() : text
    })
    db.function(sortKey, { deterministic: true }, (tag: unknown, text: unknown) => {
      this.#look()
      return typeof text === 'string' ? sortKeysOf(String(tag)).of(text) : text
    })
  }

  #look(): void {
    const now = performance.now()
    if (now <= this.#deadline) return
    // A machine that was busy with something else does not make a statement a heavy one.
    const left = this.#limit - (worked() - this.#worked.time)
    if (left <= 0 || now > this.#begun + this.#limit * mostDelay) throw new Error(inTime)
    this.#deadline = now + left
  }

  /** The rows of a statement that may take so many milliseconds. */
  all(sql: string, values: readonly unknown[], limit = this.timeout): RawRow[] {
    this.#begun = performance.now()
    if (this.#begun - this.#worked.at > counted * limit) this.#worked = { at: this.#begun, time: worked() }
    this.#limit = limit
    this.#deadline = this.#begun + limit
    return ofDriver(() => {
      const statement = this.#prepare(sql)
      if (values instanceof NamingValues)
        values.columns = statement.columns().map(({ name, type }) => ({ name, type: type ?? null }))
      return statement.all(...values)
    })
  }

  /** Milliseconds that the last read has taken, if it was a long one: it may only have waited for the processor. */
  get took(): number {
    const time = performance.now() - this.#begun
    return time < statements.long ? 0 : Math.min(time, worked() - this.#worked.time)
  }

  run(sql: string, values: readonly unknown[]): ChangeResult {
    this.#deadline = Number.POSITIVE_INFINITY
    const { changes, lastInsertRowid } = ofDriver(() => this.#prepare(sql).run(...values))
    return { changes: Number(changes), id: Number(lastInsertRowid) }
  }

  /** Runs statements without values, which is quicker than one that is prepared. */
  exec(sql: string): void {
    ofDriver(() => this.db.exec(sql))
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.db.prepare(sql)
      statement.setReturnArrays(true)
      if (this.#statements.size >= maxStatements) {
        const [oldest] = this.#statements.keys()
        this.#statements.delete(oldest as string)
      }
      this.#statements.set(sql, statement)
    }
    return statement
  }

  close(): void {
    this.#statements.clear()
    // The driver keeps a transaction until its statements are collected, and the log cannot be emptied meanwhile.
    if (this.db.isTransaction) this.db.exec('rollback')
    this.db.close()
  }
}
