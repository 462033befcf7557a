import { BootError } from '../errors.js'
import { assertTls } from './address.js'
import { isFile } from './engines.js'
import { readRows, type Surroundings, type ValuesOf } from './setting.js'
import { replica } from './settings.js'
import type { DatabaseConfig, ReplicaConfig } from './types.js'

/** The settings of a replica in `config/database`: as many as differ from the database itself. */
export type SaidReplica = ValuesOf<typeof replica>

type Primary = Pick<DatabaseConfig, 'client' | 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl'>

export function readReplicas(said: readonly SaidReplica[], primary: Primary, around: Surroundings): ReplicaConfig[] {
  if (said.length > 0 && isFile(primary.client))
    throw new BootError(
      'config/database: replicas are copies on other servers, and sqlite is a file; mysql and postgres can have some',
    )
  return said.map((item, index) => {
    const { name, username, ...own } = readRows(replica, item, around)
    const { host = '127.0.0.1', port = 0, database, user, password, ssl } = primary
    const place = { host: own.host ?? host, port: own.port ?? port }
    if (place.host === host && place.port === port)
      throw new BootError(
        `config/database: replicas[${index}] is the database itself; expected another host, or another port`,
      )
    if (own.ssl !== undefined) assertTls(own.ssl, primary.client, `config/database: replicas[${index}]`)
    return {
      ...place,
      database: own.database ?? name ?? database,
      user: own.user ?? username ?? user,
      password: own.password ?? password,
      ssl: own.ssl ?? ssl,
    }
  })
}
