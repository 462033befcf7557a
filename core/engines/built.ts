import type { Knex } from 'knex'
import type { ChangeResult, Engine, NamedRow, RawRow, Session } from './engine.js'

/** A statement of the query builder. */
export interface BuiltStatement {
  toSQL(): { toNative(): { readonly sql: string; readonly bindings: readonly unknown[] } }
}

/** The rows that a statement of one's own reads, columns in its order and values as the database has them. */
export async function rowsOf(session: Session, statement: BuiltStatement): Promise<readonly RawRow[]> {
  const { sql, bindings } = statement.toSQL().toNative()
  return session.all(sql, bindings)
}

/** Runs a statement of one's own that changes rows; how many there were tells whether it found any. */
export async function change(session: Session, statement: BuiltStatement): Promise<ChangeResult> {
  const { sql, bindings } = statement.toSQL().toNative()
  return session.run(sql, bindings)
}

/** A statement about one row, built once for each table: values are put in where their names stand. */
export function onceFor(build: (table: string, names: NamedRow) => BuiltStatement) {
  const known = new Map<string, { readonly sql: string; readonly names: readonly unknown[] }>()
  return (table: string, row: NamedRow): { readonly sql: string; readonly values: readonly unknown[] } => {
    let found = known.get(table)
    if (!found) {
      const names = Object.fromEntries(Object.keys(row).map(name => [name, name]))
      const { sql, bindings } = build(table, names as NamedRow)
        .toSQL()
        .toNative()
      found = { sql, names: bindings }
      known.set(table, found)
    }
    return { sql: found.sql, values: found.names.map(name => row[name as string]) }
  }
}

/** `add` of an engine whose statements can return the rows that they have written. */
export function addReturning(knex: Knex): Engine['add'] {
  const added = onceFor((table, row) =>
    knex(table)
      .insert(row)
      .onConflict('name')
      .merge({ count: knex.raw('?? + ?', [`${table}.count`, row.count as string]) })
      .returning('count'),
  )
  return async (session, table, row) => {
    const { sql, values } = added(table, row)
    const [[count] = []] = await session.all(sql, values)
    return Number(count)
  }
}
