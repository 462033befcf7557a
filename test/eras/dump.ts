import { chmodSync } from 'node:fs'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseSettings } from '../support/engines.js'
import { run } from '../support/run.js'
import { DatabaseSync } from '../support/sqlite.js'

/** Runs the statements of a dump on an empty database. */
export async function loadDump(settings: DatabaseSettings, sql: string): Promise<void> {
  if (settings.client === 'sqlite') {
    const database = new DatabaseSync(settings.filename)
    database.exec(sql)
    database.close()
    // As the server would have made it.
    chmodSync(settings.filename, 0o600)
    return
  }
  const { client, ...address } = settings
  if (client === 'mysql') {
    const connection = await mysql.createConnection({ ...address, multipleStatements: true })
    await connection.query(sql)
    await connection.end()
    return
  }
  const connection = new pg.Client(address)
  await connection.connect()
  await connection.query(sql)
  await connection.end()
}

export type Rows = ReadonlyMap<string, readonly Record<string, unknown>[]>

const names = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  mysql: 'select table_name as name from information_schema.tables where table_schema = database()',
  postgres: "select table_name as name from information_schema.tables where table_schema = 'public'",
}

/** Every table with its rows, as the database has them. */
export async function tablesOf(settings: DatabaseSettings): Promise<Rows> {
  if (settings.client === 'sqlite') return tablesOfSqlite(settings.filename)
  const quote = settings.client === 'mysql' ? '`' : '"'
  const tables = new Map<string, Record<string, unknown>[]>()
  for (const { name } of await run(settings, names[settings.client]))
    tables.set(String(name), await run(settings, `select * from ${quote}${name}${quote} order by id`))
  return tables
}

/** Integers that no number holds are read as well. */
function tablesOfSqlite(filename: string): Rows {
  const database = new DatabaseSync(filename)
  try {
    const rowsOf = (name: string) => {
      const query = database.prepare(`select * from "${name}" order by 1`)
      query.setReadBigInts(true)
      return query.all().map(row => ({ ...(row as object) }))
    }
    const tables = database.prepare(names.sqlite).all() as { name: string }[]
    return new Map(tables.map(({ name }) => [name, rowsOf(name)]))
  } finally {
    database.close()
  }
}
