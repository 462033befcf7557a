import { BootError } from '../errors.js'
import type { DatabaseConfig, ReplicaConfig } from './types.js'

/** What `config/database` may say of a replica: as much as differs from the database itself. */
export interface SaidReplica extends Partial<Omit<ReplicaConfig, 'port'>> {
  readonly port?: number | string
  readonly name?: string
  readonly username?: string
}

type Primary = Pick<DatabaseConfig, 'client' | 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl'>

export function readReplicas(said: readonly SaidReplica[], primary: Primary): ReplicaConfig[] {
  if (said.length > 0 && primary.client === 'sqlite')
    throw new BootError(
      'config/database: replicas are copies on other servers, and sqlite is a file; mysql and postgres can have some',
    )
  return said.map(({ name, username, ...own }, index) => {
    const { host = '127.0.0.1', port = 0, database, user, password, ssl } = primary
    const place = { host: own.host ?? host, port: Number(own.port ?? port) }
    if (place.host === host && place.port === port)
      throw new BootError(
        `config/database: replicas[${index}] is the database itself; right would be another host, or another port`,
      )
    return {
      ...place,
      database: own.database ?? name ?? database,
      user: own.user ?? username ?? user,
      password: own.password ?? password,
      ssl: own.ssl ?? ssl,
    }
  })
}
