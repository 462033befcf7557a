import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import mysql from 'mysql2/promise'
import { freePort, sleep, stop } from './processes.mjs'

/** A private MariaDB on a loopback port with its files in `folder`, or the one that `address` (host:port) names. */
export async function openMariadb(folder, address) {
  const user = process.env.BENCH_MARIADB_USER ?? 'bench'
  const password = process.env.BENCH_MARIADB_PASSWORD ?? 'bench'
  if (address) {
    const [host, port] = address.split(':')
    return handle({ host, port: Number(port), user, password })
  }
  const port = await freePort()
  const data = path.join(folder, 'mariadb')
  fs.mkdirSync(data)
  const account = process.getuid() === 0 ? ['--user=root'] : []
  const quiet = { stdio: ['ignore', 'ignore', 'ignore'] }
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...account],
    quiet,
  )
  const init = path.join(folder, 'init.sql')
  // Statements stand one on a line: the init file knows no other separator.
  const statements = [
    `create user '${user}'@'127.0.0.1' identified by '${password}';`,
    `grant all on *.* to '${user}'@'127.0.0.1';`,
  ]
  fs.writeFileSync(init, `${statements.join('\n')}\n`)
  const options = [
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=256M',
    // As in production, for backups to a point in time; stele's responses are cached only with it.
    '--log-bin=log',
    '--server-id=1',
    // Strict mode lets a write invalidate only the responses that it changes.
    '--gtid-strict-mode=1',
  ]
  const files = [
    `--datadir=${data}`,
    `--socket=${data}/s.sock`,
    `--pid-file=${data}/pid`,
    `--log-error=${folder}/mariadb.log`,
    `--init-file=${init}`,
  ]
  const child = spawn('mariadbd', ['--no-defaults', ...options, ...files, ...account], quiet)
  try {
    const server = await handle({ host: '127.0.0.1', port, user, password }, child)
    return { ...server, pid: child.pid, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}

async function handle(access, child) {
  const admin = await reach(access, child)
  await admin.end()
  return {
    ...access,
    stop: async () => {},
    async createDatabase(name) {
      const db = await mysql.createConnection(access)
      await db.query(`drop database if exists ${name}`)
      await db.query(`create database ${name} character set utf8mb4`)
      await db.end()
      return { ...access, database: name }
    },
  }
}

async function reach(access, child) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await mysql.createConnection(access)
    } catch (cause) {
      if (attempt > 100 || child?.exitCode) throw new Error('MariaDB did not start', { cause })
      await sleep(100)
    }
  }
}
