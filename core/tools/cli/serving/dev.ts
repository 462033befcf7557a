import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { SchemaTask } from '../../../boot/start.js'
import { BootError } from '../../../errors.js'
import { counted } from '../../../kit/counted.js'
import { readableLine } from '../../../kit/readable-log.js'
import type { AppOptions } from '../app.js'
import { AppWatcher } from '../app-watcher.js'
import type { Io } from '../io.js'
import type { WriteMessage, WriteReply } from './development.js'
import { type CodeOption, leaveCode } from './no-code-option.js'
import { openPage } from './open-page.js'
import { SchemaWriter } from './schema-writer.js'
import type { ServingMessage } from './serve.js'

export interface DevOptions extends AppOptions, CodeOption {
  readonly open: boolean
}

/** Milliseconds for a server to finish its requests before the next one takes its place. */
const longestStop = 2000
/** Characters of what a server that does not start says at the end. */
const mostSaid = 2000

/** Serves an app in a process of its own, and again whenever a file of it changes, until the process is told to stop. */
export function dev({ app, port, open, code }: DevOptions, io: Io): Promise<void> {
  const folder = path.resolve(io.cwd, app)
  if (io.env.NODE_ENV === 'production')
    throw new BootError('stele dev is for development and NODE_ENV is production; use stele start, or unset NODE_ENV', {
      kind: 'usage',
    })
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new BootError(`There is no app folder ${folder}: --app names it, and stele init makes a new one`, {
      kind: 'usage',
    })
  const chosen = [...(port === undefined ? [] : ['--port', String(port)]), ...(code === false ? ['--no-code'] : [])]
  const args = ['start', '--app', folder, ...chosen]
  // Connections that this process accepted and handed to a server that just ended would never be answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ args, silent: true })
  const env = { ...io.env }
  if (code === false) leaveCode({ env })
  const writer = new SchemaWriter(folder, { env, stderr: io.stderr })
  const server = new DevServer(folder, open && io.stdout.isTTY === true, writer, io)
  return server.open()
}

/** Variables that make a child process serve as the only worker. */
const alone = { STELE_WORKER: '1', STELE_WORKERS: '1', STELE_DEVELOPS: '1' }

class DevServer {
  readonly #io: Io
  readonly #watcher: AppWatcher
  readonly #writer: SchemaWriter
  #opens: boolean
  #isFirst = true
  #worker: Worker | undefined
  /** The next server: it has everything in memory but the app. */
  #next: Worker | undefined
  /** Servers that have reported that they wait for a message. */
  readonly #hears = new WeakSet<Worker>()
  #isStopping = false
  #mustRestart = false
  /** Schema files are being written: no server runs, or the one that shows whether they are right. */
  #isWriting = false
  /** Files that were changed meanwhile. */
  readonly #changed = new Set<string>()

  constructor(folder: string, opens: boolean, writer: SchemaWriter, io: Io) {
    this.#io = io
    this.#opens = opens
    this.#writer = writer
    this.#watcher = new AppWatcher(folder, files => this.#restart(files))
    io.signals.on('SIGTERM', () => this.#stop())
    io.signals.on('SIGINT', () => this.#stop())
  }

  /** Ends what an earlier run has left half done, and serves. */
  open(): Promise<void> {
    this.#isWriting = true
    return this.#finish(() => this.#writer.resume(this.#surroundings))
  }

  start(): Worker {
    this.#mustRestart = false
    const worker = this.#takePrepared() ?? cluster.fork({ ...alone, STELE_GREETS: this.#isFirst ? 'first' : 'again' })
    this.#isFirst = false
    this.#worker = worker
    this.#show(worker)
    worker.on('message', ({ serves, writes }: Partial<ServingMessage & WriteMessage>) => {
      if (writes) this.#asked(worker, writes)
      if (!serves) return
      this.#listening(serves.address, serves.port)
      this.#prepare()
    })
    worker.once('exit', code => this.#ended(code))
    return worker
  }

  /** A server asks for schema files to be written; other changes come first. */
  #asked(worker: Worker, task: SchemaTask): void {
    const isFree = !this.#isStopping && !this.#mustRestart && !this.#isWriting && this.#worker === worker
    const reply = isFree ? this.#begun(task) : { begun: null }
    worker.send(reply, () => undefined)
    if (reply.begun) void this.#write(worker, task)
  }

  #begun(task: SchemaTask): WriteReply {
    try {
      return { begun: this.#writer.begin(task) }
    } catch (error) {
      return { begun: null, failed: (error as Error).message }
    }
  }

  async #write(worker: Worker, task: SchemaTask): Promise<void> {
    this.#isWriting = true
    this.#io.stdout.write('\nthe schema was changed in the console, starting again\n')
    const ended = once(worker, 'exit')
    this.#end(worker)
    await ended
    await this.#finish(async () => {
      if (!this.#isStopping) return this.#writer.write(task, this.#surroundings)
      this.#writer.leave(task, 'stele dev was stopped before')
      return false
    })
  }

