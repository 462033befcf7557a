import pg from 'pg'
import { transactionOn } from './transaction.mjs'

/** Dates stay text, as the database prints them. */
const parsed = { 16: text => text === 't', 20: Number, 21: Number, 23: Number, 701: Number, 1700: Number }

/** PostgreSQL on pg, with prepared statements. */
export function openDatabase(access) {
  const types = { getTypeParser: oid => parsed[oid] ?? (text => text) }
  const pool = new pg.Pool({ ...access, max: 8, types })
  const statements = new Map()
  const statementOf = sql => {
    let statement = statements.get(sql)
    if (!statement) {
      let place = 0
      statement = { name: `s${statements.size}`, text: sql.replace(/\?/g, () => `$${++place}`) }
      statements.set(sql, statement)
    }
    return statement
  }
  const send = (sql, values = [], on = pool) => on.query({ ...statementOf(sql), values, rowMode: 'array' })
  return {
    run: async (sql, values, on) => (await send(sql, values, on)).rows,
    change: async (sql, values, on) => (await send(sql, values, on)).rowCount,
    insert: async (sql, values, on) => (await send(`${sql} returning id`, values, on)).rows[0][0],
    onSameTag: 'on conflict (article_id, tag_id) do update set tag_order = excluded.tag_order',
    nothing: 'default',
    transaction: transactionOn(() => pool.connect()),
  }
}
