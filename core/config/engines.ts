import { existsSync } from 'node:fs'

interface Kind {
  /** Other names that users know it by, such as those of its drivers. */
  readonly aliases: readonly string[]
  /** A scheme of addresses besides its names. */
  readonly scheme?: string
  /** The default port of its server; a database without a server is a file. */
  readonly port?: number
  /** It has clusters, of which every server takes writes. */
  readonly hasClusters?: true
  /** Names under which its driver knows options of TLS. */
  readonly tlsProfiles?: readonly string[]
}

const kinds = {
  sqlite: { aliases: ['better-sqlite3', 'sqlite3'], scheme: 'file' },
  mysql: { aliases: ['mysql2', 'mariadb'], port: 3306, hasClusters: true, tlsProfiles: ['Amazon RDS'] },
  postgres: { aliases: ['pg', 'postgresql'], port: 5432 },
} as const satisfies Readonly<Record<string, Kind>>

export type EngineName = keyof typeof kinds

/** The one of an app that names none. */
export const usualEngine: EngineName = 'sqlite'

export const kindOf = (name: EngineName): Kind => kinds[name]

export const isFile = (name: EngineName): boolean => kindOf(name).port === undefined

const names = Object.keys(kinds) as EngineName[]

/** Every name by which a database engine may be called. */
export const engines: ReadonlyMap<string, EngineName> = new Map([
  ...names.map(name => [name, name] as const),
  ...names.flatMap(name => kinds[name].aliases.map(alias => [alias, name] as const)),
])

export const engineOf = (name: string): EngineName | undefined => engines.get(name)

export const engineOfScheme = (scheme: string): EngineName | undefined =>
  engineOf(scheme) ?? names.find(name => kindOf(name).scheme === scheme)

/** Opening a database that is a file would create it. */
export const lacksFile = (database: { readonly client: EngineName; readonly filename?: string }): boolean =>
  isFile(database.client) && !existsSync(database.filename ?? '')
