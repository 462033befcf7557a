import type { DatabaseSync } from '../../../support/sqlite.js'

export type Database = InstanceType<typeof DatabaseSync>
export type Row = Readonly<Record<string, unknown>>

export const textOf = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

export const namesOf = (database: Database, type: string): string[] =>
  database
    .prepare('select name from sqlite_master where type = ? order by name')
    .all(type)
    .map(({ name }) => String(name))

export const columnsOf = (database: Database, table: string): string[] =>
  database
    .prepare(`pragma table_info("${table}")`)
    .all()
    .map(({ name, type, notnull, dflt_value, pk }) => textOf({ name, type, notnull, dflt_value, pk }))

/** Strapi has each of them twice in the text of a table. */
export const keysOf = (database: Database, table: string): string[] => [
  ...new Set(
    database
      .prepare(`pragma foreign_key_list("${table}")`)
      .all()
      .map(({ from, table, to, on_delete }) => textOf({ from, table, to, on_delete })),
  ),
]

export const indexesOf = (database: Database, table: string): string[] =>
  database
    .prepare(`pragma index_list("${table}")`)
    .all()
    .map(({ name, unique }) => {
      const columns = database.prepare(`pragma index_info("${name}")`).all()
      return textOf({ name, unique, columns: columns.map(column => column.name) })
    })

export function allOf(database: Database, table: string): Row[] {
  const statement = database.prepare(`select * from "${table}" order by id`)
  // Numbers of 64 bits are no numbers of JavaScript.
  statement.setReadBigInts(true)
  return statement.all() as Row[]
}
