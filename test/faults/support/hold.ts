import mysql from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseSettings } from '../../support/engines.js'

const table = 'articles'

/** Locks a table from outside, so that whoever wants to write to it waits; gives what lets go of it. */
export async function holdEverything(settings: DatabaseSettings): Promise<() => Promise<void>> {
  if (settings.client === 'mysql') {
    const { client: _, ...address } = settings
    const connection = await mysql.createConnection(address)
    await connection.query(`lock tables ${table} write`)
    return () => connection.end()
  }
  if (settings.client === 'postgres') {
    const { client: _, ...address } = settings
    const connection = new pg.Client(address)
    await connection.connect()
    await connection.query('begin')
    await connection.query(`lock table ${table} in access exclusive mode`)
    return () => connection.end()
  }
  throw new Error('SQLite has one writer anyway')
}
