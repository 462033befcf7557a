import type { DatabaseConfig } from '../config/types.js'
import type { Engine } from './engine.js'

/** Opens the database that the configuration names; the drivers of the others are never loaded. */
export async function openEngine(config: DatabaseConfig): Promise<Engine> {
  switch (config.client) {
    case 'sqlite':
      return (await import('./sqlite.js')).openSqlite(config)
    case 'mysql':
      return (await import('./mysql.js')).openMysql(config)
    case 'postgres':
      return (await import('./postgres.js')).openPostgres(config)
  }
}
