import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { findBinary } from '../../support/binary.js'
import { Daemon } from '../../support/daemon.js'
import type { DatabaseSettings } from '../../support/engines.js'
import { freePort } from '../../support/free-port.js'
import { findPostgres } from '../../support/postgres.js'
import {
  type Address,
  type DatabaseServer,
  type KillSignal,
  startMariadb,
  startPostgres,
} from '../../support/servers.js'
import { makeWorkplace } from '../../support/workplace.js'

const run = promisify(execFile)

export interface ReplicaServer extends Address {
  kill(signal?: KillSignal): Promise<void>
  restart(): Promise<void>
  /** Takes no more of what the primary writes, and goes on with it. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Runs a statement past the server under test. */
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** The server's report of its replication. */
  state(): Promise<string>
}

/** A database server, and copies of it that follow it by the engine's own replication. */
export interface Pair {
  readonly client: 'mysql' | 'postgres'
  readonly primary: DatabaseServer
  readonly replicas: readonly ReplicaServer[]
  /** An empty database, once it is on all of them. */
  fresh(): Promise<Exclude<DatabaseSettings, { client: 'sqlite' }>>
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** Waits until everything that was written is on the replicas that run. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export async function startPair(client: 'mysql' | 'postgres', count = 2): Promise<Pair> {
  const primary = await (client === 'mysql' ? startMariadb(logged(1)) : startPostgres())
  const started: { replica: ReplicaServer; stop(): Promise<void> }[] = []
  for (let number = 1; number <= count; number += 1)
    started.push(await (client === 'mysql' ? mariadbReplica(primary, number + 1) : postgresReplica(primary)))
  const replicas = started.map(({ replica }) => replica)
  const ask = (sql: string) => query(client, primary, sql)
  const settled = async () => {
    const mark = `mark_${randomBytes(6).toString('hex')}`
    await primary.createDatabase(mark)
    for (const replica of replicas)
      await until(async () => (await replica.ask(named(client, mark))).length > 0).catch(async () => {
        throw new Error(`a replica does not follow: ${await replica.state()}`)
      })
    await primary.dropDatabase(mark)
  }
  return {
    client,
    primary,
    replicas,
    ask,
    settled,
    async fresh() {
      const database = `stele_${randomBytes(6).toString('hex')}`
      await primary.createDatabase(database)
      await settled()
      const { host, port, user, password } = primary
      return { client, host, port, user, password, database }
    },
    async stop() {
      for (const { stop } of started) await stop()
      await primary.stop()
    },
  }
}

/** Asks until it is so. It ends before the time limit of its test, so that the test can clear up for the next one. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`never came to be: ${isSo}`)
    await wait(20)
  }
}

const named = (client: Pair['client'], database: string): string =>
  client === 'mysql' ? `show databases like '${database}'` : `select 1 from pg_database where datname = '${database}'`

const logged = (id: number) => ({
  settings: { skip_log_bin: 0, log_bin: 'binlog', binlog_format: 'ROW', server_id: id },
})

async function mariadbReplica(primary: DatabaseServer, id: number) {
  const server = await startMariadb(logged(id))
  const ask = (sql: string) => query('mysql', server, sql)
  const { host, port, user, password } = primary
  // The log of the server's own start is no part of the copy.
  await ask('reset master')
  await ask(
    `change master to master_host='${host}', master_port=${port}, master_user='${user}', master_password='${password}', master_use_gtid=slave_pos, master_connect_retry=1`,
  )
  await ask('start slave')
  const replica: ReplicaServer = {
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    kill: signal => server.kill(signal),
    restart: () => server.restart(),
    pause: async () => void (await ask('stop slave sql_thread')),
    resume: async () => void (await ask('start slave sql_thread')),
    ask,
    state: async () => JSON.stringify(await ask('show slave status')),
  }
  return { replica, stop: () => server.stop() }
}

async function postgresReplica(primary: DatabaseServer) {
  const { binaries } = findPostgres()
  const backup = findBinary(['pg_basebackup'], [join(binaries?.server ?? '', '..')])
  if (!binaries || !backup) throw new Error('no pg_basebackup installed')
  const workplace = makeWorkplace('postgres', 'postgres')
  const data = join(workplace.folder, 'data')
  const { host, user, password } = primary
  const address = { host, user, password, port: await freePort() }
  const daemon = new Daemon(workplace, {
    name: 'PostgreSQL replica',
    command: binaries.server,
    args: [
      ...['-D', data, '-c', 'listen_addresses=127.0.0.1', '-c', `port=${address.port}`],
      ...[
        '-c',
        `unix_socket_directories=${workplace.folder}`,
        '-c',
        'max_connections=200',
        '-c',
        'shared_buffers=32MB',
      ],
      ...['-c', 'dynamic_shared_memory_type=mmap', '-c', 'fsync=off', '-c', 'wal_retrieve_retry_interval=200ms'],
    ],
    connect: () => query('postgres', address, 'select 1'),
    shutdown: 'SIGINT',
    dispose: 'QUIT',
  })
  await daemon.begin(async () => {
    const from = ['-h', host, '-p', String(primary.port), '-U', user]
    await run(backup, [...from, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'], {
      ...workplace.account,
      cwd: workplace.folder,
      env: { PATH: process.env.PATH, PGPASSWORD: password },
    })
  })
  const ask = (sql: string) => query('postgres', address, sql)
  const replica: ReplicaServer = {
    ...address,
    kill: (signal = 'SIGKILL') => daemon.kill(signal),
    restart: () => daemon.restart(),
    pause: async () => void (await ask('select pg_wal_replay_pause()')),
    resume: async () => void (await ask('select pg_wal_replay_resume()')),
    ask,
    state: async () => JSON.stringify(await ask('select * from pg_stat_wal_receiver')),
  }
  return { replica, stop: () => daemon.stop() }
}

async function query(client: Pair['client'], address: Address & { database?: string }, sql: string) {
  const { host, port, user, password } = address
  if (client === 'mysql') {
    const connection = await mysql.createConnection({ host, port, user, password, connectTimeout: 5_000 })
    try {
      const [rows] = await connection.query(sql)
      return Array.isArray(rows) ? rows.map(row => ({ ...row }) as Record<string, unknown>) : []
    } finally {
      await connection.end()
    }
  }
  const connection = new pg.Client({ host, port, user, password, database: 'postgres', connectionTimeoutMillis: 5_000 })
  connection.on('error', () => {})
  await connection.connect()
  try {
    return (await connection.query<Record<string, unknown>>(sql)).rows
  } finally {
    await connection.end()
  }
}
