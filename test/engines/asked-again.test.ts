import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, RawRow, Session, Statement } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'
import { askedTogether } from '../support/batch.js'
import type { DatabaseSettings } from '../support/engines.js'
import { postgres } from '../support/every-engine.js'
import { run } from '../support/run.js'

// In a process of its own: only so many statements of a process are prepared by name.
const onPostgres = describe.skipIf(!postgres.available)

interface SingleConnection {
  readonly engine: Engine
  readonly database: DatabaseSettings
  /** The parts of a session that several statements need. */
  together(statements: readonly Statement[]): Promise<readonly (readonly RawRow[])[]>
}

/** An engine with one connection, so that each statement is asked where it was asked before. */
async function open(settings: object = {}): Promise<SingleConnection> {
  const { database, drop } = await postgres.fresh()
  onTestFinished(drop)
  const overrides = { database: { ...database, pool: { min: 0, max: 1 }, ...settings } } as never
  const config = await loadConfig(process.cwd(), { bare: true, env: {}, overrides })
  const engine = await openEngine(config.database, createLog('silent'))
  onTestFinished(() => engine.close())
  return { engine, database, together: statements => askedTogether(engine.reader, statements) }
}

const codeOf = (error: unknown) => (error as { code?: string }).code

/** The statement that is asked here, by the driver first and then as one that the connection knows. */
async function twice(session: Session, sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
  const first = await session.all(sql, values)
  const again = await session.all(sql, values)
  assert.deepEqual(again, first)
  return again
}

