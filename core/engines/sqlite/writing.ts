import type { Change } from '../../cache/changes.js'
import { anything } from '../../cache/footprint.js'
import { TransactionChanges, tablesOf } from '../../cache/transaction-changes.js'
import { UnavailableError } from '../../errors.js'
import { CommitSpacing, type RequestLoad, strainOfProcess } from '../../loop/commit-spacing.js'
import { commits, statements } from '../../loop/constants.js'
import type { SessionStatement } from '../batch.js'
import { backOff, type ChangeResult, type Engine, type RawRow, type Session } from '../engine.js'
import { classify } from './classify.js'
import type { Connection } from './connection.js'
import { Disk } from './disk.js'
import { rejectAll, runAll, WriteBatch } from './write-batch.js'

/** Milliseconds for which a write waits for another process before it is rejected. */
const maxWait = 5000
/** Changes that are told one by one. */
const mostTold = 1000

interface Connections {
  readonly writer: Connection
  /** Absent for a database in memory. */
  readonly filename: string | undefined
  readonly synchronous: 'full' | 'normal'
}

/** The writes to a database: one transaction at a time, on the one connection that writes. */
export class SqliteWriter {
  readonly #writer: Connection
  readonly #disk: Disk | undefined
  readonly #queue: WriteQueue
  #load: RequestLoad = { reads: 0, flushSlack: 0 }
  #isLogged: boolean
  /** The changes of the open transaction, and those that were committed since they were last read. */
  readonly #written = new TransactionChanges(mostTold)
  readonly committed: Change[] = []
  /** Statements of the open transaction. */
  #ran = 0
  /** Milliseconds that long reads of the current write have taken. */
  #reading = 0
  /**
   * Statements that the writes of the open transaction have left for its end, and the number of those before the current write.
   */
  #left: SessionStatement[] = []
  #leftBefore = 0
  readonly #run: (sql: string, values: readonly unknown[]) => ChangeResult
  readonly #batch: WriteBatch
  readonly #session: Session

