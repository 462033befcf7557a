import cluster, { type Worker } from 'node:cluster'
import type { Config } from '../../../config/types.js'
import { counted } from '../../../kit/counted.js'
import { createLog, type Log } from '../../../log.js'
import { exitCodes } from '../exit-codes.js'
import type { Io } from '../io.js'
import { logTo } from '../log-to.js'
import { Notes } from './boards.js'
import type { ConfigReader, ServingMessage } from './serve.js'

interface Order extends ConfigReader {
  readonly config: Config
  readonly count: number
  readonly port: number | undefined
}

/** The supervisor, which starts the workers one after the other, and restarts them until all are told to stop. */
export function supervise({ config, count, port, read }: Order, io: Io): void {
  const args = ['start', '--app', config.appDir, ...(port === undefined ? [] : ['--port', String(port)])]
  cluster.setupPrimary({ args })
  const log = createLog(config.log.level, logTo(io, config.log.format))
  const crew = new Crew(count, config.server.shutdownDeadline, log, io.exit)
  io.signals.on('SIGTERM', signal => crew.stop(signal))
  io.signals.on('SIGINT', signal => crew.stop(signal))
  if (!io.stdout.isTTY) io.signals.on('SIGHUP', () => void reload(crew, read, log))
  crew.next(1)
}

/** The supervisor has a log; everything else is that of the workers. */
async function reload(crew: Crew, read: ConfigReader['read'], log: Log): Promise<void> {
  try {
    log.level = (await read()).log.level
    crew.reload()
  } catch (error) {
    log.error({}, `the settings stay as they were: ${(error as Error).message}`)
  }
}

const endOf = (code: number | null, signal: string | null): string =>
  signal === null ? `with code ${code}` : `by ${signal}`

/** Milliseconds beyond the deadline before a worker that does not end is killed. */
const leeway = 2000
/** Milliseconds after which a worker counts as well. */
const settled = 10_000
const longestPause = 10_000
/** Kills of the first worker before it is ready after which no further start is tried. */
const mostFalls = 5

class Crew {
  readonly #count: number
  readonly #deadline: number
  readonly #log: Log
  readonly #exit: Io['exit']
  readonly #running = new Set<Worker>()
  readonly #listening = new Set<Worker>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  /** Consecutive early ends of each worker. */
  readonly #falls = new Map<number, number>()
  readonly #notes = new Notes()
  #stopping = false
  #failed = false

  constructor(count: number, deadline: number, log: Log, exit: Io['exit']) {
    this.#count = count
    this.#deadline = deadline
    this.#log = log
    this.#exit = exit
  }

  /** Starts one, and the one after it when it answers: the first brings the database up to date for all. */
  next(number: number): void {
    if (number > this.#count || this.#stopping) return
    this.#start(number, () => this.next(number + 1))
  }

  #start(number: number, then?: () => void): void {
    const begun = performance.now()
    const worker = cluster.fork({
      STELE_WORKER: String(number),
      STELE_WORKERS: String(this.#count),
      // The port stays closed for a worker that starts while others serve, so no request reaches it.
      STELE_OPENS: number === 1 && then ? '1' : '',
    })
    let isListening = false
    this.#running.add(worker)
    this.#notes.serve(worker, number)
    worker.on('message', (message: Partial<ServingMessage>) => {
      if (!message.serves || isListening) return
      isListening = true
      this.#listening.add(worker)
      then?.()
    })
    worker.once('exit', (code, signal) => {
      this.#running.delete(worker)
      this.#listening.delete(worker)
      if (this.#stopping) {
        this.#ended(code === 0 || signal === 'SIGTERM')
        return
      }
      if (number === 1 && then && !isListening) this.#mayTryAgain(code, signal)
      if (isListening && performance.now() - begun > settled) this.#falls.delete(number)
      const falls = this.#falls.get(number) ?? 0
      this.#falls.set(number, falls + 1)
      const pause = Math.min(100 * 2 ** falls, longestPause)
      const when = isListening ? '' : ' before it was ready'
      const again = `is started again in ${pause} ms`
      this.#log.error(
        { worker: number, code, signal },
        `worker ${number} ended ${endOf(code, signal)}${when} and ${again}`,
      )
      this.#later(pause, () => this.#start(number, isListening ? undefined : then))
    })
  }

  /**
   * Ends the supervisor if the first worker ends with an error, which would end all others too. A kill may be due to a
   * passing lack of memory, so that is tried again.
   */
  #mayTryAgain(code: number | null, signal: string | null): void {
    const falls = (this.#falls.get(1) ?? 0) + 1
    if (signal !== null && falls < mostFalls) return
    const reason = signal === null ? 'its own output says why' : `${falls} times in a row`
    this.#log.fatal(
      { worker: 1, code, signal },
      `worker 1 ended ${endOf(code, signal)} before it was ready (${reason}): no worker is started`,
    )
    this.#kill(code ?? exitCodes.failed.code)
  }

  /** Workers that do not listen yet read the files as they are now. */
  reload(): void {
    for (const worker of this.#listening) worker.process.kill('SIGHUP')
  }

  /** Lets all workers finish their requests; a second signal does not wait. */
  stop(signal: NodeJS.Signals): void {
    if (this.#stopping) this.#kill()
    this.#stopping = true
    this.#log.info({ signal }, `stopping ${counted(this.#running.size, 'worker')}`)
    for (const pause of this.#pauses) clearTimeout(pause)
    for (const worker of this.#running) worker.process.kill('SIGTERM')
    setTimeout(() => this.#kill(), this.#deadline + leeway).unref()
    if (this.#running.size === 0) this.#ended(true)
  }

  /** A worker that is told to stop before it listens has nothing to put in order, and ends by the signal. */
  #ended(inOrder: boolean): void {
    if (!inOrder) this.#failed = true
    if (this.#running.size > 0) return
    this.#log.info('all workers have stopped')
    this.#exit(this.#failed ? 1 : 0)
  }

  #kill(code = exitCodes.failed.code): void {
    for (const worker of this.#running) worker.process.kill('SIGKILL')
    this.#exit(code)
  }

  #later(pause: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#pauses.delete(timer)
      work()
    }, pause)
    this.#pauses.add(timer)
  }
}
