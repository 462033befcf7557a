import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Guard, guard } from './guard.js'
import type { KillSignal } from './servers.js'
import type { Workplace } from './workplace.js'

/** The differences between one engine's server process and another's. */
export interface DaemonPlan {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Tries to connect; rejects while the server is not there yet. */
  readonly connect: () => Promise<unknown>
  /** The signal of an orderly shutdown that does not wait for clients to leave. */
  readonly shutdown: NodeJS.Signals
  /** See `guard`. */
  readonly dispose: 'KILL' | 'QUIT'
  /** Milliseconds until a start has failed. */
  readonly maxWait?: number
}

const betweenAttempts = 20

/** A server process, one at a time, in one workplace, that can be killed, restarted and finally removed. */
export class Daemon {
  readonly #plan: DaemonPlan
  readonly #workplace: Workplace
  readonly #guard: Guard
  readonly #log: string
  #child: ChildProcess | undefined

  constructor(workplace: Workplace, plan: DaemonPlan) {
    this.#plan = plan
    this.#workplace = workplace
    this.#guard = guard(workplace.folder, plan.dispose)
    this.#log = join(workplace.folder, 'server.log')
  }

  /** The first start of all; leaves nothing behind when it fails. `prepare` makes the data folder. */
  async begin(prepare: () => Promise<void>): Promise<void> {
    try {
      await prepare()
      await this.start()
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** `more` is said at this start only. */
  async start(more: readonly string[] = []): Promise<void> {
    const log = openSync(this.#log, 'a')
    const child = spawn(this.#plan.command, [...this.#plan.args, ...more], {
      ...this.#workplace.account,
      cwd: this.#workplace.folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', log, log],
      // Ctrl-C goes to the whole group of the terminal, but a test decides itself when its server dies.
      detached: true,
    })
    closeSync(log)
    child.once('error', () => {})
    child.unref()
    this.#child = child
    this.#guard.watch(child.pid)
    await this.#ready(child)
  }

  async kill(signal: KillSignal): Promise<void> {
    const child = this.#running()
    if (child?.pid === undefined) throw new Error(`${this.#plan.name} does not run, so ${signal} cannot reach it`)
    if (signal === 'SIGTERM') return this.#end(child, this.#plan.shutdown)
    if (signal === 'SIGKILL') return this.#end(child, signal)
    const family = [child.pid, ...childrenOf(child.pid)]
    for (const pid of family) send(pid, signal)
    // A process of many threads stops when the last of them has: until then it may still respond.
    if (signal === 'SIGSTOP') for (const pid of family) while (threadsOf(pid).some(isRunning)) await wait(1)
  }

  get runs(): boolean {
    return this.#running() !== undefined
  }

  async restart(): Promise<void> {
    const child = this.#running()
    if (child) await this.#end(child, this.#plan.shutdown)
    await this.start()
  }

  async stop(): Promise<void> {
    const child = this.#running()
    if (child) await this.#end(child, this.#plan.dispose === 'KILL' ? 'SIGKILL' : 'SIGQUIT')
    this.#guard.watch(undefined)
    await this.#guard.release()
  }

  #running(): ChildProcess | undefined {
    const child = this.#child
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null ? child : undefined
  }

  async #end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const pid = child.pid as number
    // A PostgreSQL server is a family of processes; when it is killed, or was paused, all of them are meant.
    const family = [pid, ...childrenOf(pid)]
    const gone = once(child, 'exit')
    child.ref()
    for (const member of family) send(member, 'SIGCONT')
    for (const member of signal === 'SIGKILL' ? family : [pid]) send(member, signal)
    await gone
    this.#guard.watch(undefined)
  }

  async #ready(child: ChildProcess): Promise<void> {
    const { name, maxWait = 30_000, connect } = this.#plan
    const deadline = Date.now() + maxWait
    for (;;) {
      try {
        return void (await connect())
      } catch (cause) {
        if (this.#running() !== child) throw new Error(`${name} did not start:\n${this.#words()}`, { cause })
        if (Date.now() > deadline) {
          const last = (cause as Error).message
          throw new Error(`${name} was not ready in ${maxWait} ms (${last}):\n${this.#words()}`, { cause })
        }
      }
      await wait(betweenAttempts)
    }
  }

  #words(): string {
    return readFileSync(this.#log, 'utf8').split('\n').slice(-20).join('\n')
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already gone, which is what most signals here are sent for.
  }
}

/** Linux tells; elsewhere the list is empty and only the server's first process is meant. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The state of each thread of a process, as Linux tells it. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(thread => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'))
  } catch {
    return []
  }
}

/** `T` is stopped; `Z` and `X` will never run again. The name before it may hold anything but its closing parenthesis. */
const isRunning = (stat: string): boolean => !/\) [TtZX] /.test(stat)
