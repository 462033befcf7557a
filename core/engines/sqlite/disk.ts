import { UnavailableError } from '../../errors.js'
import type { Connection } from './connection.js'
import { Thread } from './thread.js'

/** The log is to be on the disk, or its pages are to be moved into the file. */
type Task = 'flush' | 'checkpoint'

/** Answers whether it could be done. */
const tasks = `({ filename }, Database) => {
  const { fdatasyncSync, openSync } = require('node:fs')
  const log = openSync(filename + '-wal', 'r')
  const db = new Database(filename, { timeout: 20 })
  const does = {
    flush: () => fdatasyncSync(log),
    checkpoint: () => db.exec('pragma wal_checkpoint(passive)'),
  }
  const answer = task => {
    try {
      does[task]()
      return true
    } catch {
      return false
    }
  }
  return { answer, close: () => db.close() }
}`
const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

/** Commits after which a process is one that writes much, and gets a thread for it. */
const many = 16
/** Commits between two checkpoints: some megabytes of the log at most, where entries are of the usual size. */
const interval = 64
/** Pages in the log at which a commit makes a checkpoint: 1,000 is SQLite's own default. */
const pages = { own: 1000, threaded: 4000 }

/**
 * The waits of SQLite for its disk. Inside SQLite they would stop every request for as long as the disk takes. So where
 * much is written a thread does them: a commit then only writes to the log, and counts when the thread has flushed that.
 * Only writes wait for it, and nothing is answered before it is flushed.
 */
export class Disk {
  readonly #filename: string
  readonly #writer: Connection
  /** True if commits are to survive a power cut, false if they may be flushed later. */
  readonly #isStrict: boolean
  #commits = 0
  /** Commits since the last checkpoint. */
  #logged = 0
  #thread: Thread<Task, boolean> | undefined
  /** True if SQLite leaves the waits to the thread. */
  #isThreaded = false
  /** A flush has failed: pages that the system calls written since then may not be. */
  #isDoubtful = false

  constructor(filename: string, writer: Connection, synchronous: 'full' | 'normal') {
    this.#filename = filename
    this.#writer = writer
    this.#isStrict = synchronous === 'full'
  }

  /** Before a transaction: inside of one SQLite cannot be told how to flush. */
  prepare(): void {
    const isReady = this.#thread?.isReady === true
    if (this.#isThreaded !== isReady) this.#change(isReady)
    if (!this.#isDoubtful) return
    const [[isBusy] = []] = this.#writer.all('pragma wal_checkpoint(truncate)', [])
    if (isBusy !== 0) throw new UnavailableError()
    this.#isDoubtful = false
  }

  /** After a commit, before any client has its response. */
  async flush(): Promise<void> {
    this.#commits += 1
    this.#logged += 1
    if (!this.#isThreaded || !this.#isStrict || (await this.#thread?.ask('flush'))) return
    this.#isDoubtful = true
    // SQLite waits by itself until there is a reason for another thread.
    this.#commits = 0
    void this.#thread?.end()
    throw new UnavailableError()
  }

  /** After the responses that waited for a commit: the next one waits for this. */
  rest(): Promise<boolean | undefined> | undefined {
    if (this.#commits >= many && this.#thread?.isOver !== false) {
      this.#commits = 0
      this.#thread = new Thread({ code: tasks, data: { filename: this.#filename }, limits })
    }
    if (!this.#isThreaded || this.#logged < interval) return undefined
    this.#logged = 0
    return this.#thread?.ask('checkpoint')
  }

  async close(): Promise<void> {
    await this.#thread?.end()
  }

  #change(isThreaded: boolean): void {
    if (this.#isStrict) this.#writer.exec(`pragma synchronous = ${isThreaded ? 'normal' : 'full'}`)
    this.#writer.exec(`pragma wal_autocheckpoint = ${pages[isThreaded ? 'threaded' : 'own']}`)
    this.#isThreaded = isThreaded
  }
}
