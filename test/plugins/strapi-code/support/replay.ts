import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { DatabaseSettings, Engine } from '../../../support/engines.js'
import { onEveryEngine } from '../../../support/every-engine.js'
import { difference } from './compare.js'
import { type OpenOptions, open, type RunningProject } from './project.js'
import { copyOf, type ProjectCopy, type Script, type Step, scriptsOf } from './scripts.js'
import { differenceOfRows } from './sql.js'

export interface ReplayOptions extends OpenOptions {
  /** Steps that differ, as `script step`, each with the reason; a step that agrees all the same fails. */
  readonly differs?: Readonly<Record<string, string>>
  /** Steps after which accounts sign in again, as `script step`: a new password ends the tokens that were made before. */
  readonly signsInAfter?: readonly string[]
  /** Steps that mean something on SQLite alone. */
  readonly onSqliteOnly?: readonly string[]
  /** Of a script whose start fails: what the message has to say. */
  readonly refusals?: Readonly<Record<string, RegExp>>
}

/** Declares the tests of a project: each script of it is run from a fresh copy, on every engine, and compared step by step. */
export function replay(project: string, options: ReplayOptions = {}): void {
  onEveryEngine(`${project} as Strapi answered it`, engine => {
    for (const script of scriptsOf(project))
      describe(script.overlay === undefined ? script.name : `${script.name} (variant)`, () =>
        script.start?.ok === false
          ? refuses(engine, project, script, options)
          : agrees(engine, project, script, options),
      )
  })
}

function refuses(engine: Engine, project: string, script: Script, { refusals = {}, ...options }: ReplayOptions): void {
  it('does not start', async () => {
    const world = await makeWorld(engine, project, script)
    try {
      const error = await open(world.copy, world.database, options).then(
        async running => {
          await running.close()
          return undefined
        },
        reason => reason as Error,
      )
      assert.ok(error, `it starts; Strapi says: ${script.start?.message}`)
      const wanted = refusals[script.name]
      if (wanted) assert.match(error.message, wanted)
    } finally {
      await world.drop()
    }
  })
}

function agrees(engine: Engine, project: string, script: Script, options: ReplayOptions): void {
  let found: readonly (string | undefined)[] = []
  let failure: unknown
  beforeAll(async () => {
    const world = await makeWorld(engine, project, script)
    const run = new Run(world, options)
    const isLater = (at: number) => options.signsInAfter?.includes(`${script.name} ${at + 1}`) === true
    try {
      await run.start()
      found = await run.all(script.steps, isLater)
    } catch (error) {
      failure = error
    } finally {
      await run.stop().catch(error => {
        failure ??= error
      })
      await world.drop()
    }
  })
  afterAll(() => {
    if (!failure) return
    console.error(`${project}, ${script.name}: ${(failure as Error).stack}`)
  })

  if (script.steps.length === 0)
    it('starts', () => {
      assert.equal(failure, undefined)
    })
  for (const [at, step] of script.steps.entries()) {
    const title = `${at + 1} ${titleOf(step)}`
    const isSkipped = engine.name !== 'sqlite' && options.onSqliteOnly?.includes(`${script.name} ${at + 1}`)
    const declare = isSkipped ? it.skip : it
    declare(title, () => {
      if (failure) throw failure
      const reason = options.differs?.[`${script.name} ${at + 1}`]
      if (reason === undefined && found[at] !== undefined) assert.fail(`${title}\n  ${found[at]}`)
      if (reason !== undefined)
        assert.notEqual(found[at], undefined, `it agrees, and is listed as different: ${reason}`)
    })
  }
}

const titleOf = ({ request, sql, restart }: Step): string =>
  restart ? 'restart' : request ? `${request.auth} ${request.method} ${decode(request.path)}` : String(sql)

function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

interface World {
  readonly copy: ProjectCopy
  readonly database: DatabaseSettings
  drop(): Promise<void>
}

async function makeWorld(engine: Engine, project: string, { overlay }: Script): Promise<World> {
  const copy = copyOf(project, overlay)
  const fresh = await engine.fresh()
  return {
    copy,
    database: fresh.database,
    async drop() {
      await fresh.drop()
      copy.remove()
    },
  }
}

/** One script that goes on, and the values that it has saved. */
class Run {
  readonly #world: World
  readonly #options: OpenOptions
  readonly #saved = new Map<string, string>()
  #project: RunningProject | undefined

  constructor(world: World, options: OpenOptions) {
    this.#world = world
    this.#options = options
  }

  async start(): Promise<void> {
    this.#project = await open(this.#world.copy, this.#world.database, this.#options)
  }

  async stop(): Promise<void> {
    const project = this.#project
    this.#project = undefined
    await project?.close()
  }

  async all(steps: readonly Step[], isLater: (at: number) => boolean): Promise<(string | undefined)[]> {
    const found: (string | undefined)[] = []
    for (const [at, step] of steps.entries()) {
      found.push(await this.#step(step).catch(error => `it fails: ${(error as Error).stack}`))
      if (isLater(at)) this.#project?.signInAgain()
    }
    return found
  }

  async #step(step: Step): Promise<string | undefined> {
    if (step.sql !== undefined) return differenceOfRows(step, this.#world.database)
    if (step.restart) {
      await this.stop()
      await this.start()
      return undefined
    }
    const { request, response, save = {} } = step
    const project = this.#project
    if (!request || !response || !project) return 'a step has a request and its response, a statement, or a restart'
    const before = project.lines.length
    const reply = await project.send(this.#filled(request))
    for (const [name, path] of Object.entries(save)) this.#saved.set(name, valueAt(reply.text, path))
    const differs = difference(response, reply)
    const logged = project.lines.slice(before).flatMap(({ err }) => (err?.stack ? [err.stack] : []))
    return differs === undefined || logged.length === 0 ? differs : `${differs}\n  logged: ${logged.join('\n')}`
  }

  /** `{name}` stands for a saved value. */
  #filled<T>(value: T): T {
    if (typeof value === 'string')
      return value.replace(/\{(\w+)\}/g, (whole, name: string) => this.#saved.get(name) ?? whole) as T
    if (Array.isArray(value)) return value.map(item => this.#filled(item)) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#filled(inner)])) as T
  }
}

function valueAt(text: string, path: string): string {
  const names = path.replace(/\[(\w+)\]/g, '.$1').split('.')
  return String(names.reduce<unknown>((at, name) => (Object(at) as Record<string, unknown>)[name], JSON.parse(text)))
}
