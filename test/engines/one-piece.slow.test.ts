import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { describe, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { type Engine, Overtaken, type Session, type Statement } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { type Connection, NamedStatements } from '../../core/engines/postgres/connection.js'
import { ServerSession } from '../../core/engines/postgres/session.js'
import { OwnCommits } from '../../core/engines/server/own-commits.js'
import { createLog } from '../../core/log.js'
import { askedTogether, batchOf } from '../support/batch.js'
import { type DatabaseSettings, engines } from '../support/engines.js'
import { onEveryServer } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { isMysqlItself } from '../support/servers.js'

// In a process of its own: only so many statements of a process are prepared by name.
const [postgres, mariadb] = ['postgres', 'mysql'].map(name => engines.find(engine => engine.name === name))
const onPostgres = postgres?.available ? describe : describe.skip
// MySQL is asked one statement at a time.
const onMariadb = mariadb?.available && !isMysqlItself(mariadb) ? describe : describe.skip
const onServersOfPieces = (title: string, suite: (server: Server) => void) => {
  for (const [server, declare] of [
    [postgres, onPostgres],
    [mariadb, onMariadb],
  ] as const)
    declare(`${title} on ${server?.name}`, () => suite(server as Server))
}

type Server = (typeof engines)[number]

const layout = 'create table notes (id serial primary key, text varchar(200) unique)'
const insert = 'insert into notes (text) values (?)'
const look = 'select text from notes order by id'
const begin = 'begin isolation level read committed'

async function fresh(server = postgres): Promise<DatabaseSettings> {
  if (!server) throw new Error('there is no such engine')
  const { database, drop } = await server.fresh()
  onTestFinished(drop)
  await run(database, layout)
  return database
}

interface OpenedEngine {
  readonly engine: Engine
  readonly database: DatabaseSettings
}

/** An engine with one connection. */
async function engineOn(database: DatabaseSettings, settings: object = {}): Promise<Engine> {
  const overrides = { database: { ...database, pool: { min: 0, max: 1 }, ...settings } } as never
  const config = await loadConfig(process.cwd(), { bare: true, env: {}, overrides })
  return openEngine(config.database, createLog('silent'))
}

/** The same, which knows the statements of these tests. */
async function openOn(server: Server | undefined): Promise<OpenedEngine> {
  const database = await fresh(server)
  const engine = await engineOn(database)
  onTestFinished(() => engine.close())
  const undone = engine.transaction(async session => {
    await session.run(insert, ['known'])
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  return { engine, database }
}

const open = () => openOn(postgres)

const textsIn = async (database: DatabaseSettings) => (await run(database, look)).map(({ text }) => text)

const later = (session: Session, text: string) => batchOf(session).run(insert, [text])

onPostgres('a transaction of PostgreSQL', () => {
  it('begins with its first statement', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => {
      await session.run(insert, ['a'])
      assert.deepEqual(await textsIn(database), [])
    })
    assert.deepEqual(await textsIn(database), ['a'])
  })

  it('has its isolation', async () => {
    const { engine, database } = await open()
    await run(
      database,
      `alter database "${(database as { database: string }).database}" set default_transaction_isolation = 'serializable'`,
    )
    const levels = await engine.transaction(async session => session.all('show transaction_isolation', []))
    assert.deepEqual(levels, [['read committed']])
  })

  it('of which nothing is asked does nothing, also where its work fails', async () => {
    const { engine } = await open()
    assert.equal(await engine.transaction(async () => 7), 7)
    const failing = engine.transaction(async () => {
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual(await engine.reader.all('select pg_current_xact_id_if_assigned() is null', []), [[true]])
  })

  it('whose first statement fails stores nothing, whatever goes on then', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => session.run(insert, ['a']))
    const going = engine.transaction(async session => {
      await Promise.resolve(session.run(insert, ['a'])).catch(() => undefined)
      await Promise.resolve(session.run(insert, ['b'])).catch(() => undefined)
    })
    await assert.rejects(going, /undone/)
    assert.deepEqual(await textsIn(database), ['a'])
  })

  it('may be asked several statements at once', async () => {
    const { engine, database } = await open()
    await engine.transaction(session => Promise.all(['a', 'b', 'c'].map(text => session.run(insert, [text]))))
    assert.deepEqual((await textsIn(database)).toSorted(), ['a', 'b', 'c'])
  })

  it('whose begin the server does not know runs again: none of it was run outside of one', async () => {
    const { engine, database } = await open()
    await engine.reader.run('deallocate all', [])
    let attempts = 0
    await engine.transaction(async session => {
      attempts += 1
      await Promise.all(['a', 'b'].map(text => session.run(insert, [text])))
    })
    assert.equal(attempts, 2)
    assert.deepEqual((await textsIn(database)).toSorted(), ['a', 'b'])
  })

  it('runs again as a whole where its connection is lost before the commit', async () => {
    const { engine, database } = await open()
    let attempts = 0
    await engine.transaction(async session => {
      attempts += 1
      await session.run(insert, [`a${attempts}`])
      if (attempts === 1) {
        const [[pid] = []] = await session.all('select pg_backend_pid()', [])
        await run(database, `select pg_terminate_backend(${pid})`)
      }
      later(session, 'b')
      await session.run(insert, ['c'])
    })
    assert.deepEqual(await textsIn(database), ['a2', 'b', 'c'])
  })
})

onEveryServer('statements of a transaction that are collected', server => {
  const open = () => openOn(server)

  it('run before it, in their order', async () => {
    const { engine } = await open()
    const found = await engine.transaction(async session => {
      for (const text of ['a', 'b', 'c']) later(session, text)
      return session.all(look, [])
    })
    assert.deepEqual(found, [['a'], ['b'], ['c']])
  })

  it('run also where none comes, and however many there are', async () => {
    const { engine, database } = await open()
    const texts = Array.from({ length: 100 }, (_, index) => `${index}`)
    const changed: number[] = []
    await engine.transaction(async session => {
      for (const text of texts) void later(session, text).then(({ changes }) => changed.push(changes))
    })
    assert.deepEqual(await textsIn(database), texts)
    // MariaDB says of a block only what it has changed in all.
    assert.equal(changed.length, texts.length)
    assert.equal(
      changed.reduce((sum, changes) => sum + changes, 0),
      texts.length,
    )
  })

  it('run before those that are asked at once', async () => {
    const { engine } = await open()
    const found = await engine.transaction(async session => {
      later(session, 'a')
      return Promise.all([session.all(look, []), session.all(look, [])])
    })
    assert.deepEqual(found, [[['a']], [['a']]])
  })

  it('fail what is asked next with their error, and nothing behind them runs', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => session.run(insert, ['a']))
    for (const texts of [
      ['a', 'b'],
      ['b', 'a', 'c'],
    ]) {
      let told: unknown
      const failing = engine.transaction(async session => {
        for (const text of texts)
          later(session, text).catch(error => {
            told = engine.classify(error)?.kind
          })
        await session.all(look, [])
      })
      await assert.rejects(failing, error => engine.classify(error)?.kind === 'unique')
      assert.equal(told, 'unique')
    }
    assert.deepEqual(await textsIn(database), ['a'])
  })

  it('are run again with their transaction where they were overtaken', async () => {
    const { engine, database } = await open()
    let overtaken = 0
    await engine.transaction(async session => {
      later(session, 'a')
      if (overtaken === 0)
        later(session, 'a').catch(reason => {
          if (engine.classify(reason)?.kind !== 'unique') return
          overtaken += 1
          Overtaken.note(reason)
        })
      await session.all(look, [])
    })
    assert.equal(overtaken, 1)
    assert.deepEqual(await textsIn(database), ['a'])
  })

  it('are not run where the transaction is undone', async () => {
    const { engine, database } = await open()
    const failing = engine.transaction(async session => {
      await session.run(insert, ['a'])
      later(session, 'b')
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual(await textsIn(database), [])
  })

  it('fail the commit where none comes behind them', async () => {
    const { engine, database } = await open()
    const failing = engine.transaction(async session => {
      later(session, 'a')
      later(session, 'a')
    })
    await assert.rejects(failing, error => engine.classify(error)?.kind === 'unique')
    assert.deepEqual(await textsIn(database), [])
  })
})

onEveryServer('reads that a transaction asks together', server => {
  const open = () => openOn(server)
  const both = [
    { sql: look, values: [] },
    { sql: 'select text from notes where text > ? order by id', values: ['a'] },
  ]
  const asked = (session: Session) => askedTogether(session, both)

  it('begin it, and see what was left before them', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => {
      assert.deepEqual(await asked(session), [[], []])
      for (const text of ['a', 'b']) later(session, text)
      assert.deepEqual(await asked(session), [[['a'], ['b']], [['b']]])
      assert.deepEqual(await textsIn(database), [])
      later(session, 'c')
    })
    assert.deepEqual(await textsIn(database), ['a', 'b', 'c'])
  })

  it('fail with the error of what was left before them, and nothing is stored', async () => {
    const { engine, database } = await open()
    const failing = engine.transaction(async session => {
      await session.run(insert, ['a'])
      later(session, 'a')
      await asked(session)
    })
    await assert.rejects(failing, error => engine.classify(error)?.kind === 'unique')
    assert.deepEqual(await textsIn(database), [])
  })

  it('fail with the error of one of them, and nothing is stored', async () => {
    const { engine, database } = await open()
    const failing = engine.transaction(async session => {
      later(session, 'a')
      const missing = { sql: 'select text from nothing where text = ?', values: ['a'] }
      await askedTogether(session, [...both, missing])
    })
    await assert.rejects(failing, /nothing/)
    assert.deepEqual(await textsIn(database), [])
    await engine.transaction(async session => session.run(insert, ['b']))
    assert.deepEqual(await textsIn(database), ['b'])
  })
})

