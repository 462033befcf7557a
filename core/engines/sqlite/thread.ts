import { once } from 'node:events'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { sqliteDriver } from './driver.js'

export interface ThreadParts {
  /**
   * The code that runs in it: an expression for a function of its data and of SQLite's constructor of connections. That gives a
   * function that answers a task, and `close`, for the end.
   */
  readonly code: string
  readonly data: Readonly<Record<string, unknown>>
  readonly limits: ResourceLimits
}

const frame = (code: string) => `
const { parentPort, workerData } = require('node:worker_threads')
// The server has loaded it before, so there is nothing new to warn of.
process.emitWarning = () => undefined
const { DatabaseSync } = require(workerData.driver)
const { answer, close } = (${code})(workerData.data, DatabaseSync)
parentPort.on('message', task => {
  if (task !== 'end') return parentPort.postMessage(answer(task))
  close()
  parentPort.close()
})
parentPort.postMessage('ready')`

/**
 * A thread that works on a database file, one task after the other. It is never stopped, but ends by itself: a thread that
 * is stopped while it opens a file takes the whole process with it.
 */
export class Thread<Task, Answer> {
  readonly #worker: Worker
  #isOver = false
  /** Callers that wait for a reply, in the order in which they asked. */
  #waiting: ((answer: Answer | undefined) => void)[] = []
  isReady = false

  constructor({ code, data, limits }: ThreadParts) {
    const worker = new Worker(frame(code), {
      eval: true,
      execArgv: [],
      workerData: { driver: sqliteDriver(), data },
      resourceLimits: limits,
    })
    worker.once('message', () => {
      this.isReady = !this.#isOver
      worker.on('message', answer => this.#answered(answer))
      this.#rest()
    })
    // Its end comes right after that, for any reason.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      this.#isOver = true
      this.isReady = false
      for (const answer of this.#waiting.splice(0)) answer(undefined)
    })
    this.#worker = worker
  }

  /** It has ended, or will do so next. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Its reply; none where the thread has ended. */
  async ask(task: Task): Promise<Answer | undefined> {
    if (this.#isOver) return undefined
    // A process with nothing else to do would end while it waits.
    this.#worker.ref()
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#worker.postMessage(task)
    })
  }

  #answered(answer: Answer): void {
    this.#waiting.shift()?.(answer)
    this.#rest()
  }

  /** Lets the process end if no caller waits for the thread. */
  #rest(): void {
    if (this.#waiting.length === 0 && !this.#isOver) this.#worker.unref()
  }

  async end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.isReady = false
    this.#worker.ref()
    this.#worker.postMessage('end')
    await once(this.#worker, 'exit')
  }
}
