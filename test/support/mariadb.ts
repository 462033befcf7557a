import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import { findBinary } from './binary.js'
import { Daemon } from './daemon.js'
import { freePort } from './free-port.js'
import type { Address, DatabaseServer, Databases, Probe, ServerOptions } from './servers.js'
import { makeWorkplace } from './workplace.js'

const run = promisify(execFile)

const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/usr/libexec', '/opt/homebrew/bin']

export function findMariadb(): Probe<{ server: string; install: string }> {
  const server = findBinary(['mariadbd', 'mysqld'], folders)
  const install = findBinary(['mariadb-install-db', 'mysql_install_db'], folders)
  if (server === undefined) return { binaries: undefined, reason: 'no mariadbd or mysqld installed' }
  if (install === undefined) return { binaries: undefined, reason: 'no mariadb-install-db installed' }
  return { binaries: { server, install } }
}

export async function startMariadb(options: ServerOptions = {}): Promise<DatabaseServer> {
  const { binaries, reason } = findMariadb()
  if (binaries === undefined) throw new Error(`MariaDB cannot be started: ${reason}`)

  const workplace = makeWorkplace('mariadb', 'mysql', options.parent)
  const data = join(workplace.folder, 'data')
  const accounts = join(workplace.folder, 'accounts.sql')
  const address = { host: '127.0.0.1', port: await freePort(), user: 'stele', password: randomUUID() }
  let version = ''

  const daemon = new Daemon(workplace, {
    name: 'MariaDB',
    command: binaries.server,
    args: [
      ...['--no-defaults', `--datadir=${data}`, `--init-file=${accounts}`],
      ...flags({ ...small, ...served, ...inside(workplace.folder), port: address.port, ...options.settings }),
    ],
    connect: async () => {
      version = await connecting(address)
    },
    shutdown: 'SIGTERM',
    dispose: 'KILL',
  })
  await daemon.begin(async () => {
    writeFileSync(accounts, accountsSql(address))
    await run(
      binaries.install,
      [
        ...['--no-defaults', `--datadir=${data}`, '--skip-test-db', '--skip-name-resolve', '--force'],
        // Installations at the same time would remove each other's temporary tables.
        ...['--auth-root-authentication-method=normal', `--tmpdir=${workplace.folder}`, ...flags(small)],
      ],
      { ...workplace.account, cwd: workplace.folder },
    )
  })

  return {
    client: 'mysql',
    ...address,
    version,
    ...mariadbDatabases(address),
    kill: (signal = 'SIGKILL') => daemon.kill(signal),
    restart: () => daemon.restart(),
    stop: () => daemon.stop(),
  }
}

/** Makes and removes databases on a server that runs, from any process that knows the address. */
export function mariadbDatabases(address: Address): Databases {
  return {
    async createDatabase(name) {
      await query(address, `create database ${quote(name)} character set utf8mb4 collate utf8mb4_unicode_ci`)
    },
    async dropDatabase(name) {
      await query(address, `drop database if exists ${quote(name)}`)
    },
  }
}

/** Little to write and little to hold, because a test server lives for seconds. */
const small = {
  innodb_buffer_pool_size: '64M',
  innodb_log_file_size: '16M',
  // The kernel's budget for asynchronous I/O is shared by all servers of a machine and runs out in containers.
  innodb_use_native_aio: 0,
  // A killed process loses nothing without fsync, only a machine that loses power does. Tests of that ask for it.
  debug_no_sync: 1,
  innodb_flush_method: 'nosync',
}

/** Settings that a production server for this application would have too. */
const served = {
  bind_address: '127.0.0.1',
  skip_name_resolve: 1,
  skip_log_bin: 1,
  max_connections: 200,
  character_set_server: 'utf8mb4',
  collation_server: 'utf8mb4_unicode_ci',
  // The default from 11.8 on; older servers that know it are asked for it, and the rest overlook a "loose" variable.
  loose_innodb_snapshot_isolation: 'ON',
}

function inside(folder: string): Record<string, string> {
  return { socket: join(folder, 'mariadb.sock'), pid_file: join(folder, 'mariadb.pid'), tmpdir: folder }
}

export function flags(settings: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
}

/** Read at every start, before the first connection is let in. */
export function accountsSql({ user, password }: { user: string; password: string }): string {
  return [
    `create user if not exists '${user}'@'%' identified by '${password}';`,
    `grant all privileges on *.* to '${user}'@'%' with grant option;`,
    '',
  ].join('\n')
}

/** Tries to connect; resolves to the version of the server. */
export async function connecting(address: Address): Promise<string> {
  return String((await query(address, 'select version() as version'))[0]?.version)
}

async function query(address: Address, sql: string): Promise<RowDataPacket[]> {
  const connection = await mysql.createConnection({ ...address, connectTimeout: 5_000 })
  try {
    return (await connection.query<RowDataPacket[]>(sql))[0]
  } finally {
    await connection.end()
  }
}

function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
