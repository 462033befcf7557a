import type { DatabaseConfig } from '../config/types.js'
import type { Log } from '../log.js'
import type { Engine } from './engine.js'

/** Opens the database that the configuration names, and its replicas; the drivers of others are never loaded. */
export async function openEngine(config: DatabaseConfig, log: Log): Promise<Engine> {
  const primary = await open(config)
  if (config.replicas.length === 0) return primary
  return (await import('./replicas.js')).withReplicas(primary, config, open, log)
}

async function open(config: DatabaseConfig): Promise<Engine> {
  switch (config.client) {
    case 'sqlite':
      return (await import('./sqlite.js')).openSqlite(config)
    case 'mysql':
      return (await import('./mysql.js')).openMysql(config)
    case 'postgres':
      return (await import('./postgres.js')).openPostgres(config)
  }
}
