import { DatabaseSync } from '../../../support/sqlite.js'

type Row = Readonly<Record<string, unknown>>

/** All rows of a database, by table and the row as text. */
export type Rows = ReadonlyMap<string, readonly Row[]>

/** Tables of the server itself, which change with every session. */
const isOwn = (table: string): boolean => table.startsWith('stele_') || table.startsWith('sqlite_')

/** Reads a database past the server. */
export function rowsIn(file: string): Rows {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare(`select name from sqlite_master where type = 'table' order by name`).all()
    const names = tables.map(({ name }) => String(name)).filter(name => !isOwn(name))
    return new Map(names.map(name => [name, allOf(database, name)]))
  } finally {
    database.close()
  }
}

function allOf(database: InstanceType<typeof DatabaseSync>, table: string): Row[] {
  const statement = database.prepare(`select * from "${table}"`)
  // Numbers of 64 bits are no numbers of JavaScript.
  statement.setReadBigInts(true)
  const rows = statement.all() as Row[]
  // Rows of links are made anew with every change of a list: what they say counts, and not their own numbers.
  return /_(links|components)$/.test(table) ? rows.map(({ id: _, ...row }) => row) : rows
}

const textOf = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) =>
    typeof value !== 'bigint' ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value),
  )

/** What differs between two states, a line for each row that is gone or new: `articles: {...}`. */
export function changedRows(before: Rows, after: Rows): { readonly gone: string[]; readonly fresh: string[] } {
  const linesOf = (rows: Rows) =>
    new Set(
      [...rows]
        .flatMap(([table, all]) => all.map(row => `${table}: ${textOf(row)}`))
        // Strapi's own list of tables that it leaves alone, which grows with those of the server.
        .filter(line => !line.includes('core_persisted_tables')),
    )
  const [was, is] = [linesOf(before), linesOf(after)]
  return { gone: [...was].filter(line => !is.has(line)), fresh: [...is].filter(line => !was.has(line)) }
}
