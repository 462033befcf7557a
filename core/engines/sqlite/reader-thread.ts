import type { DatabaseConfig } from '../../config/types.js'
import { UnavailableError } from '../../errors.js'
import { noted } from '../driver-errors.js'
import { type RawRow, type Session, type Statement, tooMany } from '../engine.js'
import { inTime, onlyReading, sortKey } from './connection.js'
import { SortKeys } from './sort-keys.js'
import { Thread } from './thread.js'

export type ReaderLimits = Pick<DatabaseConfig, 'statementTimeout' | 'acquireTimeout'>

/** Statements that may wait for the thread. */
const mostWaiting = 16

/** A statement on the connection with this number, or the end of that. */
interface Question extends Partial<Statement> {
  readonly connection: number
}

type Answer = { readonly rows: RawRow[] } | { readonly error: string }
type ReadingThread = Thread<Question, Answer>

/** A transaction is lost with the thread in which it has begun: in another one it would show another state. */
interface Transaction {
  readonly connection: number
  thread?: ReadingThread
}

interface WaitingStatement extends Statement {
  /** Absent where it is to see what is stored when it begins. */
  readonly transaction: Transaction | undefined
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
  let deadline = Infinity
  const look = () => {
    if (Atomics.load(stop, 0) === 0 && performance.now() <= deadline) return 1
    throw new Error(inTime)
  }
  const connections = new Map()
  const open = number => {
    const db = new Database(filename, { timeout: 1000, readOnly: true })
    connections.set(number, db)
    db.exec('pragma temp_store = memory; pragma cache_size = -8192; pragma mmap_size = 268435456')
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
    if (number > 0) db.exec('begin')
    return db
  }
  const close = number => {
    const db = connections.get(number)
    if (db?.isTransaction) db.exec('rollback')
    db?.close()
    connections.delete(number)
    return []
  }
  const rowsOf = (db, sql, values) => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...values)
  }
  const answer = ({ connection, sql, values }) => {
    deadline = timeout > 0 ? performance.now() + timeout : Infinity
    try {
      if (sql === undefined) return { rows: close(connection) }
      return { rows: rowsOf(connections.get(connection) ?? open(connection), sql, values) }
    } catch (error) {
      return { error: String(error.message) }
    }
  }
  return { answer, close: () => [...connections.keys()].forEach(close) }
}`
const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

/**
 * A thread for reads of a database file that take long: one after the other, each for as long as a statement may take.
 * A snapshot has a connection of its own there, so others are read between its reads.
 */
export class ReaderThread {
  readonly #filename: string
  readonly #config: ReaderLimits
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  #thread: ReadingThread | undefined
  #waiting: WaitingStatement[] = []
  #isBusy = false
  #transactions = 0

  constructor(filename: string, config: ReaderLimits) {
    this.#filename = filename
    this.#config = config
  }

  async all(sql: string, values: readonly unknown[], transaction?: Transaction): Promise<RawRow[]> {
    if (this.#isClosed) throw new UnavailableError()
    const statement = { sql, values, transaction }
    // One that has not begun sees everything that was stored until now.
    const same = this.#waiting.find(other => isSame(other, statement))
    if (same) return same.rows
    this.#refuseOverdue()
    if (this.#waiting.length >= mostWaiting) throw new UnavailableError()
    const waiting = waitingFor(statement)
    this.#waiting.push(waiting)
    if (!this.#isBusy) void this.#work()
    return waiting.rows
  }

  /** Does reads that all show the state that the first of them has seen. */
  async snapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#transactions += 1
    const transaction: Transaction = { connection: this.#transactions }
    let isOver = false
    let last: Promise<unknown> = Promise.resolve()
    // They are asked one by one: however many there are, only one of them waits with those of others.
    const all: Session['all'] = (sql, values) => {
      const rows = last.then(() => {
        if (isOver) throw new Error('the snapshot is over')
        return this.all(sql, values, transaction)
      })
      last = rows.catch(() => undefined)
      return rows
    }
    try {
      return await work(onlyReading(all))
    } finally {
      isOver = true
      await last
      await transaction.thread?.ask({ connection: transaction.connection })
    }
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
      const { sql, values, transaction, resolve, reject } = next
      const thread = transaction?.thread ?? this.#open()
      if (transaction) transaction.thread = thread
      const answer = await thread.ask({ connection: transaction?.connection ?? 0, sql, values })
      if (!answer) reject(new UnavailableError())
      else if ('rows' in answer) resolve(answer.rows)
      else reject(noted(new Error(answer.error)))
      this.#refuseOverdue()
    }
    this.#isBusy = false
  }

  #open(): ReadingThread {
    if (this.#thread && !this.#thread.isOver) return this.#thread
    const { statementTimeout: timeout } = this.#config
    const data = { filename: this.#filename, timeout, stop: this.#stop, inTime, tooMany, sortKey }
    this.#thread = new Thread({ code: reads, data, limits })
    return this.#thread
  }

  get #isClosed(): boolean {
    return Atomics.load(this.#stop, 0) === 1
  }

  /** Ends the statement that runs in it, and those that wait. */
  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new UnavailableError())
    Atomics.store(this.#stop, 0, 1)
    await this.#thread?.end()
  }
}

function waitingFor(statement: Asked): WaitingStatement {
  let resolve!: WaitingStatement['resolve']
  let reject!: WaitingStatement['reject']
  const rows = new Promise<RawRow[]>((...both) => {
    ;[resolve, reject] = both
  })
  return { ...statement, since: performance.now(), rows, resolve, reject }
}

type Asked = Pick<WaitingStatement, 'sql' | 'values' | 'transaction'>

const isSame = (one: Asked, other: Asked): boolean =>
  one.sql === other.sql &&
  one.transaction === other.transaction &&
  one.values.length === other.values.length &&
  one.values.every((value, index) => Object.is(value, other.values[index]))
