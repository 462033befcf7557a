import type { DatabaseConfig } from '../../config/types.js'
import { UnavailableError } from '../../errors.js'
import { noted } from '../driver-errors.js'
import type { RawRow } from '../engine.js'
import { tooMany } from '../engine.js'
import { inTime, sortKey } from './connection.js'
import { SortKeys } from './sort-keys.js'
import { Thread } from './thread.js'

export type ReaderLimits = Pick<DatabaseConfig, 'statementTimeout' | 'acquireTimeout'>

/** Statements that may wait for the thread. */
const mostWaiting = 16

interface Question {
  readonly sql: string
  readonly values: readonly unknown[]
}

type Answer = { readonly rows: RawRow[] } | { readonly error: string }

interface WaitingQuestion extends Question {
  readonly since: number
  readonly rows: Promise<RawRow[]>
  resolve(rows: RawRow[]): void
  reject(error: Error): void
}

/** Answers a question with its rows or with the text of the error. */
const reads = `({ filename, timeout, stop, inTime, tooMany, sortKey }, Database) => {
  const SortKeys = ${SortKeys}
  const languages = new Map()
  const keysOf = tag => languages.get(tag) ?? languages.set(tag, new SortKeys(tag)).get(tag)
  const db = new Database(filename, { timeout: 1000, readOnly: true })
  db.exec('pragma temp_store = memory; pragma cache_size = -8192; pragma mmap_size = 268435456')
  let deadline = Infinity
  const look = () => {
    if (Atomics.load(stop, 0) === 0 && performance.now() <= deadline) return 1
    throw new Error(inTime)
  }
  db.function(inTime, look)
  db.function('fold', { deterministic: true }, text => {
    look()
    return typeof text === 'string' ? text.toLowerCase() : text
  })
  db.function(sortKey, { deterministic: true }, (tag, text) => {
    look()
    return typeof text === 'string' ? keysOf(tag).of(text) : text
  })
  db.function(tooMany, () => {
    throw new Error(tooMany)
  })
  db.function('digits', { deterministic: true }, number => (number === null ? null : String(number)))
  const answer = ({ sql, values }) => {
    deadline = timeout > 0 ? performance.now() + timeout : Infinity
    try {
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return { rows: statement.all(...values) }
    } catch (error) {
      return { error: String(error.message) }
    }
  }
  return { answer, close: () => db.close() }
}`
const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

/** A thread for reads of a database file that take long: one after the other, each for as long as a statement may take. */
export class ReaderThread {
  readonly #filename: string
  readonly #config: ReaderLimits
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  #thread: Thread<Question, Answer> | undefined
  #waiting: WaitingQuestion[] = []
  #isBusy = false

  constructor(filename: string, config: ReaderLimits) {
    this.#filename = filename
    this.#config = config
  }

  async all(sql: string, values: readonly unknown[]): Promise<RawRow[]> {
    const question = { sql, values }
    // One that has not begun sees everything that was stored until now.
    const same = this.#waiting.find(other => isSame(other, question))
    if (same) return same.rows
    this.#refuseOverdue()
    if (this.#waiting.length >= mostWaiting) throw new UnavailableError()
    const waiting = waitingFor(question)
    this.#waiting.push(waiting)
    if (!this.#isBusy) void this.#work()
    return waiting.rows
  }

  /** Statements wait for the thread as others do for a connection. */
  #refuseOverdue(): void {
    const oldest = performance.now() - this.#config.acquireTimeout
    for (let [first] = this.#waiting; first && first.since < oldest; [first] = this.#waiting) {
      this.#waiting.shift()
      first.reject(new UnavailableError())
    }
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { sql, values, resolve, reject } = next
      const answer = await this.#open().ask({ sql, values })
      if (!answer) reject(new UnavailableError())
      else if ('rows' in answer) resolve(answer.rows)
      else reject(noted(new Error(answer.error)))
      this.#refuseOverdue()
    }
    this.#isBusy = false
  }

  #open(): Thread<Question, Answer> {
    if (this.#thread && !this.#thread.isOver) return this.#thread
    const { statementTimeout: timeout } = this.#config
    const data = { filename: this.#filename, timeout, stop: this.#stop, inTime, tooMany, sortKey }
    this.#thread = new Thread({ code: reads, data, limits })
    return this.#thread
  }

  /** Ends the statement that runs in it, and those that wait. */
  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new UnavailableError())
    Atomics.store(this.#stop, 0, 1)
    await this.#thread?.end()
  }
}

function waitingFor(question: Question): WaitingQuestion {
  let resolve!: WaitingQuestion['resolve']
  let reject!: WaitingQuestion['reject']
  const rows = new Promise<RawRow[]>((...both) => {
    ;[resolve, reject] = both
  })
  return { ...question, since: performance.now(), rows, resolve, reject }
}

const isSame = (one: Question, other: Question): boolean =>
  one.sql === other.sql &&
  one.values.length === other.values.length &&
  one.values.every((value, index) => Object.is(value, other.values[index]))
