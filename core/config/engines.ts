import type { Engine } from './types.js'

/** Every name by which a database engine may be called, drivers' names included. */
export const engines: Readonly<Record<string, Engine>> = {
  sqlite: 'sqlite',
  mysql: 'mysql',
  postgres: 'postgres',
  'better-sqlite3': 'sqlite',
  sqlite3: 'sqlite',
  mysql2: 'mysql',
  mariadb: 'mysql',
  pg: 'postgres',
  postgresql: 'postgres',
}

export function engineOf(name: string): Engine | undefined {
  return Object.hasOwn(engines, name) ? engines[name] : undefined
}