onServersOfPieces('a read that leaves with the commit', server => {
  const open = () => openOn(server)
  const last = (session: Session, sql = look) => ({ rows: batchOf(session).all(sql, []) })
  const lost = { status: 503, message: /lost before it said whether this is stored/ }

  it('stores it, with what was left before', async () => {
    const { engine, database } = await open()
    for (const text of ['a', 'b', 'c'])
      await engine.transaction(async session => {
        later(session, text)
        return last(session)
      })
    assert.deepEqual(await textsIn(database), ['a', 'b', 'c'])
    const { rows } = await engine.transaction(async session => last(session))
    assert.deepEqual(await rows, [['a'], ['b'], ['c']])
  })

  it('stores nothing where it fails, or what was left before it', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => session.run(insert, ['a']))
    const missing = 'select text from nothing'
    const failing = engine.transaction(async session => {
      later(session, 'b')
      return last(session, missing)
    })
    await assert.rejects(failing, /nothing/)
    const taken = engine.transaction(async session => {
      later(session, 'c')
      later(session, 'a')
      return last(session)
    })
    await assert.rejects(taken, error => engine.classify(error)?.kind === 'unique')
    assert.deepEqual(await textsIn(database), ['a'])
  })

  const asleep = { mysql: 'select sleep(60)', postgres: 'select pg_sleep(60)::text' }[server.name as 'mysql']
  const running = {
    mysql:
      "select id from information_schema.processlist where db = database() and info like '%sleep(60)%' and id <> connection_id()",
    postgres: "select pid as id from pg_stat_activity where query like '%sleep(60)%' and pid <> pg_backend_pid()",
  }[server.name as 'mysql']
  const ends = {
    mysql: [(id: unknown) => `kill ${id}`, (id: unknown) => `kill query ${id}`],
    postgres: [(id: unknown) => `select pg_terminate_backend(${id})`],
  }[server.name as 'mysql']
  it('is not run again where its connection breaks', async () => {
    const database = await fresh(server)
    const { port } = database as { port: number }
    const open = new Set<Socket>()
    const between = createServer(client => {
      open.add(client)
      const beyond = connect(port, '127.0.0.1')
      client.pipe(beyond).pipe(client)
      for (const side of [client, beyond]) side.on('error', () => beyond.destroy())
    }).listen(0, '127.0.0.1')
    await once(between, 'listening')
    const engine = await engineOn({
      ...database,
      host: '127.0.0.1',
      port: (between.address() as AddressInfo).port,
    } as never)
    let attempts = 0
    const failing = engine.transaction(async session => {
      attempts += 1
      later(session, `attempt ${attempts}`)
      return last(session, asleep)
    })
    const rejected = assert.rejects(failing, lost)
    let found: Awaited<ReturnType<typeof run>> = []
    while (found.length === 0) found = await run(database, running)
    for (const client of open) client.resetAndDestroy()
    await rejected
    assert.equal(attempts, 1)
    // The server does not notice.
    for (const { id } of await run(database, running)) await run(database, (ends[0] as (id: unknown) => string)(id))
    await engine.close()
    between.close()
  })

  for (const end of ends)
    it(`leaves it unknown whether it is stored where that was not said: ${end('its connection')}`, async () => {
      const { engine, database } = await open()
      let attempts = 0
      const failing = engine.transaction(async session => {
        attempts += 1
        later(session, 'a')
        return last(session, asleep)
      })
      const rejected = assert.rejects(failing, lost)
      let found: Awaited<ReturnType<typeof run>> = []
      while (found.length === 0) found = await run(database, running)
      await run(database, end((found[0] as { id: unknown }).id))
      await rejected
      assert.equal(attempts, 1)
      await engine.transaction(async session => session.run(insert, ['b']))
      assert.deepEqual(await textsIn(database), ['b'])
    })
})

