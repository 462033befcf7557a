import type { InjectOptions } from 'light-my-request'
import { afterAll, beforeAll } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import type { DatabaseSettings, Engine } from './engines.js'
import { run } from './run.js'

/** The small world of a suite: the content before the first request. With a `log` of its own, responses list no statements. */
export interface World extends TestAppOptions {
  /** `config/api: rest`, dialect and single flags included. */
  readonly rest?: NonNullable<NonNullable<NonNullable<TestAppOptions['config']>['api']>['rest']>
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

type Json = Record<string, unknown>

/** A server on a database, used over HTTP and looked at past everything it does. */
export interface Server {
  readonly app: TestApp
  readonly database: DatabaseSettings
  /** `get('/articles?sort=title')`, below the prefix. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** `send('PUT', '/articles/1', { data: { title: 'x' } })`: any method, with a JSON body or a raw one. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A body of `{ data }`, like that of `put`. */
  post(path: string, data: unknown): Promise<Answer>
  put(path: string, data: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
  /** The id of a new entry; an answer that is no 200 fails the test with its body. */
  make(path: string, data?: Json): Promise<number>
  /** As many entries with a `name`, and their ids. */
  makeMany(path: string, count: number): Promise<number[]>
  /** Rows as they stand in the database, in the order of these columns. */
  rows(table: string, columns?: readonly string[], where?: Json): Promise<Json[]>
  count(table: string): Promise<number>
}

/** A server of a suite on one engine; there from the first test to the last. */
export interface Api extends Server {
  readonly engine: Engine
}

/** Boots a server before the tests of the surrounding `describe` and takes everything away after them. */
export function serve(engine: Engine, world: World = {}): Api {
  let running: (Api & { close(): Promise<void> }) | undefined
  beforeAll(async () => {
    running = await start(engine, world)
  })
  afterAll(() => running?.close())
  return new Proxy({} as Api, {
    get: (_, name) => {
      if (name === 'engine') return engine
      if (!running) throw new Error('the server of a suite is there inside its tests only')
      return Reflect.get(running, name)
    },
  })
}

/** Starts a server on one engine, for tests that need more than one or a fresh one each. */
export async function start(engine: Engine, world: World): Promise<Api & { close(): Promise<void> }> {
  const fresh = await engine.fresh()
  const server = await startOn(fresh.database, world)
  return {
    ...server,
    engine,
    async close() {
      await server.app.close()
      await fresh.drop()
    },
  }
}

/** A server on this database; the caller closes its app. */
export async function startOn(database: DatabaseSettings, world: World = {}): Promise<Server> {
  const { rest, config = {}, rows, ...options } = world
  const statements: string[] = []
  const app = await createTestApp({
    log: createLog('trace', { destination: { write: line => remember(line, statements) } }),
    ...options,
    config: {
      ...config,
      database: { ...database, ...config.database },
      api: { ...config.api, rest: { ...config.api?.rest, ...rest } },
    },
  })
  await rows?.(app)
  const send: Server['send'] = async (method, path, body, headers = {}) => {
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
  const post: Server['post'] = (path, data) => send('POST', path, { data })
  return {
    app,
    database,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post,
    put: (path, data) => send('PUT', path, { data }),
    delete: path => send('DELETE', path),
    make: async (path, data = {}) => {
      const { status, body, text } = await post(path, data)
      if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`)
      return body.data.id
    },
    makeMany: (path, count) => app.store.transaction(session => insertMany(app, session, path, count)),
    ...tablesOf(app, database),
  }
}

/** Looks at tables past the server. */
function tablesOf({ store }: TestApp, database: DatabaseSettings): Pick<Server, 'rows' | 'count'> {
  return {
    rows: (table, columns = ['id'], where = {}) =>
      run(
        database,
        store
          .knex(table)
          .select([...columns])
          .where(where)
          .orderBy(columns.map(column => ({ column })))
          .toString(),
      ),
    count: async table => Number((await run(database, `select count(*) as n from ${table}`))[0]?.n),
  }
}

/** Straight into the table: a thousand entries are scenery, not what is tested. */
async function insertMany(
  app: TestApp,
  session: Parameters<Parameters<TestApp['store']['transaction']>[0]>[0],
  path: string,
  count: number,
): Promise<number[]> {
  const type = [...app.types.types.values()].find(({ pluralName }) => `/${pluralName}` === path)
  if (!type) throw new Error(`no type answers at ${path}`)
  const ids: number[] = []
  for (let index = 1; index <= count; index += 1) {
    const query = app.store.knex(type.table).insert({ name: `${type.singularName} ${index}` })
    const { sql, bindings } = (app.store.engine === 'postgres' ? query.returning('id') : query).toSQL().toNative()
    ids.push((await session.run(sql, bindings)).id)
  }
  return ids
}

function remember(line: string, statements: string[]): void {
  // Lines about something else are not parsed.
  if (line.includes('"msg":"statement"')) statements.push(JSON.parse(line).sql)
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
