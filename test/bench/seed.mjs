import fs from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import mysql from 'mysql2/promise'
import { counts, fill } from './dataset.mjs'
import { tables } from './tables.mjs'

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

/** The same rows in a MariaDB database that is empty. */
export async function seedMariadb({ host, port, user, password, database }) {
  const db = await mysql.createConnection({ host, port, user, password, database })
  const layout = tables('mariadb')
  for (const sql of [...layout.tables, ...layout.indexes]) await db.query(sql)
  await db.query('set foreign_key_checks = 0')
  const waiting = new Map()
  const flush = async (table, { columns, rows }) => {
    await db.query(`insert into ${table} (${columns.join(', ')}) values ?`, [rows.splice(0)])
  }
  await fill(
    (table, columns, values) => {
      if (!waiting.has(table)) waiting.set(table, { columns, rows: [] })
      const batch = waiting.get(table)
      return batch.rows.push(values) === 1000 ? flush(table, batch) : undefined
    },
    { datetime: ms => new Date(ms).toISOString().replace('T', ' ').replace('Z', '') },
  )
  for (const [table, batch] of waiting) if (batch.rows.length) await flush(table, batch)
  await db.end()
}

// `node seed.mjs <file> [articles]` makes a file in a process of its own, so that its memory is gone afterwards.
if (import.meta.filename === process.argv[1])
  await seedSqlite(process.argv[2], Number(process.argv[3] ?? counts.article))