onPostgres('a session of PostgreSQL whose transaction cannot begin', () => {
  /** A connection, and a session of it. */
  async function connected() {
    const database = await fresh()
    const client = new pg.Client(database as pg.ClientConfig)
    await client.connect()
    onTestFinished(() => client.end())
    const sideConnection = () => assert.fail('nobody doubts it')
    const stream = client.connection.stream as Socket
    const connection = Object.assign(client as pg.Client & Connection, {
      turn: 0,
      watched: { stream, sideConnection, cut: () => undefined },
      statements: new NamedStatements(),
    })
    return { database, connection, session: () => new ServerSession(connection, 0, new OwnCommits()) }
  }

  for (const [says, wrong] of [
    ['is not known', begin],
    ['is not understood', 'begin isolation level nonsense'],
  ] as const)
    it(`runs no statement, as its begin ${says}`, async () => {
      const { database, connection, session } = await connected()
      for (const text of ['a', 'b']) {
        const well = session()
        well.begin(begin)
        await well.run(insert, [text])
        await well.run('commit', [])
      }
      if (wrong === begin) await connection.query({ text: 'deallocate all' })
      const bad = session()
      bad.begin(wrong)
      const outcomes = await Promise.allSettled(['c', 'd'].map(text => bad.run(insert, [text])))
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'rejected'],
      )
      await assert.rejects(async () => bad.run(insert, ['e']))
      await assert.rejects(async () => bad.run('commit', []))
      await bad.run('rollback', [])
      assert.deepEqual(await textsIn(database), ['a', 'b'])
      assert.equal(connection.getTransactionStatus(), 'I')
    })
})