onPostgres('a statement that a connection of PostgreSQL has prepared', () => {
  const types = [
    'text',
    'int',
    'bigint',
    'float8',
    'real',
    'smallint',
    'numeric',
    'boolean',
    'date',
    'time',
    'timestamp',
  ]
  // Short ones are written letter by letter, up to the first that is not ASCII.
  const lengths = Array.from({ length: 30 }, (_, length) => 'x'.repeat(length))
  const ofAllLengths = lengths.flatMap(text => [text, `${text}ä`, `€${text}`, `${text}😀`, `${text}\ud800`])
  const cases: readonly { says: string; sql: string; values: readonly unknown[] }[] = [
    { says: 'nothing', sql: types.map(type => `?::${type}`).join(), values: types.map(() => null) },
    { says: 'what is absent', sql: '?::text', values: [undefined] },
    { says: 'texts', sql: '?::text, ?::text, ?::text', values: ['', 'o\'b\\"{},', 'ä€😀\n\t'] },
    { says: 'texts of all lengths', sql: ofAllLengths.map(() => '?::text').join(), values: ofAllLengths },
    { says: 'half of a character', sql: '?::text', values: ['\ud800'] },
    { says: 'a long text', sql: '?::text', values: ['ä'.repeat(1_000_000)] },
    { says: 'integers', sql: '?::int, ?::smallint, ?::bigint', values: [-2147483648, 7, 2 ** 53] },
    { says: 'a bigint', sql: '?::bigint', values: [9007199254740993n] },
    { says: 'numbers', sql: '?::float8, ?::real, ?::numeric, ?::float8', values: [1e300, 0.5, 1e21, -0] },
    { says: 'no numbers', sql: '?::float8, ?::float8', values: [Number.NaN, Number.NEGATIVE_INFINITY] },
    { says: 'truth', sql: '?::boolean, ?::boolean, ?::text', values: [true, false, true] },
    {
      says: 'times',
      sql: '?::date, ?::time, ?::timestamp',
      values: ['2024-02-29', '01:02:03', '2024-02-29 01:02:03.5'],
    },
    { says: 'a document', sql: '?::jsonb', values: ['{"a":[1,"b",null]}'] },
    { says: 'an object', sql: '?::jsonb', values: [{ a: [1, 'b', null] }] },
    { says: 'lists of ids', sql: '?::int[], ?::int[]', values: [[1, 2, 3], []] },
    { says: 'a list of texts', sql: '?::text[]', values: [['a,b', '"', 'NULL']] },
    { says: 'a moment', sql: '?::timestamptz', values: [new Date(0)] },
    { says: 'bytes', sql: '?::bytea', values: [Buffer.from([0, 1, 255])] },
    { says: 'many values', sql: Array.from({ length: 1000 }, () => '?::int').join(), values: [...Array(1000).keys()] },
  ]
  for (const { says, sql, values } of cases)
    it(`takes and gives the same again: ${says}`, async () => {
      const { engine } = await open()
      await twice(engine.reader, `select ${sql}`, values)
    })

  it('gives as many rows as there are, also none', async () => {
    const { engine } = await open()
    const sql = 'select i, i::text, null from generate_series(1, ?::int) i'
    for (const count of [0, 1, 5000, 0])
      assert.deepEqual(
        await engine.reader.all(sql, [count]),
        Array.from({ length: count }, (_, index) => [index + 1, `${index + 1}`, null]),
      )
  })

  it('tells how many rows it has changed, and the id of one that is new', async () => {
    const { engine } = await open()
    await engine.alter(['create table notes (id serial primary key, text text)'])
    const insert = 'insert into notes (text) values (?) returning id'
    for (const id of [1, 2, 3]) assert.deepEqual(await engine.reader.run(insert, ['a']), { changes: 1, id })
    const update = 'update notes set text = text where id > ?'
    for (const changes of [3, 2, 1, 0])
      assert.deepEqual(await engine.reader.run(update, [3 - changes]), { changes, id: 0 })
  })

  it('that fails leaves the connection as it was', async () => {
    const { engine } = await open()
    const sql = 'select 6 / ?::int from generate_series(1, 2)'
    await twice(engine.reader, sql, [1])
    for (let times = 0; times < 2; times += 1) {
      await assert.rejects(
        async () => engine.reader.all(sql, [0]),
        error => codeOf(error) === '22012',
      )
      assert.deepEqual(await engine.reader.all(sql, [2]), [[3], [3]])
    }
  })

  it('that fails between its rows gives none of them', async () => {
    const { engine } = await open()
    const sql = 'select 1000 / (?::int - i) from generate_series(1, 10000) i'
    await twice(engine.reader, sql, [-1])
    await assert.rejects(
      async () => engine.reader.all(sql, [9000]),
      error => codeOf(error) === '22012',
    )
    assert.deepEqual((await engine.reader.all(sql, [20_000])).length, 10_000)
  })

  it('is ended by the limit of its time', async () => {
    const { engine } = await open({ statementTimeout: 300 })
    const sql = 'select count(*) from generate_series(1, ?::bigint)'
    await twice(engine.reader, sql, [1])
    await assert.rejects(
      async () => engine.reader.all(sql, [1e12]),
      error => engine.classify(error)?.kind === 'timeout',
    )
    assert.deepEqual(await engine.reader.all(sql, [2]), [['2']])
  })

  it('is asked again on another connection where its own is lost', async () => {
    const { engine, database } = await open()
    const sql = 'select pg_advisory_xact_lock(?)::text'
    await twice(engine.reader, sql, [1])
    const release = await holding(database)
    const waiting = Promise.resolve(engine.reader.all(sql, [1]))
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await run(database, kill)).length === 0);
    await release()
    assert.deepEqual(await waiting, [['']])
  })

  it('that writes is not, as it may be stored', async () => {
    const { engine } = await open()
    const sql = 'select pg_terminate_backend(case when ?::boolean then pg_backend_pid() else 0 end)'
    await engine.reader.run(sql, [false])
    await engine.reader.run(sql, [false])
    await assert.rejects(
      async () => engine.reader.run(sql, [true]),
      error => engine.classify(error)?.kind === 'unavailable',
    )
    assert.deepEqual(await engine.reader.all(sql, [false]), [[false]])
  })

  it('is prepared anew where its columns have become others', async () => {
    const { engine, database } = await open()
    await engine.alter(['create table notes (id int)', 'insert into notes values (1)'])
    const sql = 'select * from notes where id >= ?'
    assert.deepEqual(await twice(engine.reader, sql, [1]), [[1]])
    await run(database, "alter table notes add column text text default 'a'")
    assert.deepEqual(await twice(engine.reader, sql, [1]), [[1, 'a']])
    await run(database, 'alter table notes alter column id type text')
    const other = 'select * from notes where id >= ?::text'
    assert.deepEqual(await twice(engine.reader, other, ['1']), [['1', 'a']])
    await run(database, 'alter table notes alter column id type bigint using id::bigint')
    assert.deepEqual(await twice(engine.reader, sql, [1]), [['1', 'a']])
  })

  it('is prepared anew where the server does not know its name', async () => {
    const { engine } = await open()
    const sql = 'select ?::int'
    await twice(engine.reader, sql, [1])
    await engine.reader.run('deallocate all', [])
    assert.deepEqual(await twice(engine.reader, sql, [2]), [[2]])
  })

  for (const [says, change] of [
    ['its columns have become others', 'alter table notes add column text text'],
    ['the server does not know its name', 'deallocate all'],
  ] as const)
    it(`has a transaction run again where ${says}`, async () => {
      const { engine } = await open()
      await engine.alter(['create table notes (id int)'])
      const [insert, sql] = ['insert into notes (id) values (?)', 'select * from notes where id = ?']
      await twice(engine.reader, sql, [1])
      await engine.reader.run(change, [])
      let attempts = 0
      const found = await engine.transaction(async session => {
        attempts += 1
        await session.run(insert, [7])
        return session.all(sql, [7])
      })
      assert.equal(found[0]?.[0], 7)
      assert.equal(attempts, 2)
      assert.deepEqual(await engine.reader.all('select count(*) from notes', []), [['1']])
    })

  it('that is not supported at a second look is refused as what it is', async () => {
    const { engine } = await open()
    await engine.alter([
      `create function maybe(yes boolean) returns int language plpgsql as $$ begin
        if not yes then raise exception 'not now' using errcode = '0A000'; end if; return 1; end $$`,
    ])
    const sql = 'select maybe(?)'
    await twice(engine.reader, sql, [true])
    for (let times = 0; times < 3; times += 1)
      await assert.rejects(async () => engine.reader.all(sql, [false]), /not now/)
    let attempts = 0
    const asking = engine.transaction(async session => {
      attempts += 1
      return session.all(sql, [false])
    })
    await assert.rejects(asking, /not now/)
    assert.ok(attempts <= 2, `${attempts} attempts`)
    assert.deepEqual(await twice(engine.reader, sql, [true]), [[1]])
  })
})

