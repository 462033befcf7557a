import assert from 'node:assert/strict'
import type { InjectOptions } from 'light-my-request'
import { afterAll, beforeAll, it } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { type Engine, onEveryEngine } from './engines.js'

/** The small world of a suite: what exists before the first request. */
export interface World {
  readonly types: NonNullable<TestAppOptions['types']>
  readonly components?: NonNullable<TestAppOptions['components']>
  readonly plugins?: NonNullable<TestAppOptions['plugins']>
  /** `config/api: rest`, dialect and single flags included. */
  readonly rest?: NonNullable<NonNullable<NonNullable<TestAppOptions['config']>['api']>['rest']>
  /** Any other setting. */
  readonly config?: NonNullable<TestAppOptions['config']>
  /** Fills the tables; ids count from 1 in the order of creation. */
  readonly rows?: (app: TestApp) => Promise<unknown>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The JSON of the answer. */
  readonly body: Body
  /** The SQL that the request cost, transaction control included where an engine sends it. */
  readonly statements: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what tests are about
export type Body = any

/** A server of a suite on one engine; there from the first test to the last. */
export interface Api {
  readonly engine: Engine
  readonly app: TestApp
  /** `get('/articles?sort=title')`, below the prefix. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** `send('PUT', '/articles/1', { data: { title: 'x' } })`: any method, with a JSON body or a raw one. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** A refusal as a test states it: everything that is named must be found. */
export interface Refusal {
  readonly status: number
  readonly name?: string
  /** The parameter at fault as it is written in a URL: `filters[title][$foo]`. */
  readonly parameter?: string
  readonly message?: RegExp | string
}

/** The same suite on every engine, each with a server and a database of its own. */
export function contract(title: string, world: World, suite: (api: Api) => void): void {
  onEveryEngine(title, engine => suite(serve(engine, world)))
}

/** Boots a server before the tests of the surrounding `describe` and takes everything away after them. */
export function serve(engine: Engine, world: World): Api {
  let running: (Api & { close(): Promise<void> }) | undefined
  beforeAll(async () => {
    running = await start(engine, world)
  })
  afterAll(() => running?.close())
  const now = (): Api => {
    if (!running) throw new Error('the server of a suite is there inside its tests only')
    return running
  }
  return {
    engine,
    get app() {
      return now().app
    },
    get: (path, headers) => now().get(path, headers),
    send: (method, path, body, headers) => now().send(method, path, body, headers),
  }
}

/** One server on one engine, for tests that need more than one or a fresh one each. */
export async function start(engine: Engine, world: World): Promise<Api & { close(): Promise<void> }> {
  const { types, components, plugins, rest, config = {}, rows } = world
  const fresh = await engine.fresh()
  const statements: string[] = []
  const app = await createTestApp({
    types,
    ...(components && { components }),
    ...(plugins && { plugins }),
    config: {
      ...config,
      database: { ...fresh.database, ...config.database },
      api: { ...config.api, rest: { ...rest } },
    },
    log: createLog('trace', { destination: { write: line => remember(line, statements) } }),
  })
  await rows?.(app)
  const send: Api['send'] = async (method, path, body, headers = {}) => {
    const first = statements.length
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: `${app.config.api.prefix}${path}`,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = response.body
    return {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      text,
      body: parsed(text),
      statements: statements.slice(first),
    }
  }
  return {
    engine,
    app,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    async close() {
      await app.close()
      await fresh.drop()
    },
  }
}

/** One row of a table about reading: `ask` is what follows the path, `gives` what the suite's view makes of the answer. */
export interface ReadCase {
  readonly says: string
  readonly ask: string
  readonly gives?: unknown
  readonly fails?: Refusal
  /** How many SQL statements it takes at most: a total that is known from before is not asked for again. */
  readonly statements?: number
  /** Only these engines can. */
  readonly only?: readonly Engine['name'][]
}

/** Declares a test for every row: GET, and the view of the body is what `gives` says, or the refusal is. */
export function reads(api: Api, path: string, view: (body: Body) => unknown, cases: readonly ReadCase[]): void {
  for (const { says, ask, gives, fails, statements, only } of cases) {
    const declare = only && !only.includes(api.engine.name) ? it.skip : it
    declare(`${says}: ${path}${shortened(ask)}`, async () => {
      const answer = await api.get(`${path}${ask}`)
      if (fails) return refused(answer, fails)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(view(answer.body), gives)
      if (statements !== undefined) assert.ok(answer.statements.length <= statements, answer.statements.join('\n'))
    })
  }
}

/** The answer is a refusal in the one form of all errors, and says what the test says. */
export function refused(answer: Answer, { status, name, parameter, message }: Refusal): void {
  assert.equal(answer.status, status, answer.text)
  const { data, error } = answer.body
  assert.equal(data, null)
  assert.equal(error.status, status)
  assert.equal(typeof error.name, 'string')
  assert.equal(typeof error.message, 'string')
  if (name !== undefined) assert.equal(error.name, name)
  if (parameter !== undefined) assert.equal(error.details?.parameter, parameter, answer.text)
  if (typeof message === 'string') assert.equal(error.message, message)
  else if (message) assert.match(error.message, message)
}

/** Views that many suites share: one attribute of each entry, in the order of the answer. */
export const each =
  (attribute: string) =>
  ({ data }: Body): unknown[] =>
    data.map((entry: Body) => (attribute === 'id' ? entry.id : entry.attributes[attribute]))

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text)

function remember(line: string, statements: string[]): void {
  const { msg, sql } = JSON.parse(line)
  if (msg === 'statement') statements.push(sql)
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
