import { afterAll, beforeAll } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from '../../core/index.js'
import type { DatabaseSettings, Engine, FreshDatabase } from './engines.js'
import { run } from './run.js'

type Json = Record<string, unknown>

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that know them
  readonly body: any
}

/** One server on a database of its own, asked over HTTP and looked at past everything it does. */
export interface World {
  readonly app: TestApp
  readonly database: DatabaseSettings
  get(path: string): Promise<Reply>
  post(path: string, data: unknown): Promise<Reply>
  put(path: string, data: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
  /** The id of a new entry; an answer that is no 200 fails the test with its body. */
  make(path: string, data?: Json): Promise<number>
  /** As many entries with a `name`, and their ids. */
  makeMany(path: string, count: number): Promise<number[]>
  /** Rows as they stand in the database, in the order of these columns. */
  rows(table: string, columns?: readonly string[], where?: Json): Promise<Json[]>
  count(table: string): Promise<number>
}

/** Starts the server before the tests of the surrounding suite and removes everything after them. */
export function serverOn(engine: Engine, options: TestAppOptions = {}): World {
  let world: World | undefined
  let fresh: FreshDatabase | undefined
  beforeAll(async () => {
    fresh = await engine.fresh()
    world = await start(fresh.database, options)
  })
  afterAll(async () => {
    await world?.app.close()
    await fresh?.drop()
  })
  return new Proxy({} as World, { get: (_, name) => Reflect.get(world as World, name) })
}

/** A server on this database; whoever starts it closes it. */
export async function start(database: DatabaseSettings, options: TestAppOptions = {}): Promise<World> {
  const app = await createTestApp({
    ...options,
    config: { ...options.config, database: { ...options.config?.database, ...database } },
  })
  const send = async (method: string, path: string, data?: unknown): Promise<Reply> => {
    const { statusCode, headers, payload } = await app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      ...(data !== undefined && { payload: { data } as object }),
    })
    return { status: statusCode, headers, body: payload === '' ? undefined : JSON.parse(payload) }
  }
  const make = async (path: string, data: Json = {}): Promise<number> => {
    const { status, body } = await send('POST', path, data)
    if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body.data.id
  }
  return {
    app,
    database,
    get: path => send('GET', path),
    post: (path, data) => send('POST', path, data),
    put: (path, data) => send('PUT', path, data),
    delete: path => send('DELETE', path),
    make,
    makeMany: (path, count) => app.store.transaction(session => insertMany(app, session, path, count)),
    rows: (table, columns = ['id'], where = {}) =>
      run(
        database,
        app.store
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

/** The ids of what was populated: a list, one, or null. */
export function idsOf(reply: Reply, name: string): unknown {
  const { data } = reply.body?.data?.attributes?.[name] ?? {}
  return Array.isArray(data) ? data.map(({ id }) => id) : (data?.id ?? null)
}

/** Status and message of a refusal, or the status alone. */
export const said = ({ status, body }: Reply): unknown[] => [status, body?.error?.message]
