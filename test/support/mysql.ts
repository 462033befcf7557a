import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBinary } from './binary.js'
import { Daemon } from './daemon.js'
import { freePort } from './free-port.js'
import { accountsSql, connecting, flags, mariadbDatabases } from './mariadb.js'
import type { DatabaseServer, Probe, ServerOptions } from './servers.js'
import { makeWorkplace } from './workplace.js'

const run = promisify(execFile)

/** The folder that `install_mysql` of `.ci/servers` unpacks Debian's packages into. */
const folder = process.env.STELE_MYSQL || fileURLToPath(new URL('../../node_modules/.cache/mysql', import.meta.url))

interface Binaries {
  readonly server: string
  /** The C library of the packages is newer than that of the machine, and only its own loader can load it. */
  readonly loader: string
  readonly libraries: string
}

export function findMysql(): Probe<Binaries> {
  const server = findBinary([join(folder, 'usr/sbin/mysqld')], ['/'])
  const libraries = librariesIn(join(folder, 'usr/lib'))
  const loader =
    libraries &&
    findBinary(
      loaders.map(name => join(libraries, name)),
      ['/'],
    )
  if (server === undefined || libraries === undefined || loader === undefined)
    return { binaries: undefined, reason: "no MySQL server: bash -euc '. .ci/servers; install_mysql' downloads one" }
  return { binaries: { server, loader, libraries } }
}

const loaders = ['ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1']

/** Debian has libraries in a folder that is named after the processor. */
function librariesIn(parent: string): string | undefined {
  try {
    const name = readdirSync(parent).find(entry => entry.endsWith('-linux-gnu'))
    return name && join(parent, name)
  } catch {
    return undefined
  }
}

/** MySQL's own server. */
export async function startMysql(options: ServerOptions = {}): Promise<DatabaseServer> {
  const { binaries, reason } = findMysql()
  if (binaries === undefined) throw new Error(`MySQL cannot be started: ${reason}`)

  // The folder of the packages may be in the home of root, which no other account can read.
  const workplace = makeWorkplace('mysql', 'root', options.parent)
  const data = join(workplace.folder, 'data')
  const accounts = join(workplace.folder, 'accounts.sql')
  const address = { host: '127.0.0.1', port: await freePort(), user: 'stele', password: randomUUID() }
  let version = ''

  const command = [
    ...['--library-path', binaries.libraries, binaries.server, '--no-defaults', `--basedir=${join(folder, 'usr')}`],
    ...[`--datadir=${data}`, `--lc-messages-dir=${join(folder, 'usr/share/mysql')}`],
    ...[`--plugin-dir=${join(folder, 'usr/lib/mysql/plugin')}`, '--secure-file-priv=', '--mysqlx=OFF'],
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
  ]
  const daemon = new Daemon(workplace, {
    name: 'MySQL',
    command: binaries.loader,
    args: [
      ...command,
      `--init-file=${accounts}`,
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
    const args = [...command, '--initialize-insecure', ...flags(small)]
    await run(binaries.loader, args, { ...workplace.account, cwd: workplace.folder })
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

/** Little to write and little to hold, because a test server lives for seconds. */
const small = {
  innodb_buffer_pool_size: '64M',
  innodb_redo_log_capacity: '32M',
  // The kernel's budget for asynchronous I/O is shared by all servers of a machine and runs out in containers.
  innodb_use_native_aio: 0,
  // A killed process loses nothing without fsync, only a machine that loses power does. Tests of that ask for it.
  innodb_flush_method: 'nosync',
  innodb_doublewrite: 'OFF',
}

/** The same as for MariaDB, in its own words. */
const served = {
  bind_address: '127.0.0.1',
  skip_name_resolve: 'ON',
  disable_log_bin: 1,
  max_connections: 200,
  character_set_server: 'utf8mb4',
  collation_server: 'utf8mb4_unicode_ci',
}

function inside(place: string): Record<string, string> {
  return { socket: join(place, 'mysql.sock'), pid_file: join(place, 'mysql.pid'), tmpdir: place }
}
