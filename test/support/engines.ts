import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, inject } from 'vitest'
import type { EngineName } from './engine-choice.js'
import type {} from './global-setup.js'
import './compile-once.js'
import './hash-once.js'
import { letGo } from './run.js'
import { type Address, type Databases, mariadbDatabases, postgresDatabases } from './servers.js'

export type DatabaseSettings =
  | { readonly client: 'sqlite'; readonly filename: string }
  | (Address & { readonly client: 'mysql' | 'postgres'; readonly database: string })

/** An empty database for one test file, as a process is told (`env`) and as code is told (`database`). */
export interface FreshDatabase {
  readonly env: Record<string, string>
  readonly database: DatabaseSettings
  drop(): Promise<void>
}

export interface Engine {
  readonly name: EngineName
  readonly available: boolean
  readonly reason?: string
  fresh(): Promise<FreshDatabase>
}

export const engines: readonly Engine[] = [
  engine('sqlite', freshFile),
  engine('mysql', () => freshDatabase('mysql', mariadbDatabases)),
  engine('postgres', () => freshDatabase('postgres', postgresDatabases)),
]

/** The one engine of tests that need a database, whichever it is. */
export const anyEngine = engines.find(({ available }) => available) as Engine

/** A suite about what is so on SQLite alone. */
export function onSqlite(title: string, suite: (engine: Engine) => void): void {
  for (const engine of engines) if (engine.name === 'sqlite') on(engine, title, suite)
}

/** A suite on an engine; one that is absent shows up as skipped, never as passed. */
export function on(engine: Engine, title: string, suite: (engine: Engine) => void, isTime = true): void {
  const declare = engine.available && isTime ? describe : describe.skip
  declare(`${title} on ${engine.name}`, () => suite(engine))
}

function engine(name: EngineName, fresh: Engine['fresh']): Engine {
  const reason = inject('absent')[name] ?? (name === 'sqlite' ? inject('withoutSqlite') : undefined)
  if (reason === undefined) return { name, available: true, fresh }
  return { name, available: false, reason, fresh: () => Promise.reject(new Error(`${name} is absent: ${reason}`)) }
}

async function freshFile(): Promise<FreshDatabase> {
  const folder = mkdtempSync(join(inject('folder'), 'db-'))
  const filename = join(folder, 'data.db')
  return {
    env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: filename },
    database: { client: 'sqlite', filename },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function freshDatabase(
  client: 'mysql' | 'postgres',
  databasesOf: (address: Address) => Databases,
): Promise<FreshDatabase> {
  const address = inject(client)
  // Servers start for files that import this one; an import the search cannot follow must not pass for a skipped engine.
  if (address === null) throw new Error(`${client} was not started: test/support/reaches.ts saw no need for it`)
  const database = `stele_${process.pid}_${randomBytes(6).toString('hex')}`
  const { createDatabase, dropDatabase } = databasesOf(address)
  await createDatabase(database)
  const settings = { client, database, ...address }
  return {
    env: {
      DATABASE_CLIENT: client,
      DATABASE_HOST: address.host,
      DATABASE_PORT: String(address.port),
      DATABASE_NAME: database,
      DATABASE_USERNAME: address.user,
      DATABASE_PASSWORD: address.password,
    },
    database: settings,
    async drop() {
      await letGo(settings)
      await dropDatabase(database)
    },
  }
}
