import { DatabaseSync } from '@photostructure/sqlite'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseSettings } from './engines.js'

/** One statement on a connection of its own, past everything the server under test does: the outside view of its data. */
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
  const { client, ...address } = settings
  return client === 'mysql' ? runMysql(address, sql, first) : runPostgres(address, sql, first)
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

async function runMysql(
  address: mysql.ConnectionOptions,
  sql: string,
  first?: string,
): Promise<Record<string, unknown>[]> {
  const connection = await mysql.createConnection(address)
  try {
    if (first) await connection.query(first)
    const [rows] = await connection.query(sql)
    return Array.isArray(rows) ? rows.map(row => ({ ...row })) : []
  } finally {
    await connection.end()
  }
}

async function runPostgres(address: pg.ClientConfig, sql: string, first?: string): Promise<Record<string, unknown>[]> {
  const connection = new pg.Client(address)
  await connection.connect()
  try {
    if (first) await connection.query(first)
    return (await connection.query(sql)).rows
  } finally {
    await connection.end()
  }
}
