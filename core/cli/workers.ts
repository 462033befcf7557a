import cluster, { type Worker } from 'node:cluster'
import type { Config } from '../config/types.js'
import { counted } from '../counted.js'
import { createLog, type Log } from '../log.js'

/** Starts processes that serve an app together, one after the other, and sees to it that they run until all are told to stop. */
export function supervise(config: Config, count: number, port?: number): void {
  const args = ['start', '--app', config.appDir, ...(port === undefined ? [] : ['--port', String(port)])]
  cluster.setupPrimary({ args })
  const log = createLog(config.log.level)
  const crew = new Crew(count, config.server.shutdownDeadline, log)
  process.on('SIGTERM', signal => crew.stop(signal))
  process.on('SIGINT', signal => crew.stop(signal))
  crew.next(1)
}

/** What comes on top of the deadline before a worker that does not end is killed. */
const leeway = 2000
/** Milliseconds after which a worker counts as well. */
const settled = 10_000
const longestPause = 10_000

class Crew {
  readonly #count: number
  readonly #deadline: number
  readonly #log: Log
  readonly #running = new Set<Worker>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  /** How often in a row each has ended soon after its start. */
  readonly #falls = new Map<number, number>()
  #stopping = false
  #failed = false

  constructor(count: number, deadline: number, log: Log) {
    this.#count = count
    this.#deadline = deadline
    this.#log = log
  }

  /** Starts one, and the one after it when it answers: the first brings the database up to date for all. */
  next(number: number): void {
    if (number > this.#count || this.#stopping) return
    this.#start(number, () => this.next(number + 1))
  }

  #start(number: number, then?: () => void): void {
    const begun = performance.now()
    const worker = cluster.fork({ STELE_WORKER: String(number), STELE_WORKERS: String(this.#count) })
    let isListening = false
    this.#running.add(worker)
    worker.once('listening', () => {
      isListening = true
      then?.()
    })
    worker.once('exit', (code, signal) => {
      this.#running.delete(worker)
      if (this.#stopping) {
        this.#ended(code === 0 || signal === 'SIGTERM')
        return
      }
      // What keeps the first from starting, it has said, and would keep all the others too.
      if (number === 1 && then && !isListening) this.#kill()
      if (performance.now() - begun > settled) this.#falls.delete(number)
      const falls = this.#falls.get(number) ?? 0
      this.#falls.set(number, falls + 1)
      const pause = Math.min(100 * 2 ** falls, longestPause)
      this.#log.error({ worker: number, code, signal }, `worker ${number} ended and is started again in ${pause} ms`)
      this.#later(pause, () => this.#start(number, isListening ? undefined : then))
    })
  }

  /** Lets all finish what they run; whoever asks twice does not want to wait. */
  stop(signal: NodeJS.Signals): void {
    if (this.#stopping) this.#kill()
    this.#stopping = true
    this.#log.info({ signal }, `stopping ${counted(this.#running.size, 'worker')}`)
    for (const pause of this.#pauses) clearTimeout(pause)
    for (const worker of this.#running) worker.process.kill('SIGTERM')
    setTimeout(() => this.#kill(), this.#deadline + leeway).unref()
    if (this.#running.size === 0) this.#ended(true)
  }

  /** One that is told to stop before it listens has nothing to put in order, and ends by the signal. */
  #ended(inOrder: boolean): void {
    if (!inOrder) this.#failed = true
    if (this.#running.size > 0) return
    this.#log.info('all workers have stopped')
    process.exit(this.#failed ? 1 : 0)
  }

  #kill(): never {
    for (const worker of this.#running) worker.process.kill('SIGKILL')
    process.exit(1)
  }

  #later(pause: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#pauses.delete(timer)
      work()
    }, pause)
    this.#pauses.add(timer)
  }
}
