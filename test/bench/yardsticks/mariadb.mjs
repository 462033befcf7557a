import mysql from 'mysql2/promise'
import { transactionOn } from './transaction.mjs'

/** MariaDB on mysql2, with prepared statements. */
export function openDatabase({ host, port, database, user, password }) {
  const options = { connectionLimit: 8, rowsAsArray: true, dateStrings: true, decimalNumbers: true }
  const pool = mysql.createPool({ host, port, database, user, password, ...options })
  const run = async (sql, values = [], on = pool) => (await on.execute(sql, values))[0]
  return {
    run,
    change: async (sql, values, on) => (await run(sql, values, on)).affectedRows,
    insert: async (sql, values, on) => (await run(sql, values, on)).insertId,
    onSameTag: 'on duplicate key update tag_order = values(tag_order)',
    nothing: 'null',
    transaction: transactionOn(() => pool.getConnection()),
  }
}
