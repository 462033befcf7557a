import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { driver } from './sqlite-connection.js'

/** The log is to be on the disk, what it holds is to be moved into the file, or it is over. */
type Task = 'flush' | 'checkpoint' | 'end'

const tasks = `
const { fdatasyncSync, openSync } = require('node:fs')
const { parentPort, workerData: { driver, filename } } = require('node:worker_threads')
const { DatabaseSync } = require(driver)
const log = openSync(filename + '-wal', 'r')
const db = new DatabaseSync(filename, { timeout: 20 })
const does = {
  flush: () => fdatasyncSync(log),
  checkpoint: () => db.exec('pragma wal_checkpoint(passive)'),
  end: () => { db.close(); parentPort.close() },
}
parentPort.on('message', task => {
  let isDone = true
  try {
    does[task]()
  } catch {
    isDone = false
  }
  parentPort.postMessage(isDone)
})
parentPort.postMessage(true)`

/**
 * A thread that waits for the disk under a database file, one task after the other. It is never stopped, but ends by
 * itself: a thread that is stopped while it opens a file takes the whole process with it.
 */
export class Thread {
  readonly #worker: Worker
  #isOver = false
  /** Who waits for an answer, in the order in which they asked. */
  #waiting: ((isDone: boolean) => void)[] = []
  isReady = false

  constructor(filename: string) {
    const worker = new Worker(tasks, {
      eval: true,
      execArgv: [],
      workerData: { driver, filename },
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    })
    worker.once('message', () => {
      this.isReady = !this.#isOver
      worker.on('message', isDone => this.#waiting.shift()?.(isDone))
      if (this.isReady) worker.unref()
    })
    // Its end, whatever the reason is, comes right after that.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      this.#isOver = true
      this.isReady = false
      for (const answer of this.#waiting.splice(0)) answer(false)
    })
    this.#worker = worker
  }

  /** It has ended, or will do so next. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether it could be done. */
  async ask(task: Exclude<Task, 'end'>): Promise<boolean> {
    if (!this.isReady) return false
    // A process with nothing else to do would end while it waits.
    this.#worker.ref()
    const isDone = await new Promise<boolean>(resolve => {
      this.#waiting.push(resolve)
      this.#worker.postMessage(task satisfies Task)
    })
    if (this.#waiting.length === 0) this.#worker.unref()
    return isDone
  }

  async end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.isReady = false
    this.#worker.ref()
    this.#worker.postMessage('end' satisfies Task)
    await once(this.#worker, 'exit')
  }
}