  get #surroundings() {
    return { changed: () => this.#watcher.accept(), serve: () => this.#serve() }
  }

  /** Does what needs that no server runs; where none was started then, one is started now. */
  async #finish(work: () => Promise<boolean>): Promise<void> {
    let isWritten = false
    try {
      isWritten = await work()
    } catch (error) {
      this.#io.stderr.write(`\nThe end of the write could not be recorded: ${(error as Error).message}\n`)
    }
    this.#isWriting = false
    if (this.#isStopping) {
      if (!this.#worker) this.#io.exit(0)
      return
    }
    const changed = [...this.#changed].sort()
    this.#changed.clear()
    if (!isWritten && !this.#worker) this.start()
    else if (changed.length > 0) this.#restart(changed)
  }

  /** Starts a server; resolves to what it said where it ends before it listens. */
  async #serve(): Promise<string | undefined> {
    if (this.#isStopping) return undefined
    const worker = this.start()
    let said = ''
    worker.process.stderr?.on('data', part => {
      said = `${said}${part}`.slice(-mostSaid)
    })
    const isServing = await new Promise<boolean>(resolve => {
      worker.on('message', ({ serves }: Partial<ServingMessage>) => serves && resolve(true))
      // Its output ends with it, and not before.
      worker.process.once('close', () => resolve(false))
    })
    if (isServing || this.#isStopping) return undefined
    return said.trim() || 'the server ended before it listened'
  }

  /** Starting a process and loading the server take most of a restart: they are done before a change needs them. */
  #prepare(): void {
    if (this.#next || this.#isStopping) return
    const next = cluster.fork({ ...alone, STELE_GREETS: 'again', STELE_PREPARES: '1' })
    this.#next = next
    next.once('message', () => this.#hears.add(next))
    next.once('exit', () => {
      if (this.#next === next) this.#next = undefined
    })
  }

  #takePrepared(): Worker | undefined {
    const next = this.#next
    this.#next = undefined
    if (!next?.isConnected()) return undefined
    if (this.#hears.has(next)) next.send('start')
    else next.once('message', () => next.send('start'))
    return next
  }

  /** A server that was prepared knows the packages as they were. */
  #discardPrepared(): void {
    this.#next?.process.kill('SIGKILL')
    this.#next = undefined
  }

  /** Shows the server's log as text for people, and the rest of its output as it is. */
  #show({ process: { stdout, stderr } }: Worker): void {
    const { stdout: out, stderr: errors } = this.#io
    const isColored = out.isTTY === true && !this.#io.env.NO_COLOR
    if (stdout) createInterface({ input: stdout }).on('line', line => out.write(`${readableLine(line, isColored)}\n`))
    stderr?.on('data', part => errors.write(part))
  }

  #listening(address: string, port: number): void {
    if (!this.#opens) return
    this.#opens = false
    const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address
    openPage(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`)
  }

  #restart(files: readonly string[]): void {
    if (files.includes('package.json')) this.#discardPrepared()
    if (this.#isWriting) for (const file of files) this.#changed.add(file)
    if (this.#mustRestart || this.#isWriting) return
    const [first, ...others] = files
    const list = others.length === 0 ? `${first} has` : `${first} and ${counted(others.length, 'other file')} have`
    this.#io.stdout.write(`\n${list} changed, starting again\n`)
    this.#mustRestart = true
    if (this.#worker) this.#end(this.#worker)
    else this.start()
  }

  #end(worker: Worker): void {
    worker.process.kill('SIGTERM')
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), longestStop)
    worker.once('exit', () => clearTimeout(timer))
  }

  #ended(code: number | null): void {
    this.#worker = undefined
    if (this.#isWriting) return
    if (this.#isStopping) this.#io.exit(0)
    else if (this.#mustRestart) this.start()
    else
      this.#io.stderr.write(
        `\nThe server ended${code ? ` with code ${code}` : ''}. It starts again when a file changes.\n`,
      )
  }

  #stop(): void {
    if (this.#isStopping) this.#io.exit(1)
    this.#isStopping = true
    this.#watcher.close()
    this.#discardPrepared()
    if (this.#worker) this.#end(this.#worker)
    else if (!this.#isWriting) this.#io.exit(0)
  }
}
