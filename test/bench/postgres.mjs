import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { freePort, sleep, stop } from './processes.mjs'

/** A private PostgreSQL on a loopback port with its files in `folder`. */
export async function openPostgres(folder) {
  const port = await freePort()
  const access = { host: '127.0.0.1', port, user: 'bench', password: 'bench' }
  const data = path.join(folder, 'postgres')
  const secret = path.join(folder, 'password')
  fs.writeFileSync(secret, access.password)
  fs.mkdirSync(data)
  // PostgreSQL refuses to run as root.
  const account = process.getuid() === 0 ? owned(folder, data, secret) : {}
  const bin = binaries()
  const quiet = { stdio: ['ignore', 'ignore', 'ignore'], cwd: data, ...account }
  const init = ['-D', data, '-U', access.user, `--pwfile=${secret}`, '--auth-host=scram-sha-256', '--auth-local=trust']
  execFileSync(path.join(bin, 'initdb'), [...init, '--encoding=UTF8', '--locale=C.UTF-8'], quiet)
  const settings = { listen_addresses: access.host, port, unix_socket_directories: data, shared_buffers: '256MB' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...flags], quiet)
  try {
    await reach({ ...access, database: 'postgres' }, child)
  } catch (error) {
    await stop(child, 'SIGINT')
    throw error
  }
  return {
    ...access,
    pid: child.pid,
    stop: () => stop(child, 'SIGINT'),
    async createDatabase(name) {
      const db = await reach({ ...access, database: 'postgres' }, child, true)
      await db.query(`drop database if exists ${name}`)
      await db.query(`create database ${name}`)
      await db.end()
      return { ...access, database: name }
    },
  }
}

function owned(folder, ...files) {
  const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'postgres'])))
  fs.chmodSync(folder, 0o755)
  for (const file of files) fs.chownSync(file, uid, gid)
  return { uid, gid }
}

/** Debian has them in one folder for each version. */
function binaries() {
  const root = '/usr/lib/postgresql'
  const [newest] = fs.existsSync(root) ? fs.readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return newest === undefined ? '' : path.join(root, newest, 'bin')
}

async function reach(access, child, stay = false) {
  for (let attempt = 0; ; attempt++) {
    const db = new pg.Client(access)
    try {
      await db.connect()
      if (stay) return db
      return await db.end()
    } catch (cause) {
      if (attempt > 100 || child.exitCode) throw new Error('PostgreSQL did not start', { cause })
      await sleep(100)
    }
  }
}
