import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import { Daemon } from '../support/daemon.js'
import { freePort } from '../support/free-port.js'
import type { Address, KillSignal } from '../support/servers.js'
import { makeWorkplace, type Workplace } from '../support/workplace.js'
import type { Binaries } from './binaries.js'

const run = promisify(execFile)

/** The ports of one node: the usual ones are the same for all, and three of them are on one machine here. */
export interface Ports {
  readonly sql: number
  /** The port by which members of the cluster talk to each other. */
  readonly group: number
  /** Ports for a returning node: one to take the missed writes from, one to take everything. */
  readonly catchUp: number
  readonly copy: number
}

export const freePorts = async (): Promise<Ports> => ({
  sql: await freePort(),
  group: await freePort(),
  catchUp: await freePort(),
  copy: await freePort(),
})

/** A node's position in the order of all writes. */
export interface Position {
  readonly history: string
  readonly number: number
}

/** A server of a cluster, with a folder of its own that goes away with the process that started it. */
export class GaleraNode {
  readonly name: string
  readonly address: Address
  readonly #binaries: Binaries
  readonly #workplace: Workplace = makeWorkplace('galera', 'mysql')
  readonly #daemon: Daemon

  constructor(name: string, ports: Ports, members: readonly number[], binaries: Binaries, password: string) {
    this.name = name
    this.address = { host: '127.0.0.1', port: ports.sql, user: 'stele', password }
    this.#binaries = binaries
    writeFileSync(this.#file('node.cnf'), settingsOf(name, ports, members, this.#workplace.folder, binaries.provider))
    this.#daemon = new Daemon(this.#workplace, {
      name: `Galera node ${name}`,
      command: binaries.server,
      args: [`--defaults-file=${this.#file('node.cnf')}`],
      connect: async () => {
        const state = await this.state()
        if (state.get('wsrep_ready') !== 'ON' || state.get('wsrep_local_state_comment') !== 'Synced')
          throw new Error(`node ${name} is ${state.get('wsrep_local_state_comment')}`)
      },
      shutdown: 'SIGTERM',
      dispose: 'KILL',
      // The node catches up while the others take writes, on a machine that runs the rest of the suite at the same time.
      maxWait: 120_000,
    })
  }

  /** Makes an empty database, once. */
  async install(): Promise<void> {
    await run(
      this.#binaries.install,
      [
        ...['--no-defaults', `--datadir=${this.#file('data')}`, `--tmpdir=${this.#workplace.folder}`, '--force'],
        ...['--skip-test-db', '--skip-name-resolve'],
        ...['--auth-root-authentication-method=normal', '--innodb-log-file-size=16M', '--innodb-use-native-aio=0'],
      ],
      { ...this.#workplace.account, cwd: this.#workplace.folder },
    )
  }

  /** The first start of the first node, which makes the cluster and the account that may do everything. */
  async found(): Promise<void> {
    const accounts = this.#file('accounts.sql')
    const { user, password } = this.address
    writeFileSync(
      accounts,
      `create user '${user}'@'%' identified by '${password}';\ngrant all privileges on *.* to '${user}'@'%';\n`,
    )
    await this.#daemon.start(['--wsrep-new-cluster', `--init-file=${accounts}`])
  }

  /** The first start of any other node, which takes everything from those that are there. */
  join(): Promise<void> {
    return this.#daemon.start()
  }

  get runs(): boolean {
    return this.#daemon.runs
  }

  kill(signal: KillSignal = 'SIGKILL'): Promise<void> {
    return this.#daemon.kill(signal)
  }

  /** Comes back with the data that it has, and takes from the others what it has missed. */
  async start(): Promise<void> {
    const { history, number } = await this.position()
    await this.#daemon.start([`--wsrep-start-position=${history}:${number}`])
  }

  /** Comes back as the first of a cluster in which nobody is left. */
  bootstrap(): Promise<void> {
    const file = this.#file('data/grastate.dat')
    writeFileSync(file, readFileSync(file, 'utf8').replace('safe_to_bootstrap: 0', 'safe_to_bootstrap: 1'))
    return this.#daemon.start(['--wsrep-new-cluster'])
  }

  /** The position of a stopped node's data. */
  async position(): Promise<Position> {
    const args = [`--defaults-file=${this.#file('node.cnf')}`, '--wsrep-recover']
    const { stdout, stderr } = await run(this.#binaries.server, args, { ...this.#workplace.account, cwd: '/' })
    const [, history, number] = /Recovered position:\s*([\w-]+):(-?\d+)/.exec(stdout + stderr) ?? []
    if (history === undefined) throw new Error(`node ${this.name} does not tell its position:\n${stdout}${stderr}`)
    return { history, number: Number(number) }
  }

  /** Neither hears the other nodes nor is heard by them, as where the network between them fails; or is again. */
  async isolate(isAlone: boolean): Promise<void> {
    await this.query(`set global wsrep_provider_options = 'gmcast.isolate=${isAlone ? 1 : 0}'`)
    const wanted = isAlone ? 'non-Primary' : 'Primary'
    while ((await this.state()).get('wsrep_cluster_status') !== wanted) await wait(50)
  }

  async state(): Promise<Map<string, string>> {
    const rows = await this.query("show status like 'wsrep\\_%'")
    return new Map(rows.map(({ Variable_name, Value }) => [String(Variable_name), String(Value)]))
  }

  /** Runs a statement on a connection of its own, after all writes that were acknowledged before. */
  async query(sql: string, database?: string): Promise<RowDataPacket[]> {
    const connection = await mysql.createConnection({ ...this.address, database, connectTimeout: 2000 })
    try {
      if (/^(select|checksum)/i.test(sql)) await connection.query('set session wsrep_sync_wait = 15')
      return (await connection.query<RowDataPacket[]>(sql))[0]
    } finally {
      connection.destroy()
    }
  }

  stop(): Promise<void> {
    return this.#daemon.stop()
  }

  #file(name: string): string {
    return join(this.#workplace.folder, name)
  }
}

export const newPassword = randomUUID

function settingsOf(
  name: string,
  { sql, group, catchUp, copy }: Ports,
  members: readonly number[],
  folder: string,
  provider: string,
): string {
  const options = [
    'base_host=127.0.0.1',
    `base_port=${group}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
    `ist.recv_addr=127.0.0.1:${catchUp}`,
    'gcache.size=64M',
    `gcache.dir=${folder}/data`,
    // These options have no other place. Without them all writes stand still for six seconds when a node dies.
    ...['evs.keepalive_period=PT0.3S', 'evs.inactive_check_period=PT0.3S'],
    ...['evs.suspect_timeout=PT1S', 'evs.inactive_timeout=PT3S'],
  ]
  const settings = {
    datadir: `${folder}/data`,
    socket: `${folder}/mariadb.sock`,
    pid_file: `${folder}/mariadb.pid`,
    tmpdir: folder,
    port: sql,
    bind_address: '127.0.0.1',
    skip_name_resolve: 1,
    max_connections: 200,
    character_set_server: 'utf8mb4',
    collation_server: 'utf8mb4_unicode_ci',
    binlog_format: 'ROW',
    default_storage_engine: 'InnoDB',
    innodb_autoinc_lock_mode: 2,
    // The vendor allows 0 and 2 as well, which lose acknowledged writes when all nodes die.
    innodb_flush_log_at_trx_commit: 1,
    innodb_force_primary_key: 1,
    innodb_buffer_pool_size: '64M',
    innodb_log_file_size: '16M',
    innodb_use_native_aio: 0,
    wsrep_on: 'ON',
    wsrep_provider: provider,
    wsrep_cluster_name: 'stele-test',
    wsrep_cluster_address: `gcomm://${members.map(port => `127.0.0.1:${port}`).join(',')}`,
    wsrep_node_name: name,
    wsrep_node_address: '127.0.0.1',
    wsrep_node_incoming_address: `127.0.0.1:${sql}`,
    wsrep_sst_method: 'rsync',
    wsrep_sst_receive_address: `127.0.0.1:${copy}`,
    wsrep_provider_options: `"${options.join(';')}"`,
  }
  return `[mysqld]\n${Object.entries(settings)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')}`
}