onPostgres('two reads that are asked of PostgreSQL together', () => {
  const count = { sql: 'select count(*) from generate_series(1, ?::bigint)', values: [3] }
  const rows = { sql: 'select i from generate_series(1, ?::int) i', values: [2] }
  const divide = (by: number) => ({ sql: 'select 6 / ?::int', values: [by] })
  const bare = { sql: 'select 7', values: [] }

  it('give what each gives alone', async () => {
    const { together } = await open()
    for (let times = 0; times < 3; times += 1) {
      assert.deepEqual(await together([count, rows]), [[['3']], [[1], [2]]])
      assert.deepEqual(await together([rows, bare]), [[[1], [2]], [[7]]])
    }
  })

  for (const place of [0, 1])
    it(`fail with the error of the one that fails (${place + 1}), and leave the connection as it was`, async () => {
      const { together } = await open()
      const asked = (by: number) => (place === 0 ? [divide(by), rows] : [rows, divide(by)])
      for (const by of [1, 2, 3]) assert.deepEqual((await together(asked(by)))[place], [[6 / by]])
      for (let times = 0; times < 2; times += 1) {
        await assert.rejects(together(asked(0)), error => codeOf(error) === '22012')
        assert.deepEqual((await together(asked(1)))[1 - place], [[1], [2]])
      }
    })

  it('are ended by the limit of their time, each by its own', async () => {
    const { engine, together } = await open({ statementTimeout: 300 })
    for (let times = 0; times < 2; times += 1) await together([rows, count])
    await assert.rejects(
      together([rows, { ...count, values: [1e12] }]),
      error => engine.classify(error)?.kind === 'timeout',
    )
    assert.deepEqual(await together([rows, count]), [[[1], [2]], [['3']]])
  })

  for (const change of ['alter table notes add column text text', 'deallocate all'])
    it(`are prepared anew after ${change}`, async () => {
      const { engine, together } = await open()
      await engine.alter(['create table notes (id int)', 'insert into notes values (1)'])
      const notes = { sql: 'select * from notes where id >= ?', values: [1] }
      for (let times = 0; times < 3; times += 1) await together([count, notes])
      await engine.reader.run(change, [])
      for (let times = 0; times < 3; times += 1) {
        const [, found] = await together([count, notes])
        assert.equal(found?.[0]?.[0], 1)
      }
    })

  it('are asked again where their connection is lost', async () => {
    const { database, together } = await open()
    const lock = { sql: 'select pg_advisory_xact_lock(?)::text', values: [1] }
    for (let times = 0; times < 2; times += 1) await together([rows, lock])
    const release = await holding(database)
    const waiting = together([rows, lock])
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await run(database, kill)).length === 0);
    await release()
    assert.deepEqual(await waiting, [[[1], [2]], [['']]])
  })
})

/** Takes the lock of the tests on a connection of its own. */
async function holding(database: DatabaseSettings): Promise<() => Promise<void>> {
  const overrides = { database: { ...database, pool: { min: 0, max: 1 } } } as never
  const config = await loadConfig(process.cwd(), { bare: true, env: {}, overrides })
  const other = await openEngine(config.database, createLog('silent'))
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  let taken = () => {}
  const isTaken = new Promise<void>(resolve => {
    taken = resolve
  })
  const transaction = other.transaction(async session => {
    await session.all('select pg_advisory_xact_lock(?)', [1])
    taken()
    await ended
  })
  await isTaken
  return async () => {
    end()
    await transaction
    await other.close()
  }
}
