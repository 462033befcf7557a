import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinary } from './binary.js'
import { Daemon } from './daemon.js'
import { freePort } from './free-port.js'
import type { Address, DatabaseServer, Databases, Probe, ServerOptions } from './servers.js'
import { makeWorkplace } from './workplace.js'

const run = promisify(execFile)

export function findPostgres(): Probe<{ server: string; install: string }> {
  const folders = installedVersions('/usr/lib/postgresql')
  const server = findBinary(['postgres'], folders)
  const install = findBinary(['initdb'], folders)
  if (server === undefined) return { binaries: undefined, reason: 'no postgres installed' }
  if (install === undefined) return { binaries: undefined, reason: 'no initdb installed' }
  return { binaries: { server, install } }
}

/** The server's method of asking for passwords. */
interface PostgresOptions extends ServerOptions {
  readonly auth?: 'scram-sha-256' | 'md5'
}

export async function startPostgres({
  auth = 'scram-sha-256',
  ...options
}: PostgresOptions = {}): Promise<DatabaseServer> {
  const { binaries, reason } = findPostgres()
  if (binaries === undefined) throw new Error(`PostgreSQL cannot be started: ${reason}`)

  const workplace = makeWorkplace('postgres', 'postgres', options.parent)
  const data = join(workplace.folder, 'data')
  const secret = join(workplace.folder, 'password')
  const address = { host: '127.0.0.1', port: await freePort(), user: 'stele', password: randomUUID() }
  let version = ''

  const daemon = new Daemon(workplace, {
    name: 'PostgreSQL',
    command: binaries.server,
    args: [
      ...['-D', data],
      ...flags({
        ...served,
        port: address.port,
        unix_socket_directories: workplace.folder,
        ...options.settings,
      }),
    ],
    connect: async () => {
      version = String((await query(address, 'show server_version'))[0]?.server_version)
    },
    shutdown: 'SIGINT',
    dispose: 'QUIT',
  })
  await daemon.begin(async () => {
    writeFileSync(secret, address.password)
    await run(
      binaries.install,
      [
        ...['-D', data, '-U', address.user, `--pwfile=${secret}`, '--auth-local=trust', `--auth-host=${auth}`],
        ...['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'],
      ],
      { ...workplace.account, cwd: workplace.folder },
    )
  })

  return {
    client: 'postgres',
    ...address,
    version,
    ...postgresDatabases(address),
    kill: (signal = 'SIGKILL') => daemon.kill(signal),
    restart: () => daemon.restart(),
    stop: () => daemon.stop(),
  }
}

/** Makes and removes databases on a server that runs, from any process that knows the address. */
export function postgresDatabases(address: Address): Databases {
  return {
    async createDatabase(name) {
      await query(address, `create database ${quote(name)}`)
    },
    async dropDatabase(name) {
      // A pool that a failed test left open must not keep its database alive.
      await query(address, `drop database if exists ${quote(name)} with (force)`)
    },
  }
}

const served = {
  listen_addresses: '127.0.0.1',
  max_connections: 200,
  shared_buffers: '32MB',
  // A killed process loses nothing without fsync, only a machine that loses power does. Tests of that ask for it.
  fsync: 'off',
  // Memory that lives in the data folder goes away with it, even after a kill.
  dynamic_shared_memory_type: 'mmap',
}

/** Debian keeps the server binaries off the PATH, one folder per major version; the newest is taken. */
function installedVersions(root: string): string[] {
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
    return versions.map(version => join(root, version, 'bin'))
  } catch {
    return []
  }
}

function flags(settings: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function query(address: Address, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ ...address, database: 'postgres', connectionTimeoutMillis: 5_000 })
  // A server that goes away also breaks connections nobody is waiting on, and an unheard "error" event ends the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(sql)).rows
  } finally {
    await client.end()
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