  constructor({ writer, filename, synchronous }: Connections) {
    this.#writer = writer
    const noting =
      <T>(work: (sql: string, values: readonly unknown[]) => T): typeof work =>
      (sql, values) => {
        this.#ran += 1
        this.#written.note({ sql, values })
        return work(sql, values)
      }
    this.#run = noting((...asked) => writer.run(...asked))
    const all = noting((...asked) => this.#read(...asked))
    const run = this.#run
    const batch = new WriteBatch({ all, run })
    this.#batch = batch
    this.#session = {
      all(sql, values) {
        batch.before(sql)
        return all(sql, values)
      },
      run(sql, values) {
        batch.before(sql)
        return run(sql, values)
      },
      batch,
    }
    this.#isLogged = filename === undefined
    this.#disk = filename === undefined ? undefined : new Disk(filename, writer, synchronous)
    const spacing = new CommitSpacing({ requests: () => this.#load, strain: strainOfProcess() })
    this.#queue = new WriteQueue(this.#steps(), spacing)
  }

  #steps(): GroupSteps {
    const writer = this.#writer
    return {
      begin: this.#begin,
      commit: async () => {
        // A failure here fails every write of the group.
        runAll(this.#left, { run: this.#run })
        writer.run('commit', [])
        this.#commit()
        await this.#disk?.flush()
      },
      rollback: () => writer.exec('rollback'),
      save: () => {
        this.#leftBefore = this.#left.length
        writer.exec('savepoint w')
      },
      release: () => writer.exec('release w'),
      undo: () => {
        if (this.#left.length > this.#leftBefore)
          rejectAll(this.#left.splice(this.#leftBefore), new Error('the statement was undone'))
        writer.run('rollback to w', [])
      },
      isFull: () => this.#ran >= commits.fullGroup,
      rest: () => this.#disk?.rest(),
    }
  }

  readonly #begin = async (): Promise<void> => {
    this.#left = []
    this.#ran = 0
    this.#disk?.prepare()
    await patiently(() => {
      // The mode is written into the file, so a file that is only read keeps its own. Other servers read either.
      if (!this.#isLogged) this.#writer.exec('pragma journal_mode = wal')
      this.#isLogged = true
      this.#writer.run('begin immediate', [])
    })
  }

  /** Other writers wait for it, so one write may not read for long, in however many statements. */
  #read(sql: string, values: readonly unknown[]): RawRow[] {
    const { timeout } = this.#writer
    const left = Math.max(statements.longestOfWrite - this.#reading, statements.long)
    const rows = this.#writer.all(sql, values, timeout === Number.POSITIVE_INFINITY ? timeout : Math.min(timeout, left))
    this.#reading += this.#writer.took
    return rows
  }

  readonly transaction: Engine['transaction'] = work =>
    this.#queue.add(async () => {
      this.#reading = 0
      this.#batch.restart()
      const value = await work(this.#session)
      this.#left.push(...this.#batch.take())
      return value
    })

  /** Does work that no write comes between: all others wait for its end. */
  still<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.alone(work)
  }

  /** A single statement outside a transaction. */
  readonly run: Session['run'] = (sql, values) => this.#queue.add(async () => this.#run(sql, values))

  readonly altering: Engine['altering'] = work =>
    this.#queue.alone(async () => {
      await this.#begin()
      try {
        const done = await work(this.#writer)
        this.#writer.exec('commit')
        this.changedLayout()
        await this.#disk?.flush()
        return done
      } catch (error) {
        if (this.#writer.db.isTransaction) this.#writer.exec('rollback')
        throw error
      }
    })

  changedLayout(): void {
    this.committed.push({ table: anything })
  }

  #commit(): void {
    this.committed.push(...this.#written.take())
    if (this.committed.length > mostTold) this.committed.push(...tablesOf(this.committed.splice(0)))
  }

  readonly setLoad = (load: RequestLoad): void => {
    this.#load = load
  }

  /** Resolves when no transaction of writes is open. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  /** Moves the whole log into the file, so that a copy of the file is complete. */
  emptyLog(): void {
    if (this.#disk && this.#isLogged) this.#writer.exec('pragma wal_checkpoint(truncate)')
  }

  async close(): Promise<void> {
    await this.#queue.drained()
    await this.#disk?.close()
  }
}

async function patiently(begin: () => void): Promise<void> {
  const deadline = performance.now() + maxWait
  for (let attempt = 0; ; attempt += 1) {
    try {
      return begin()
    } catch (error) {
      if (classify(error)?.kind !== 'retry') throw error
      if (performance.now() > deadline) throw new UnavailableError('The database is busy, try again')
      await backOff(attempt)
    }
  }
}

/** The steps around a group of writes on one connection. */
export interface GroupSteps {
  begin(): Promise<void>
  /** Resolves when all of it will last. */
  commit(): Promise<void>
  rollback(): void
  save(): void
  release(): void
  undo(): void
  /** The writes of the group so far have had so many statements that it takes no further one. */
  isFull(): boolean
  /** Work between two groups, if there is any. */
  rest(): Promise<unknown> | undefined
}

interface Job {
  readonly work: () => Promise<unknown>
  resolve(value: unknown): void
  readonly reject: (reason: unknown) => void
}

/**
 * One writer at a time, and one disk flush for all writes that are waiting: each runs in a savepoint of its own inside a
 * shared transaction, so each is undone alone, and none is answered before the commit.
 */
export class WriteQueue {
  readonly #steps: GroupSteps
  readonly #spacing: CommitSpacing
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  /** The group whose transaction is open. */
  #open: Promise<void> | undefined
  /** The end of the last work that asked for the connection. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(steps: GroupSteps, spacing: CommitSpacing) {
    this.#steps = steps
    this.#spacing = spacing
  }

  add<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#spacing.joined(this.#waiting.length)
      this.#running ??= this.#drain()
    })
  }

  /** Runs work that needs the connection for itself: between two groups, and after all that asked for that before. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  /** Resolves when no group has a transaction open. */
  async idle(): Promise<void> {
    while (this.#open) await this.#open
  }

  /** Resolves when there is nothing left to do. */
  async drained(): Promise<void> {
    while (this.#running) await this.#running
    await this.#turn
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#spacing.gathered(() => this.#waiting.length)
      await this.alone(() => this.#begun())
      const rest = this.#steps.rest()
      if (rest) await rest
    }
    this.#running = undefined
  }

  async #begun(): Promise<void> {
    this.#open = this.#group()
    await this.#open
    this.#open = undefined
  }

  async #group(): Promise<void> {
    const settle: (() => void)[] = []
    const taken: Job[] = []
    try {
      await this.#steps.begin()
      while (this.#waiting.length > 0 && taken.length < commits.largestGroup && !this.#steps.isFull()) {
        const job = this.#waiting.shift() as Job
        taken.push(job)
        settle.push(await this.#one(job))
      }
      this.#spacing.committing()
      await this.#steps.commit()
    } catch (reason) {
      this.#abandon()
      for (const lost of taken.length > 0 ? taken : this.#waiting.splice(0)) lost.reject(reason)
      return
    }
    for (const answer of settle) answer()
  }

  async #one(job: Job): Promise<() => void> {
    this.#steps.save()
    try {
      const value = await job.work()
      this.#steps.release()
      return () => job.resolve(value)
    } catch (reason) {
      try {
        this.#steps.undo()
        this.#steps.release()
      } catch (cause) {
        // The database gave up the whole transaction: no write of the group can stand.
        throw Object.assign(new UnavailableError(), { cause: reason ?? cause })
      }
      return () => job.reject(reason)
    }
  }

  #abandon(): void {
    try {
      this.#steps.rollback()
    } catch {
      // Nothing was open any more.
    }
  }
}
