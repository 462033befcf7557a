import { tmpdir } from 'node:os'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, describe } from 'vitest'
import { type DatabaseSettings, type Engine, engines } from '../../support/engines.js'
import { type DatabaseServer, startMariadb, startPostgres } from '../../support/servers.js'
import { DatabaseSync } from '../../support/sqlite.js'
import type { Raise } from './register.js'

/** A program beside the app that writes to its database. */
export interface Program {
  run(sql: string): Promise<unknown>
  end(): unknown
}

export async function programOn(database: DatabaseSettings): Promise<Program> {
  if (database.client === 'sqlite') {
    const file = new DatabaseSync(database.filename, { timeout: 5000 })
    return { run: async sql => file.exec(sql), end: () => file.close() }
  }
  const { client, ...address } = database
  if (client === 'mysql') {
    const connection = await mysql.createConnection(address)
    return { run: sql => connection.query(sql), end: () => connection.end() }
  }
  const connection = new pg.Client(address)
  await connection.connect()
  return { run: sql => connection.query(sql), end: () => connection.end() }
}

let transactions = 0

/** Writes of other programs that raise the value of a note: at once, late, undone, in part, and prepared first. */
export function foreignRaises(client: DatabaseSettings['client'], programs: readonly [Program, Program]): Raise[] {
  const [first, second] = programs
  // Several writers share the connections; a transaction has one for itself.
  const alone = exclusive()
  const set = (value: number, register: number) => `update notes set value = ${value} where id = ${register + 1}`
  const each = async (program: Program, statements: readonly string[]) => {
    for (const sql of statements) await program.run(sql)
  }
  const begin = client === 'sqlite' ? 'begin immediate' : 'begin'
  const inOne = (statements: (value: number, register: number) => string[], isStored: boolean): Raise => {
    return (register, value) =>
      alone(async () => {
        await each(first, statements(value, register))
        return isStored
      })
  }
  const plain: Raise[] = [
    inOne((value, register) => [set(value, register)], true),
    inOne((value, register) => [begin, set(-value, register), set(value, register), 'commit'], true),
    inOne((value, register) => [begin, set(-value, register), 'rollback'], false),
    inOne(
      (value, register) => [
        ...[begin, set(value, register), 'savepoint s', set(-value, register)],
        ...['rollback to savepoint s', 'commit'],
      ],
      true,
    ),
  ]
  if (client === 'sqlite') return plain
  const named = () => {
    transactions += 1
    return `'t${transactions}'`
  }
  /** Prepared by one program, and ended by the same or by the other one. */
  const prepared = (ender: Program, isStored: boolean): Raise => {
    return (register, value) =>
      alone(async () => {
        const name = named()
        const change = set(isStored ? value : -value, register)
        const end = isStored ? 'commit' : 'rollback'
        if (client === 'postgres') {
          await each(first, ['begin', change, `prepare transaction ${name}`])
          await ender.run(`${end} prepared ${name}`)
        } else {
          await each(first, [`xa start ${name}`, change, `xa end ${name}`, `xa prepare ${name}`])
          await ender.run(`xa ${end} ${name}`)
        }
        return isStored
      })
  }
  // MariaDB ties a prepared transaction to its connection until that ends.
  return client === 'postgres'
    ? [...plain, prepared(first, true), prepared(second, true), prepared(second, false)]
    : [...plain, prepared(first, true), prepared(first, false)]
}

/** Runs one piece of work after the other. */
function exclusive() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}

/** A server that names its states: with a binary log that is flushed, as in production. */
export const startLogging = (settings: Record<string, string | number> = {}): Promise<DatabaseServer> =>
  startMariadb({
    parent: tmpdir(),
    settings: { skip_log_bin: 0, log_bin: 'log', server_id: 1, debug_no_sync: 0, sync_binlog: 1, ...settings },
  })

/** Starts a server that also tells transactions of this process from those of others. */
export const startTelling = (): Promise<DatabaseServer> => startLogging({ gtid_strict_mode: 1 })

/** The same suite once per engine and way to know what was written; MariaDB is one that has what cached responses need. */
export function onEveryCachingEngine(title: string, suite: (engine: Engine, soleWriter: boolean) => void): void {
  for (const engine of engines) {
    const declare = engine.available ? describe : describe.skip
    declare(`${title} on ${engine.name}`, () => suite(engine.name === 'mysql' ? telling(engine) : engine, false))
    if (engine.name === 'mysql') declare(`${title} on mysql, to which only stele writes`, () => suite(engine, true))
  }
}

function telling(engine: Engine): Engine {
  let server: Promise<DatabaseServer> | undefined
  afterAll(async () => (await server)?.stop(), 120_000)
  return {
    ...engine,
    async fresh() {
      server ??= startTelling()
      return { env: {}, database: await databaseOn(await server), drop: async () => undefined }
    },
  }
}

export const startPreparing = (): Promise<DatabaseServer> =>
  startPostgres({ settings: { max_prepared_transactions: 10 } })

export async function databaseOn(server: DatabaseServer): Promise<DatabaseSettings> {
  const { client, host, port, user, password } = server
  const database = `fresh_${transactions}_${process.pid}`
  transactions += 1
  await server.createDatabase(database)
  return { client, host, port, user, password, database }
}
