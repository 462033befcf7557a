import type { Socket } from 'node:net'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseSettings } from './engines.js'
import { DatabaseSync } from './sqlite.js'

/** Runs a statement on a connection of its own, past everything the server under test does: the outside view of its data. */
export async function run(settings: DatabaseSettings, sql: string): Promise<Record<string, unknown>[]> {
  return on(settings, sql)
}

/** The same where nothing checks what rows lead to, as when a dump is read. */
export async function runUnchecked(settings: DatabaseSettings, sql: string): Promise<void> {
  await on(settings, sql, unchecked[settings.client])
}

const unchecked = {
  sqlite: 'pragma foreign_keys = off',
  mysql: 'set foreign_key_checks = 0',
  postgres: "set session_replication_role = 'replica'",
}

async function on(settings: DatabaseSettings, sql: string, first?: string): Promise<Record<string, unknown>[]> {
  if (settings.client === 'sqlite') return runSqlite(settings.filename, sql, first)
  if (first === undefined) return kept(settings, sql)
  const connection = await connect(settings)
  try {
    await connection.run(first)
    return await connection.run(sql)
  } finally {
    await connection.end()
  }
}

function runSqlite(filename: string, sql: string, first?: string): Record<string, unknown>[] {
  const database = new DatabaseSync(filename)
  try {
    if (first) database.exec(first)
    return database
      .prepare(sql)
      .all()
      .map(row => ({ ...(row as object) }))
  } finally {
    database.close()
  }
}

type ServerSettings = Exclude<DatabaseSettings, { readonly client: 'sqlite' }>

interface Connection {
  run(sql: string): Promise<Record<string, unknown>[]>
  end(): Promise<unknown>
  isOpen(): boolean
  /** Sets whether it keeps an idle process alive. */
  keepsAwake(yes: boolean): void
}

/** The idle connection to each of the last databases: making one costs PostgreSQL more than most statements. */
const idle = new Map<string, Connection>()
const most = 4

async function kept(settings: ServerSettings, sql: string): Promise<Record<string, unknown>[]> {
  const key = JSON.stringify(settings)
  const found = idle.get(key)
  idle.delete(key)
  if (found?.isOpen())
    try {
      return await lent(key, found, sql)
    } catch (error) {
      // The server may have gone while the connection was idle; a server's error about a statement has a code of its own.
      if ('sqlState' in (error as object) || 'severity' in (error as object)) throw error
    }
  return lent(key, await connect(settings), sql)
}

/** Ends the idle connection to a database that is to go. */
export async function letGo(settings: DatabaseSettings): Promise<void> {
  const key = JSON.stringify(settings)
  const connection = idle.get(key)
  idle.delete(key)
  await connection?.end().catch(() => undefined)
}

async function lent(key: string, connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  connection.keepsAwake(true)
  try {
    const rows = await connection.run(sql)
    const oldest = idle.size < most ? undefined : idle.keys().next().value
    const left = idle.has(key) ? key : oldest
    const extra = left === undefined ? undefined : idle.get(left)
    if (left !== undefined) idle.delete(left)
    idle.set(key, connection)
    connection.keepsAwake(false)
    await extra?.end()
    return rows
  } catch (error) {
    await connection.end().catch(() => undefined)
    throw error
  }
}

async function connect({ client, ...address }: ServerSettings): Promise<Connection> {
  let isOpen = true
  const close = () => {
    isOpen = false
  }
  if (client === 'mysql') {
    const connection = await mysql.createConnection(address)
    connection.on('error', close).on('end', close)
    return {
      async run(sql) {
        const [rows] = await connection.query(sql)
        return Array.isArray(rows) ? rows.map(row => ({ ...row })) : []
      },
      end: () => connection.end(),
      isOpen: () => isOpen,
      keepsAwake: yes => refer(connection, yes),
    }
  }
  const connection = new pg.Client(address)
  connection.on('error', close).on('end', close)
  await connection.connect()
  return {
    run: async sql => (await connection.query(sql)).rows,
    end: () => connection.end(),
    isOpen: () => isOpen,
    keepsAwake: yes => refer(connection, yes),
  }
}

/** The drivers keep their socket in the same place. */
function refer(connection: object, yes: boolean): void {
  const { stream } = (connection as { readonly connection: { readonly stream: Socket } }).connection
  if (yes) stream.ref()
  else stream.unref()
}
