import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openMariadb } from './mariadb.mjs'
import { openPostgres } from './postgres.mjs'

/** An empty database of an engine for the settings of an app, with a server of its own, whose process is `pid`, that `stop` ends. */
export async function engineOf(name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-bench-'))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  if (name === 'sqlite') return { database: { client: 'sqlite', filename: path.join(folder, 'data.db') }, stop: remove }
  const [client, open] = { mariadb: ['mysql', openMariadb], postgres: ['postgres', openPostgres] }[name]
  const server = await open(folder)
  const { host, port, user, password, database } = await server.createDatabase('bench')
  const stop = async () => {
    await server.stop()
    remove()
  }
  return { database: { client, host, port, user, password, database }, stop, pid: server.pid }
}