onMariadb('a transaction of MariaDB', () => {
  const open = () => openOn(mariadb)

  it('begins with its first statement, and is none where nothing is asked', async () => {
    const { engine, database } = await open()
    assert.equal(await engine.transaction(async () => 7), 7)
    await engine.transaction(async session => {
      assert.deepEqual(await session.all('select count(*), @@in_transaction from notes', []), [['0', '1']])
      await session.run(insert, ['a'])
      assert.deepEqual(await textsIn(database), [])
    })
    assert.deepEqual(await textsIn(database), ['a'])
  })

  it('goes on after an error that was caught, also one of its first statement', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => {
      await assert.rejects(async () => session.all('select nothing from notes', []))
      await session.run(insert, ['a'])
      await assert.rejects(async () => session.run(insert, ['a']), { errno: 1062 })
      await session.run(insert, ['b'])
    })
    assert.deepEqual(await textsIn(database), ['a', 'b'])
  })

  it('stores nothing where a statement has failed that was left for later, also where its error is caught', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => session.run(insert, ['a']))
    const going = engine.transaction(async session => {
      await session.run(insert, ['b'])
      later(session, 'a')
      await Promise.resolve(session.run(insert, ['c'])).catch(() => undefined)
      await Promise.resolve(session.all(look, [])).catch(() => undefined)
    })
    await assert.rejects(going, error => engine.classify(error)?.kind === 'unique')
    assert.deepEqual(await textsIn(database), ['a'])
  })

  it('goes on from a savepoint after such an error', async () => {
    const { engine, database } = await open()
    await engine.transaction(async session => {
      await session.run(insert, ['a'])
      await session.run('savepoint mark', [])
      await session.run(insert, ['b'])
      later(session, 'c')
      later(session, 'a')
      try {
        await session.all(look, [])
      } catch {
        await session.run('rollback to savepoint mark', [])
      }
      later(session, 'd')
    })
    assert.deepEqual(await textsIn(database), ['a', 'd'])
  })

  it('asks by itself what could end a block or hide its end, and what has many values', async () => {
    const { engine } = await open()
    const many = Array.from({ length: 300 }, (_, index) => `many ${index}`)
    const found = await engine.transaction(async session => {
      later(session, 'a')
      const seen = [await session.all('select text from notes -- nothing follows', [])]
      later(session, 'b;')
      seen.push(await session.all("select text from notes where text <> ';' order by id", []))
      void session.batch?.run(`insert into notes (text) values ${many.map(() => '(?)').join()}`, many)
      later(session, 'c')
      seen.push(await session.all('select count(*) from notes', []))
      for (let index = 0; index < 3; index += 1)
        void session.batch?.run(
          `insert into notes (text) values ${many.slice(0, 90).map(() => '(?)')}`,
          many.slice(0, 90).map(text => `${text} of ${index}`),
        )
      seen.push(await session.all('select count(*) from notes', []))
      return seen
    })
    assert.deepEqual(found, [[['a']], [['a'], ['b;']], [['303']], [['573']]])
  })

  it('runs again as a whole where its connection is lost before the commit', async () => {
    const { engine, database } = await open()
    let attempts = 0
    await engine.transaction(async session => {
      attempts += 1
      const [[id] = []] = await session.all('select connection_id()', [])
      later(session, `a${attempts}`)
      if (attempts === 1) await run(database, `kill ${id}`)
      later(session, 'b')
      await session.run(insert, ['c'])
    })
    assert.deepEqual(await textsIn(database), ['a2', 'b', 'c'])
  })
})

