import type { Knex } from 'knex'
import type { Changed, Engine, RawRow, Session } from './engine.js'

/** A statement of the query builder. */
export interface Built {
  toSQL(): { toNative(): { readonly sql: string; readonly bindings: readonly unknown[] } }
}

/** The rows that a statement of one's own reads, columns in its order and values as the database has them. */
export async function rowsOf(session: Session, statement: Built): Promise<readonly RawRow[]> {
  const { sql, bindings } = statement.toSQL().toNative()
  return session.all(sql, bindings)
}

/** Runs a statement of one's own that changes rows; how many there were tells whether it found any. */
export async function change(session: Session, statement: Built): Promise<Changed> {
  const { sql, bindings } = statement.toSQL().toNative()
  return session.run(sql, bindings)
}

/** `addOne` of an engine whose statements can return what they have written. */
export const addOneReturning =
  (knex: Knex): Engine['addOne'] =>
  async (session, table, row) => {
    const added = knex(table)
      .insert({ ...row, count: 1 })
      .onConflict('name')
      .merge({ count: knex.raw('?? + 1', [`${table}.count`]) })
      .returning('count')
    const [[count] = []] = await rowsOf(session, added)
    return Number(count)
  }
