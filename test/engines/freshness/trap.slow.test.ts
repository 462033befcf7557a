import { strict as assert } from 'node:assert'
import mysql from 'mysql2'
import { afterAll, beforeAll, describe, inject, it, vi } from 'vitest'
import { RemoteVersions, type StateNames } from '../../../core/cache/remote-versions.js'
import { VersionedCache } from '../../../core/cache/versioned-cache.js'
import type { Connection } from '../../../core/engines/mysql/connection.js'
import { OwnGtids } from '../../../core/engines/mysql/own-gtids.js'
import { statesOf } from '../../../core/engines/mysql/states.js'
import type { DatabaseServer } from '../../support/servers.js'
import { checkRegisters, type Raise, type RegisterReader } from './register.js'
import { databaseOn, type Program, programOn, startLogging } from './worlds.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const declare = inject('absent').mysql === undefined ? describe : describe.skip

declare('states of MariaDB', () => {
  let server: DatabaseServer
  let programs: [Program, Program]
  let database: Awaited<ReturnType<typeof databaseOn>>
  const checks: RemoteVersions<Connection>[] = []
  beforeAll(async () => {
    // A commit waits between its log and becoming visible, as one waits for a slow disk there.
    server = await startLogging({ rpl_semi_sync_master_timeout: 60_000, rpl_semi_sync_master_wait_point: 'AFTER_SYNC' })
    database = await databaseOn(server)
    programs = [await programOn(database), await programOn(database)]
    await programs[0].run('create table notes (id int primary key, value int) engine = InnoDB')
  })
  afterAll(async () => {
    for (const check of checks) check.close()
    for (const program of programs ?? []) await program.end()
    await server?.stop()
  })

  const exact = (gtids = new OwnGtids()): StateNames<Connection> => {
    const { client, ...address } = database
    return statesOf({
      open: async () => mysql.createConnection({ ...address, rowsAsArray: true, multipleStatements: true }) as never,
      generation: () => 0,
      gtids,
    })
  }
  /** The trap: a name that changes before a write is visible. */
  const early = (): StateNames<Connection> => ({
    ...exact(),
    name: connection =>
      new Promise((resolve, reject) => {
        connection.query('select @@global.gtid_binlog_pos', (error, rows) =>
          error ? reject(error) : resolve(String((rows as unknown[][])[0]?.[0])),
        )
      }),
  })

  /** Reads values of notes by the rules of cached responses. */
  function cachedBy(names: StateNames<Connection>) {
    const check = new RemoteVersions(names)
    checks.push(check)
    const cache = new VersionedCache<readonly number[]>(check, 1000, () => 1)
    return async (reader: Program): Promise<readonly number[]> => {
      const read = async () => {
        const [rows] = (await reader.run('select value from notes order by id')) as [{ value: number }[]]
        return rows.map(({ value }) => value)
      }
      const at = await check.state()
      if (at === undefined) return read()
      return (await cache.get('notes', at, async () => ({ value: await read(), names: [['notes']] }))).value
    }
  }

  it('are asked for again before the requests that they have served go on', async () => {
    const names = exact()
    const order: string[] = []
    const name = async (connection: Connection) => {
      order.push('asked')
      return names.name(connection)
    }
    const check = new RemoteVersions({ ...names, name })
    checks.push(check)
    const served = async () => {
      await check.state()
      order.push('served')
    }
    const first = served()
    while (order.length === 0) await new Promise(setImmediate)
    // These come while the first check is in flight.
    await Promise.all([first, served(), served()])
    assert.deepEqual(order, ['asked', 'asked', 'served', 'served', 'served'])
    await served()
    assert.deepEqual(order.slice(5), ['asked', 'served'])
  })

  const positionNow = async () =>
    String(((await programs[1].run('select @@global.gtid_binlog_pos as p')) as [{ p: string }[]])[0][0]?.p)

  /** Does something between the log of a statement's commit and its becoming visible. */
  async function heldCommit<T>(sql: string, meanwhile: () => Promise<T>) {
    const [writer, other] = programs
    const before = await positionNow()
    await other.run('set global rpl_semi_sync_master_enabled = 1')
    const commit = writer.run(sql)
    while ((await positionNow()) === before) await new Promise(setImmediate)
    const done = await meanwhile()
    await other.run('set global rpl_semi_sync_master_enabled = 0')
    return { done, committed: await commit }
  }

  /** Reads before and after the acknowledgement of a commit that was held between its log and becoming visible. */
  async function aroundHeldCommit(names: StateNames<Connection>) {
    const [, reader] = programs
    await reader.run('replace into notes values (1, 1)')
    const read = cachedBy(names)
    const { done: held } = await heldCommit('update notes set value = 2 where id = 1', () => read(reader))
    return { held, acknowledged: await read(reader) }
  }

  it('are not named by gtid_binlog_pos alone: what was read before a commit was visible counts as read after it', async () => {
    assert.deepEqual(await aroundHeldCommit(early()), { held: [1], acknowledged: [1] })
  })

  it('are named together with Binlog_commits', async () => {
    assert.deepEqual(await aroundHeldCommit(exact()), { held: [1], acknowledged: [2] })
  })

  /** States, and writes of ours that are told apart from those of others. */
  async function withOwn(isStrict: boolean) {
    const [writer, other] = programs
    await other.run(`set global gtid_strict_mode = ${Number(isStrict)}`)
    await other.run('replace into notes values (1, 1)')
    await writer.run("set session session_track_system_variables = 'last_gtid'")
    const own = new OwnGtids()
    const names = exact(own)
    const connection = await names.open()
    await names.inspect?.(connection)
    const name = () => names.name(connection)
    const write = async (commit: unknown, table: string) => {
      const [{ stateChanges }] = (await commit) as [{ stateChanges: { systemVariables: { last_gtid: string } } }]
      own.add(stateChanges.systemVariables.last_gtid, [{ table }])
    }
    await write(writer.run('update notes set value = 2 where id = 1'), 'first')
    return { own, names, name, write, close: () => names.close(connection) }
  }

  it('have changed by a write of ours that was logged at the first and became visible after it', async () => {
    const { names, name, write, close } = await withOwn(true)
    await name()
    let held = ''
    const { committed } = await heldCommit('update notes set value = 3 where id = 1', async () => {
      held = await name()
    })
    await write(committed, 'second')
    const later = await name()
    const changes = await names.changes?.(held, later)
    assert.deepEqual(changes, [{ table: 'second' }])
    assert.equal(names.by, 'gtid_binlog_pos and Binlog_commits')
    assert.equal(held.split(' ')[0], later.split(' ')[0], 'the position shows it before')
    close()
  })

  it('may have changed by anything without gtid_strict_mode, as a program may give its transactions old numbers', async () => {
    const { own, names, name, write, close } = await withOwn(false)
    const before = await name()
    const visible = own.last
    const [writer, other] = programs
    await other.run('set session gtid_seq_no = 1')
    await other.run('update notes set value = 4 where id = 1')
    await write(writer.run('update notes set value = 5 where id = 1'), 'second')
    const after = await name()
    const positions = [before, after].map(state => state.split(' ')[0] as string) as [string, string]
    assert.deepEqual(
      await own.between(...positions, visible),
      [{ table: 'second' }],
      'what the other has written is not seen',
    )
    assert.equal(await names.changes?.(before, after), undefined)
    assert.match(names.by, /every write invalidates all of them, without gtid_strict_mode/)
    close()
  })

  /** The checker, on commits that are held. */
  async function violationsOf(names: StateNames<Connection>): Promise<number> {
    await programs[0].run('replace into notes values (1, 0), (2, 0)')
    const readers = [await programOn(database), await programOn(database)]
    const read = cachedBy(names)
    const reads = readers.map(
      (reader): RegisterReader =>
        () =>
          read(reader),
    )
    const raises = (): Raise[] => [
      async (register, value) => {
        await heldCommit(`update notes set value = ${value} where id = ${register + 1}`, async () => {
          for (let times = 0; times < 10; times += 1) await positionNow()
        })
        return true
      },
    ]
    const { violations } = await checkRegisters({ count: 2, reads, raises, length: 2000, writers: 1 })
    for (const reader of readers) await reader.end()
    return violations.length
  }

  it('are told apart by the checker, which finds the early ones', async () => {
    assert.ok((await violationsOf(early())) > 0, 'the checker finds stale reads')
    assert.equal(await violationsOf(exact()), 0)
  })
})
