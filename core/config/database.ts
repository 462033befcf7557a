import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { BootError } from '../errors.js'
import { type Address, addresses, assertTls, readAddress } from './address.js'
import { engineOf, isFile } from './engines.js'
import type { ConfigFile } from './files.js'
import { readPlaces } from './hosts.js'
import { isSection, merge, type Section } from './merge.js'
import { readReplicas, type SaidReplica } from './replicas.js'
import { readRows, type Surroundings } from './setting.js'
import { elsewhere, place as placeRows, database as rows } from './settings.js'
import type { DatabaseConfig } from './types.js'

/** The settings of a file in their flat shape, once its shape no longer matters. */
interface FlatSettings extends Partial<Omit<DatabaseConfig, 'client' | 'host' | 'port' | 'pool' | 'replicas'>> {
  readonly client?: string
  readonly host?: string | readonly string[]
  readonly port?: number | string
  readonly url?: string
  readonly pool?: { readonly min?: number; readonly max?: number }
  readonly replicas?: readonly SaidReplica[]
}

const places = ['filename', 'host', 'port', 'database', 'user', 'password'] as const

/** Reads the settings: the file first, then DATABASE_URL, then the single variables, then the defaults. */
export function readDatabase(
  appDir: string,
  file: ConfigFile | undefined,
  overrides: unknown,
  around: Surroundings,
): DatabaseConfig {
  const written = inApp(appDir, file, flat((file?.value ?? {}) as Section))
  const over = flat((overrides ?? {}) as Section)
  const said = merge(saysWhere(over) ? { ...written, url: undefined } : written, over) as FlatSettings
  const address = addressOf(said, around)
  const client = address?.client ?? rows.client.read(said.client, around)
  const place = { ...said, ...address }
  const { ssl, timezone } = placeRows
  const primary = {
    client,
    ...(isFile(client) ? filePlace(appDir, place, around) : serverPlace(place, { ...around, client })),
    ssl: ssl.read(place.ssl, around),
  }
  assertTls(primary.ssl, client)
  const facts = { ...around, ...primary }
  return {
    ...primary,
    ...readRows({ timezone, ...elsewhere }, said, facts),
    pool: poolOf(said, facts),
    replicas: readReplicas(said.replicas ?? [], primary, facts),
  }
}

/** The settings from both shapes of the file, and both names of a key, as one. */
function flat(file: Section): FlatSettings {
  if (!isSection(file.connection)) {
    const { name, username, ...rest } = file
    return merge(rest, { database: name, user: username }) as FlatSettings
  }
  const { connection, pool = {}, client, acquireConnectionTimeout } = file.connection as Record<string, Section>
  const { connectionString, ...place } = connection ?? {}
  const { min, max } = pool
  const others = Object.fromEntries(Object.keys(elsewhere).map(key => [key, file[key]]))
  const acquireTimeout = file.acquireTimeout ?? pool.acquireTimeoutMillis ?? acquireConnectionTimeout
  return merge(place, { client, url: connectionString, pool: { min, max }, ...others, acquireTimeout }) as FlatSettings
}

/**
 * Older TypeScript projects run from dist/, one folder deeper than they are written: a path that climbs out of
 * dist/config climbs out of the app here, and means the app itself.
 */
function inApp(appDir: string, file: ConfigFile | undefined, said: FlatSettings): FlatSettings {
  const compiled = file?.sources.some(source => source.file.endsWith('.ts'))
  const nested = isSection(file?.value) && 'connection' in file.value
  if (!compiled || !nested || !said.filename) return said
  const climbed = relative(dirname(appDir), said.filename)
  const outside = !climbed.startsWith('..') && relative(appDir, said.filename).startsWith('..')
  return outside && !existsSync(said.filename) ? { ...said, filename: join(appDir, climbed) } : said
}

/** A file that says where the database is needs no DATABASE_URL, and must not get half of one. */
function addressOf(said: FlatSettings, { variables }: Surroundings): Address | undefined {
  const source = said.url ? 'config/database: url' : 'DATABASE_URL'
  const address = said.url ? readAddress(said.url) : saysWhere(said) ? undefined : rows.url.fromVariable(variables)
  if (said.url && !address) throw new BootError(`${source} cannot be read; expected ${addresses}`)
  const client = engineOf(said.client ?? '') ?? (address && rows.client.fromVariable(variables))
  if (address && client && client !== address.client) {
    const other = said.client ? 'config/database: client' : 'DATABASE_CLIENT'
    throw new BootError(
      `${source} is the address of a ${address.client} database while ${other} says ${client}: leave the client out, or set it to ${address.client}`,
    )
  }
  return address
}

function saysWhere(said: FlatSettings): boolean {
  return places.some(key => said[key] !== undefined)
}

function filePlace(appDir: string, said: FlatSettings, around: Surroundings): Pick<DatabaseConfig, 'filename'> {
  const [usual] = usualFiles(appDir, around)
  const filename = rows.filename.read(said.filename || undefined, { ...around, filename: usual })
  return { filename: filename === ':memory:' ? filename : resolve(appDir, filename) }
}

/**
 * The SQLite file of an app that names none, and the other usual file. A database that lasts is not kept in a folder whose name
 * says that it may be deleted, but an existing one stays in use where it is: by production, and by a command that was not told
 * that it runs there.
 */
function usualFiles(appDir: string, { environment, project }: Surroundings): [used: string, other?: string] {
  if (project !== 'stele') return ['.tmp/data.db']
  const [first, second] =
    environment === 'production'
      ? (['data/data.db', '.tmp/data.db'] as const)
      : (['.tmp/data.db', 'data/data.db'] as const)
  const isThere = (file: string) => existsSync(join(appDir, file))
  return isThere(second) && !isThere(first) ? [second, first] : [first, second]
}

/** A notice that production leaves a database aside that it may have used before. */
export function leftAside(appDir: string, { filename }: DatabaseConfig, around: Surroundings): readonly string[] {
  const [used, other] = usualFiles(appDir, around)
  const isAside =
    around.environment === 'production' &&
    other !== undefined &&
    filename === join(appDir, used) &&
    existsSync(join(appDir, other))
  return isAside
    ? [`there is a database ${other} that is not used, as production uses ${used}; DATABASE_FILENAME can name it`]
    : []
}

function serverPlace(
  said: FlatSettings,
  around: Surroundings & Pick<DatabaseConfig, 'client'>,
): Partial<DatabaseConfig> {
  const { client } = around
  const database = rows.database.read(said.database, around)
  if (!database)
    throw new BootError(`config/database does not name the ${client} database; set its name there, or DATABASE_NAME`)
  const port = rows.port.read(said.port, around)
  const [place, ...fallbacks] = readPlaces(rows.host.read(said.host, around), port, client)
  return {
    ...place,
    ...(fallbacks.length > 0 && { fallbacks }),
    database,
    ...readRows({ user: rows.user, password: rows.password, schema: rows.schema }, said, around),
  }
}

function poolOf({ pool }: FlatSettings, around: Surroundings): DatabaseConfig['pool'] {
  const { min, max: most } = readRows(rows.pool, pool, around)
  const max = pool?.max ?? Math.max(most, min)
  if (min > max) throw new BootError(`config/database: pool.min is ${min}, more than pool.max, which is ${max}`)
  return { min, max }
}
