import fs from 'node:fs'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { loadSqlite } from '../../dist/core/engines/sqlite/driver.js'
import { counts, fill } from './dataset.mjs'
import { tables } from './tables.mjs'

const { DatabaseSync } = await loadSqlite()

/** A SQLite file with the dataset, made once and then found again: every server gets a copy of it. */
export async function seedSqlite(file, articles = counts.article) {
  if (fs.existsSync(file)) return file
  const part = `${file}.${process.pid}.part`
  fs.rmSync(part, { force: true })
  const db = new DatabaseSync(part, { enableForeignKeyConstraints: false })
  const layout = tables('sqlite')
  db.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -262144; pragma temp_store = memory',
  )
  for (const sql of layout.tables) db.exec(sql)
  db.exec('begin')
  const statements = new Map()
  const prepare = (table, columns) =>
    db.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
  await fill(
    (table, columns, values) => {
      if (!statements.has(table)) statements.set(table, prepare(table, columns))
      statements.get(table).run(...values)
    },
    { articles },
  )
  db.exec('commit')
  // After the rows: a million links sort faster than they find their places one by one.
  for (const sql of layout.indexes) db.exec(sql)
  db.exec('pragma journal_mode = wal')
  db.close()
  fs.renameSync(part, file)
  return file
}

/** Hands over the dataset, up to 1,000 rows of a table at a time; resolves to the tables. */
async function fillInBatches(insert) {
  const waiting = new Map()
  const flush = (table, { columns, rows }) => insert(table, columns, rows.splice(0))
  await fill(
    (table, columns, values) => {
      if (!waiting.has(table)) waiting.set(table, { columns, rows: [] })
      const batch = waiting.get(table)
      return batch.rows.push(values) === 1000 ? flush(table, batch) : undefined
    },
    { datetime: ms => new Date(ms).toISOString().replace('T', ' ').replace('Z', '') },
  )
  for (const [table, batch] of waiting) if (batch.rows.length) await flush(table, batch)
  return [...waiting.keys()]
}

/** The same rows in a MariaDB database that is empty. */
export async function seedMariadb({ host, port, user, password, database }) {
  const db = await mysql.createConnection({ host, port, user, password, database })
  const layout = tables('mariadb')
  for (const sql of [...layout.tables, ...layout.indexes]) await db.query(sql)
  await db.query('set foreign_key_checks = 0')
  await fillInBatches((table, columns, rows) =>
    db.query(`insert into ${table} (${columns.join(', ')}) values ?`, [rows]),
  )
  await db.end()
}

/** The same rows in a PostgreSQL database that is empty. */
export async function seedPostgres(access) {
  const db = new pg.Client(access)
  await db.connect()
  const layout = tables('postgres')
  for (const sql of layout.tables) await db.query(sql)
  // Rows that lead to others come before them.
  await db.query("set session_replication_role = 'replica'")
  const filled = await fillInBatches(async (table, columns, rows) => {
    const lists = columns.map((_, k) => rows.map(row => row[k]))
    const types = await typesOf(db, table, columns)
    const unnested = types.map((type, k) => `$${k + 1}::text[]::${type}[]`).join(', ')
    await db.query(`insert into ${table} (${columns.join(', ')}) select * from unnest(${unnested})`, lists)
  })
  for (const table of filled)
    await db.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  for (const sql of layout.indexes) await db.query(sql)
  await db.query('analyze')
  await db.end()
}

const typesOf = async (db, table, columns) => {
  const sql = 'select column_name, data_type from information_schema.columns where table_name = $1'
  const types = new Map((await db.query({ text: sql, values: [table], rowMode: 'array' })).rows)
  return columns.map(column => types.get(column))
}

// `node seed.mjs <file> [articles]` makes a file in a process of its own, so that its memory is gone afterwards.
if (import.meta.filename === process.argv[1])
  await seedSqlite(process.argv[2], Number(process.argv[3] ?? counts.article))
