import { findMariadb, startMariadb } from './mariadb.js'
import { findMysql, startMysql } from './mysql.js'
import type { DatabaseServer, Probe, ServerOptions } from './servers.js'

const kinds = ['mariadb', 'mysql'] as const

/**
 * The server that the engine `mysql` is tested on: MariaDB, or MySQL's own with `STELE_TEST_MYSQL=mysql`. The client is the
 * same, and much of what it may count on is not.
 */
export function mysqlKind(env: Readonly<Record<string, string | undefined>> = process.env): (typeof kinds)[number] {
  const said = env.STELE_TEST_MYSQL || 'mariadb'
  const kind = kinds.find(known => known === said)
  if (kind === undefined) throw new Error(`STELE_TEST_MYSQL: "${said}" is no server; expected one of ${kinds}`)
  return kind
}

/** True if an engine of a run is MySQL itself, which lacks some features of MariaDB. */
export const isMysqlItself = (engine: { readonly name: string }): boolean =>
  engine.name === 'mysql' && mysqlKind() === 'mysql'

export const findMysqlKind = (): Probe<unknown> => (mysqlKind() === 'mysql' ? findMysql() : findMariadb())

export const startMysqlKind = (options?: ServerOptions): Promise<DatabaseServer> =>
  mysqlKind() === 'mysql' ? startMysql(options) : startMariadb(options)
