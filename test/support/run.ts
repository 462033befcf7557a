import { DatabaseSync } from '@photostructure/sqlite'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseSettings } from './engines.js'

/** One statement on a connection of its own, past everything the server under test does: the outside view of its data. */
export async function run(settings: DatabaseSettings, sql: string): Promise<Record<string, unknown>[]> {
  if (settings.client === 'sqlite') return runSqlite(settings.filename, sql)
  const { client, ...address } = settings
  return client === 'mysql' ? runMysql(address, sql) : runPostgres(address, sql)
}

function runSqlite(filename: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(filename)
  try {
    return database
      .prepare(sql)
      .all()
      .map(row => ({ ...(row as object) }))
  } finally {
    database.close()
  }
}

async function runMysql(address: mysql.ConnectionOptions, sql: string): Promise<Record<string, unknown>[]> {
  const connection = await mysql.createConnection(address)
  try {
    const [rows] = await connection.query(sql)
    return Array.isArray(rows) ? rows.map(row => ({ ...row })) : []
  } finally {
    await connection.end()
  }
}

async function runPostgres(address: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const connection = new pg.Client(address)
  await connection.connect()
  try {
    return (await connection.query(sql)).rows
  } finally {
    await connection.end()
  }
}
