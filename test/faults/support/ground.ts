import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished } from 'vitest'
import type { EngineName } from '../../support/engine-choice.js'
import { type DatabaseSettings, type Engine, engines } from '../../support/engines.js'
import {
  type Address,
  type DatabaseServer,
  type ServerOptions,
  startMariadb,
  startPostgres,
} from '../../support/servers.js'

/** A database that a test may do anything to. */
export interface Ground {
  readonly database: DatabaseSettings
  /** How a server is told where it is. */
  readonly env: Record<string, string>
  /** Its own server process; SQLite has none. */
  readonly server: DatabaseServer | undefined
  end(): Promise<void>
}

const name = 'faults'

export async function groundOf(engine: EngineName, options: ServerOptions = {}): Promise<Ground> {
  if (engine === 'sqlite') return fileGround()
  const server = await (engine === 'mysql' ? startMariadb : startPostgres)({
    // What a commit has promised is on disk, as in production.
    settings: { ...(engine === 'postgres' && { fsync: 'on' }), ...options.settings },
  })
  await server.createDatabase(name)
  const database = { client: engine, database: name, ...addressOf(server) }
  return { database, env: envOf(database), server, end: () => server.stop() }
}

const addressOf = ({ host, port, user, password }: Address): Address => ({ host, port, user, password })

function fileGround(): Ground {
  const folder = mkdtempSync(join(tmpdir(), 'stele-faults-'))
  const database = { client: 'sqlite', filename: join(folder, 'data.db') } as const
  return {
    database,
    env: envOf(database),
    server: undefined,
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

export function envOf(database: DatabaseSettings): Record<string, string> {
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

/** The same suite for every engine that is a server of its own. */
export function onEveryServer(title: string, suite: (engine: Engine) => void): void {
  for (const engine of engines.filter(({ name }) => name !== 'sqlite')) {
    const declare = engine.available ? describe : describe.skip
    declare(`${title} on ${engine.name}`, () => suite(engine))
  }
}

/** A database on the server that all tests share, for those that leave it alone. */
export async function groundIn(engine: Engine): Promise<Ground> {
  const { database, env, drop } = await engine.fresh()
  onTestFinished(drop)
  return { database, env, server: undefined, end: drop }
}
