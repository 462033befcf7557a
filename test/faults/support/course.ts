import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { type Server, started } from '../../support/terminal.js'
import { type AppSettings, faultApp } from './app.js'
import { type Damage, damageOf } from './check.js'
import type { Seeds } from './content.js'
import type { Ground } from './ground.js'
import { Ledger } from './ledger.js'
import { Load, seed } from './load.js'

export interface CourseOptions {
  readonly app?: AppSettings
  /** Variables of the server's process. */
  readonly env?: Readonly<Record<string, string>>
}

/** Short enough that a test can wait for what a server gives up. */
export const impatient: CourseOptions = { app: { database: { statementTimeout: 1000, acquireTimeout: 2000 } } }
/**
 * Milliseconds for a connection, a statement and the time after which a server is given up that says nothing, a connection
 * to try again, and some leeway for a machine that does other things as well.
 */
export const inTime = 2000 + 1000 + 4000 + 2000 + 5000

/** A fault's surroundings: a server, a database of its own and writing clients, with the damage that is counted afterwards. */
export class Course {
  readonly ground: Ground
  readonly app: string
  readonly ledger = new Ledger()
  server: Server
  url: string
  /** Damage found at every look so far. */
  lost: string[] = []
  half: string[] = []
  longestWait = 0
  readonly #seeds: Seeds
  readonly #env: Readonly<Record<string, string>>

  private constructor(
    ground: Ground,
    app: string,
    env: Readonly<Record<string, string>>,
    server: Server,
    url: string,
    seeds: Seeds,
  ) {
    this.ground = ground
    this.app = app
    this.#env = env
    this.server = server
    this.url = url
    this.#seeds = seeds
  }

  /** A new server of the app, with what entries lead to. */
  static async at(ground: Ground, { app: settings, env: more }: CourseOptions = {}): Promise<Course> {
    const app = faultApp(settings)
    const env = { ...ground.env, ...more }
    const { server, url } = await started(app, env)
    return new Course(ground, app, env, server, url, await seed(url))
  }

  get seeds(): Seeds {
    return this.#seeds
  }

  async restart(more: Readonly<Record<string, string>> = {}): Promise<void> {
    Object.assign(this, await started(this.app, { ...this.#env, ...more }))
  }

  /** The end that no process sees coming. */
  async kill(): Promise<void> {
    await this.server.stop('SIGKILL')
  }

  load(clients?: number): Load {
    return new Load(this.url, this.ledger, this.#seeds, clients)
  }

  /** Lets clients write, does something to the server meanwhile, and stops when they are done. */
  async underLoad(fault: (load: Load) => Promise<unknown>, clients?: number): Promise<Load> {
    const load = this.load(clients)
    load.start()
    try {
      await load.good(10)
      await fault(load)
    } finally {
      await load.stop()
    }
    this.longestWait = Math.max(this.longestWait, load.answers.longest)
    return load
  }

  /** Milliseconds until the server takes a write again. */
  async recovery(): Promise<number> {
    const begun = performance.now()
    for (;;) {
      const answer = await fetch(`${this.url}/api/tags`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"data":{"name":"again"}}',
      }).catch(() => undefined)
      const waited = performance.now() - begun
      if (answer?.ok) return waited
      assert.ok(waited < 30_000, `no write is taken after 30 s: ${answer?.status} ${await answer?.text()}`)
      await wait(10)
    }
  }

  /** Compares what was acknowledged with what is stored, and keeps what is wrong. */
  look(): Promise<void> {
    return this.#compare(false)
  }

  /** The same when requests have cleared up behind their answers. */
  lookSettled(): Promise<void> {
    return this.#compare(true)
  }

  /** A running server may be clearing up during a look: damage that stays for long counts. */
  async #compare(settled: boolean): Promise<void> {
    const look = () => damageOf(this.ledger, this.ground.database, this.app, { settled })
    const deadline = performance.now() + 10_000
    let found = await look()
    while (found.half.length > 0 && performance.now() < deadline) {
      await wait(50)
      found = await look()
    }
    this.#keep(found)
  }

  #keep({ lost, half }: Damage): void {
    this.lost.push(...lost)
    this.half.push(...half)
  }

  /** Says what came of so many faults, and fails where anything did. */
  conclude(faults: number, what: string, more = ''): void {
    const figures = [
      `${this.ledger.acknowledged} acknowledged writes`,
      `${this.lost.length} lost`,
      `${this.half.length} half done`,
      `longest wait ${Math.round(this.longestWait)} ms`,
    ]
    console.log(`faults: ${faults} x ${what}: ${figures.join(', ')}${more && `, ${more}`}`)
    assert.deepEqual({ lost: this.lost, half: this.half }, { lost: [], half: [] })
    assert.equal(this.server.errors, '', 'the server printed something past its log')
  }
}