onMariadb('a database whose commits are counted', () => {
  it('stores what was collected before the count', async () => {
    const database = await fresh(mariadb)
    const engine = await engineOn(database, { soleWriter: true })
    onTestFinished(() => engine.close())
    const rows = await engine.transaction(async session => {
      later(session, 'a')
      return { found: batchOf(session).all(look, []) }
    })
    assert.deepEqual(await rows.found, [['a']])
    assert.deepEqual(await textsIn(database), ['a'])
  })
})

onMariadb('two reads that are asked of MariaDB together', () => {
  const count = { sql: 'select count(*) from seq_1_to_100 where seq <= ?', values: [3] }
  const rows = { sql: 'select seq from seq_1_to_100 order by seq limit ?', values: [2] }
  const bare = { sql: 'select 7', values: [] }
  const asleep = (seconds: number) => ({ sql: 'select sleep(?)', values: [seconds] })

  async function open(settings: object = {}) {
    const database = await fresh(mariadb)
    const engine = await engineOn(database, settings)
    onTestFinished(() => engine.close())
    const told = async (name: string) =>
      Number((await engine.reader.all(`show session status like '${name}'`, []))[0]?.[1])
    const together = (statements: readonly Statement[]) => askedTogether(engine.reader, statements)
    return { engine, database, told, together }
  }

  it('give what each gives alone, in one round trip', async () => {
    const { told, together } = await open()
    for (const asked of [[count, rows] as const, [rows, count] as const]) {
      await together(asked)
      const before = await told('Questions')
      const found = await together(asked)
      assert.equal((await told('Questions')) - before, 2, 'and one for what is told')
      assert.deepEqual(
        found.toSorted((a, b) => a.length - b.length),
        [[['3']], [['1'], ['2']]],
      )
    }
    assert.deepEqual(await together([rows, bare]), [[['1'], ['2']], [[7]]])
    assert.deepEqual(await together([rows, { ...bare, sql: 'select 7 -- no part of a block' }]), [
      [['1'], ['2']],
      [[7]],
    ])
  })

  for (const place of [0, 1])
    it(`fail with the error of the one that fails (${place + 1}), and leave the connection as it was`, async () => {
      const { together } = await open()
      const missing = { sql: 'select text from nothing where id = ?', values: [1] }
      const asked = (other: typeof missing) => (place === 0 ? [other, rows] : [rows, other])
      for (let times = 0; times < 2; times += 1) {
        await assert.rejects(together(asked(missing)), (error: { code?: string }) => error.code === 'ER_NO_SUCH_TABLE')
        assert.deepEqual((await together(asked(count)))[1 - place], [['1'], ['2']])
      }
    })

  it('have the time of one statement each, also where that is too long for them in one piece', async () => {
    const { engine, told, together } = await open({ statementTimeout: 400 })
    const exceeded = 'Max_statement_time_exceeded'
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual(await together([asleep(0.25), asleep(0.25)]), [[[0]], [[0]]])
      assert.equal(await told(exceeded), 1, 'they are asked one by one from then on')
    }
    const limited = together([rows, asleep(10)])
    await assert.rejects(limited, error => engine.classify(error)?.kind === 'timeout')
    assert.deepEqual(await together([rows, count]), [[['1'], ['2']], [['3']]])
  })

  it('are asked again where their connection is lost', async () => {
    const { database, together } = await open()
    const lock = { sql: 'select get_lock(?, 30)', values: [randomUUID()] }
    const other = await engineOn(database)
    await other.reader.all(lock.sql, lock.values)
    const waiting = together([rows, lock])
    const kill = `select id from information_schema.processlist where state = 'User lock' and db = database()`
    let held: Awaited<ReturnType<typeof run>> = []
    while (held.length === 0) held = await run(database, kill)
    await run(database, `kill ${Object.values(held[0] as object)[0]}`)
    await other.close()
    assert.deepEqual(await waiting, [[['1'], ['2']], [[1]]])
  })
})
