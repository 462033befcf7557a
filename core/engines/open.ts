import type { EngineName } from '../config/engines.js'
import type { DatabaseConfig } from '../config/types.js'
import type { Log } from '../log.js'
import type { Engine } from './engine.js'

/** Opens the database that the configuration names, and its replicas; the drivers of others are never loaded. */
export async function openEngine(config: DatabaseConfig, log: Log): Promise<Engine> {
  const primary = await open(config)
  if (config.replicas.length === 0) return primary
  return (await import('./server/replicas.js')).withReplicas(primary, config, open, log)
}

const open = (config: DatabaseConfig): Promise<Engine> => openers[config.client](config)

/** The one row of an engine outside its folder, besides that of `config/engines.ts`. */
const openers: Readonly<Record<EngineName, (config: DatabaseConfig) => Promise<Engine>>> = {
  sqlite: async config => (await import('./sqlite/sqlite.js')).openSqlite(config),
  mysql: async config => (await import('./mysql/mysql.js')).openMysql(config),
  postgres: async config => (await import('./postgres/postgres.js')).openPostgres(config),
}
