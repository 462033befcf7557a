import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { BootError } from '../errors.js'
import { type Address, addresses, readAddress } from './address.js'
import { engineOf } from './engines.js'
import type { ConfigFile } from './files.js'
import { readPlaces } from './hosts.js'
import { isSection, merge } from './merge.js'
import type { Project } from './project.js'
import { readReplicas, type SaidReplica } from './replicas.js'
import type { DatabaseConfig, Engine, Section } from './types.js'
import type { ReadVariable } from './variables.js'

/** The flat shape: what a file may say, once its shape no longer matters. */
interface Said extends Partial<Omit<DatabaseConfig, 'client' | 'host' | 'port' | 'pool' | 'replicas'>> {
  readonly client?: string
  readonly host?: string | readonly string[]
  readonly port?: number | string
  readonly url?: string
  readonly pool?: { readonly min?: number; readonly max?: number }
  readonly replicas?: readonly SaidReplica[]
}

const places = ['filename', 'host', 'port', 'database', 'user', 'password'] as const

/** File first, then DATABASE_URL, then the single variables, then what is usual. */
export function readDatabase(
  appDir: string,
  file: ConfigFile | undefined,
  overrides: unknown,
  variable: ReadVariable,
  project: Project = 'stele',
): DatabaseConfig {
  const written = inApp(appDir, file, flat((file?.value ?? {}) as Section))
  const over = flat((overrides ?? {}) as Section)
  const said = merge(saysWhere(over) ? { ...written, url: undefined } : written, over) as Said
  const address = addressOf(said, variable)
  const client = address?.client ?? engineOf(said.client ?? '') ?? variable('DATABASE_CLIENT') ?? 'sqlite'
  const place = { ...said, ...address }
  const primary = {
    client,
    ...(client === 'sqlite' ? sqlitePlace(appDir, place, variable) : serverPlace(client, place, variable)),
    ssl: place.ssl ?? variable('DATABASE_SSL') ?? false,
  }
  return {
    ...primary,
    synchronous: said.synchronous ?? 'full',
    // Strapi 4 keeps dates as the clock of its own process shows them.
    timezone: said.timezone ?? (project === 'strapi4' ? 'local' : 'Z'),
    pool: poolOf(said),
    acquireTimeout: said.acquireTimeout ?? 10_000,
    // While SQLite works, everybody waits.
    statementTimeout: said.statementTimeout ?? (client === 'sqlite' ? 250 : 10_000),
    readYourWrites: said.readYourWrites ?? true,
    replicas: readReplicas(said.replicas ?? [], primary),
    maxLag: said.maxLag ?? 5000,
  }
}

/** Both shapes of the file, and both names of a key, as one. */
function flat(file: Section): Said {
  if (!isSection(file.connection)) {
    const { name, username, ...rest } = file
    return merge(rest, { database: name, user: username }) as Said
  }
  const { connection, pool = {}, client, acquireConnectionTimeout } = file.connection as Record<string, Section>
  const { connectionString, ...place } = connection ?? {}
  const { synchronous, statementTimeout, acquireTimeout, readYourWrites, replicas, maxLag } = file
  const wait = acquireTimeout ?? pool.acquireTimeoutMillis ?? acquireConnectionTimeout
  const { min, max } = pool
  const own = { acquireTimeout: wait, synchronous, statementTimeout, readYourWrites, replicas, maxLag }
  return merge(place, { client, url: connectionString, pool: { min, max }, ...own }) as Said
}

/**
 * Older TypeScript projects run from dist/, one folder deeper than they are written: a path that climbs out of
 * dist/config climbs out of the app here, and means the app itself.
 */
function inApp(appDir: string, file: ConfigFile | undefined, said: Said): Said {
  const compiled = file?.sources.some(source => source.file.endsWith('.ts'))
  const nested = isSection(file?.value) && 'connection' in file.value
  if (!compiled || !nested || !said.filename) return said
  const climbed = relative(dirname(appDir), said.filename)
  const outside = !climbed.startsWith('..') && relative(appDir, said.filename).startsWith('..')
  return outside && !existsSync(said.filename) ? { ...said, filename: join(appDir, climbed) } : said
}

/** A file that says where the database is needs no DATABASE_URL, and must not get half of one. */
function addressOf(said: Said, variable: ReadVariable): Address | undefined {
  const source = said.url ? 'config/database: url' : 'DATABASE_URL'
  const address = said.url ? readAddress(said.url) : saysWhere(said) ? undefined : variable('DATABASE_URL')
  if (said.url && !address) throw new BootError(`${source} cannot be read; right would be ${addresses}`)
  const client = engineOf(said.client ?? '') ?? (address && variable('DATABASE_CLIENT'))
  if (address && client && client !== address.client) {
    const other = said.client ? 'config/database: client' : 'DATABASE_CLIENT'
    throw new BootError(`${source} is the address of a ${address.client} database while ${other} says ${client}`)
  }
  return address
}

function saysWhere(said: Said): boolean {
  return places.some(key => said[key] !== undefined)
}

function sqlitePlace(appDir: string, said: Said, variable: ReadVariable): Pick<DatabaseConfig, 'filename'> {
  const filename = said.filename || variable('DATABASE_FILENAME') || '.tmp/data.db'
  return { filename: filename === ':memory:' ? filename : resolve(appDir, filename) }
}

function serverPlace(client: Engine, said: Said, variable: ReadVariable): Partial<DatabaseConfig> {
  const database = said.database ?? variable('DATABASE_NAME')
  if (!database) {
    throw new BootError(`config/database does not name the ${client} database; set its name there, or DATABASE_NAME`)
  }
  const port = Number(said.port ?? variable('DATABASE_PORT') ?? (client === 'mysql' ? 3306 : 5432))
  const [place, ...fallbacks] = readPlaces(said.host ?? variable('DATABASE_HOST') ?? '127.0.0.1', port, client)
  return {
    ...place,
    ...(fallbacks.length > 0 && { fallbacks }),
    database,
    user: said.user ?? variable('DATABASE_USERNAME'),
    password: said.password ?? variable('DATABASE_PASSWORD'),
    schema: said.schema,
  }
}

function poolOf({ pool }: Said): DatabaseConfig['pool'] {
  const max = pool?.max ?? Math.max(10, pool?.min ?? 0)
  const min = pool?.min ?? 0
  if (min > max) throw new BootError(`config/database: pool.min is ${min}, more than pool.max, which is ${max}`)
  return { min, max }
}
