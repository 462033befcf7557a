import assert from 'node:assert/strict'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { engines } from './engines.js'
import { run } from './run.js'
import { type DatabaseServer, type ServerOptions, startMysqlKind, startPostgres } from './servers.js'

interface Case {
  readonly client: 'mysql' | 'postgres'
  readonly start: (options?: ServerOptions) => Promise<DatabaseServer>
  readonly settings: Record<string, number>
  readonly setting: string
}

const cases: Case[] = [
  {
    client: 'mysql',
    start: startMysqlKind,
    settings: { lock_wait_timeout: 7 },
    setting: 'select @@lock_wait_timeout as it',
  },
  {
    client: 'postgres',
    start: startPostgres,
    settings: { lock_timeout: 7 },
    setting: "select current_setting('lock_timeout') as it",
  },
]

for (const { client, start, settings, setting } of cases) {
  const available = engines.some(engine => engine.name === client && engine.available)

  describe.skipIf(!available)(`a private ${client} server`, () => {
    let server: DatabaseServer
    const address = () => {
      const { host, port, user, password } = server
      return { host, port, user, password, database: 'kept' }
    }
    const ask = (sql: string) => run({ client, ...address() }, sql)
    const connect = () => (client === 'mysql' ? connectMysql(address()) : connectPostgres(address()))

    beforeAll(async () => {
      server = await start({ settings })
      await server.createDatabase('kept')
      await ask('create table notes (id integer primary key)')
      await ask('insert into notes values (1)')
    })
    afterAll(() => server?.stop())

    it('takes the settings of a test', async () => {
      assert.match(String((await ask(setting))[0]?.it), /^7(ms)?$/)
    })

    it('tells its version', () => assert.match(server.version, /^\d+\.\d+/))

    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      it(`is gone after ${signal} although a client is connected, and restarts with its data`, async () => {
        const session = await connect()
        await server.kill(signal)
        await session.lost
        await assert.rejects(ask('select id from notes'), { code: 'ECONNREFUSED' })
        await server.restart()
        assert.deepEqual(await ask('select id from notes'), [{ id: 1 }])
      })
    }

    it('restarts while it runs', async () => {
      await server.restart()
      assert.deepEqual(await ask('select id from notes'), [{ id: 1 }])
    })

    it('answers no one while it is paused, and everyone afterwards', async () => {
      const session = await connect()
      await server.kill('SIGSTOP')
      await assert.rejects(session.ask('select id from notes', 100), /timeout/)
      await server.kill('SIGCONT')
      assert.deepEqual(await ask('select id from notes'), [{ id: 1 }])
      await session.close()
    })

    it('stops twice, and cannot be reached by a signal afterwards', async () => {
      const brief = await start()
      await brief.stop()
      await brief.stop()
      await assert.rejects(brief.kill('SIGKILL'), /does not run/)
    })

    it('says in its own words why it does not start', async () => {
      await assert.rejects(start({ settings: { no_such_setting: 1 } }), /no_such_setting/)
    })
  })
}

/** A connection that stays open, and tells when the server let go of it. */
interface Session {
  readonly lost: Promise<unknown>
  ask(sql: string, timeout: number): Promise<unknown>
  close(): Promise<unknown>
}

async function connectMysql(address: mysql.ConnectionOptions): Promise<Session> {
  const connection = await mysql.createConnection(address)
  return {
    lost: new Promise(resolve => connection.on('error', resolve)),
    ask: (sql, timeout) => connection.query({ sql, timeout }),
    close: async () => connection.destroy(),
  }
}

async function connectPostgres(address: pg.ClientConfig): Promise<Session> {
  const connection = new pg.Client(address)
  const lost = new Promise(resolve => connection.on('error', resolve))
  await connection.connect()
  return {
    lost,
    ask: (text, timeout) => connection.query({ text, query_timeout: timeout } as pg.QueryConfig),
    close: () => connection.end(),
  }
}
