import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { type DatabaseSettings, type Engine, engines } from '../../support/engines.js'
import {
  type Address,
  type DatabaseServer,
  type ServerOptions,
  startMysqlKind,
  startPostgres,
} from '../../support/servers.js'
import { folderOf } from '../../support/terminal.js'
import type { Disk } from './held-disk.js'
import { isFull } from './length.js'

/** A database that a test may do anything to. */
export interface Ground {
  readonly database: DatabaseSettings
  /** Variables with the address of the database, for a server. */
  readonly env: Record<string, string>
  /** The database's own server process; SQLite has none. */
  readonly server: DatabaseServer | undefined
}

interface OwnOptions extends Pick<ServerOptions, 'settings'> {
  /** The disk of its data. */
  readonly disk?: Disk
}

/** Settings that make commits durable, as in production: the servers of other tests do not wait for a disk. */
const flushed = {
  mysql: { loose_debug_no_sync: 0, innodb_flush_method: 'O_DIRECT', innodb_doublewrite: 'ON' },
  postgres: { fsync: 'on' },
}

/** A server of an engine that the tests of the surrounding suite may do anything to; each gets a database of its own. */
export function ownServer({ name: engine }: Engine, { settings, disk }: OwnOptions = {}): () => Promise<Ground> {
  if (engine === 'sqlite') return async () => fileGround(disk ? mkdtempSync(join(disk.folder, 'sqlite-')) : folderOf())
  let server: DatabaseServer | undefined
  beforeAll(async () => {
    server = await (engine === 'mysql' ? startMysqlKind : startPostgres)({
      settings: { ...flushed[engine], ...settings },
      parent: disk?.folder ?? tmpdir(),
    })
  })
  afterAll(() => server?.stop())
  let count = 0
  return async () => {
    if (!server) throw new Error(`${engine} was not started`)
    count += 1
    const name = `faults_${count}`
    await server.createDatabase(name)
    const database = { client: engine, database: name, ...addressOf(server) }
    return { database, env: envOf(database), server }
  }
}

const addressOf = ({ host, port, user, password }: Address): Address => ({ host, port, user, password })

function fileGround(folder: string): Ground {
  const database = { client: 'sqlite', filename: join(folder, 'data.db') } as const
  return { database, env: envOf(database), server: undefined }
}

function envOf(database: DatabaseSettings): Record<string, string> {
  if (database.client === 'sqlite') return { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: database.filename }
  return {
    DATABASE_CLIENT: database.client,
    DATABASE_HOST: database.host,
    DATABASE_PORT: String(database.port),
    DATABASE_NAME: database.database,
    DATABASE_USERNAME: database.user,
    DATABASE_PASSWORD: database.password,
  }
}

/** The same suite on SQLite always, and on the others in the long form. */
export function onEveryEngineInFull(title: string, suite: (engine: Engine) => void): void {
  for (const engine of engines) {
    const declare = engine.available && (isFull || engine.name === 'sqlite') ? describe : describe.skip
    declare(`${title} on ${engine.name}`, () => suite(engine))
  }
}

/** A database on the server that all tests share, for those that leave it alone. */
export async function groundIn(engine: Engine): Promise<Ground> {
  const { database, env, drop } = await engine.fresh()
  onTestFinished(drop)
  return { database, env, server: undefined }
}
