import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { findAbove } from '../../../core/plugin-kit.js'
import type { Answer, Job, Late, NewJob } from './images.js'

/** Reasons why a job has no result: its process was stopped from outside, crashed, or was killed because this job took too long. */
export type JobFailure =
  | { readonly is: 'ended'; readonly how: 'stopped' | 'crashed' }
  | { readonly is: 'ended'; readonly how: 'late'; readonly late: Late }

type Settle = (result: Answer | JobFailure) => void

/** A process that decodes pictures, with the jobs that were sent to it: when it ends, only they fail. */
export class Decoder {
  readonly #child: ChildProcess
  readonly #jobs = new Map<number, Settle>()
  #lastId = 0
  #late: (Late & { readonly id: number }) | undefined
  #hasEnded = false

  constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', ({ id, ...answer }: Answer & { readonly id: number }) => this.#settle(id, answer))
    child.on('exit', (_, signal) => this.#end(isFromOutside(signal) ? 'stopped' : 'crashed'))
    // A process that could not be started has no exit.
    child.on('error', () => (child.pid === undefined ? this.#end('stopped') : this.kill()))
    child.on('disconnect', () => this.kill())
  }

  get isIdle(): boolean {
    return this.#jobs.size === 0
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Settles in any case: a job that takes longer than allowed ends the process. */
  ask(job: NewJob, milliseconds: number): Promise<Answer | JobFailure> {
    this.#lastId += 1
    const id = this.#lastId
    const late = setTimeout(() => {
      this.#late ??= { id, allowed: milliseconds, worked: processorTime(this.#child.pid) }
      this.kill()
    }, milliseconds)
    return new Promise<Answer | JobFailure>(resolve => {
      if (this.#hasEnded) return resolve({ is: 'ended', how: 'stopped' })
      this.#jobs.set(id, resolve)
      this.#child.send({ id, ...job } as Job, error => error && this.kill())
    }).finally(() => clearTimeout(late))
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #settle(id: number, result: Answer | JobFailure): void {
    this.#jobs.get(id)?.(result)
    this.#jobs.delete(id)
  }

  #end(how: 'stopped' | 'crashed'): void {
    this.#hasEnded = true
    const late = this.#late
    for (const id of [...this.#jobs.keys()])
      this.#settle(id, id === late?.id ? { is: 'ended', how: 'late', late } : { is: 'ended', how })
  }
}

/** Milliseconds, as Linux counts them, a hundredth of a second each; elsewhere a process is taken to have worked all the time. */
export function processorTime(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program comes first, in brackets, and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** An operator, a supervisor or the system ends a process by these; a decoder that fails ends by any other. */
const isFromOutside = (signal: NodeJS.Signals | null): boolean =>
  signal !== null && ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'].includes(signal)

/** Behind the server, and not so far behind that a busy machine would never let it finish. */
const politeness = 15

/** Starts a process without the server's environment, and with a lower priority than the server unless it is urgent. */
export function startDecoder(threads: number, isUrgent = false): ChildProcess {
  const child = fork(script, {
    execArgv: ['--max-semi-space-size=1', ...(isSource ? ['--import', loader()] : [])],
    env: { UV_THREADPOOL_SIZE: String(threads), MALLOC_ARENA_MAX: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    if (child.pid !== undefined && !isUrgent) setPriority(child.pid, politeness)
  } catch {
    // Not every system lets a process change another's rank.
  }
  return child
}

/** The decoder runs from its source if the server does, as under the test runner. */
const isSource = import.meta.url.endsWith('.ts')
const script = findAbove(import.meta.dirname, `plugins/upload/images/image-process.${isSource ? 'ts' : 'js'}`) as string
const loader = (): string =>
  createRequire(import.meta.url)
    .resolve('jiti/package.json')
    .replace(/package\.json$/, 'lib/jiti-register.mjs')
