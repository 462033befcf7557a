import type { RawRow } from './session.js'

/** The columns of each table and their types, from rows of table, column and type. */
export function tablesOf(rows: readonly RawRow[]): Map<string, Map<string, string>> {
  const tables = new Map<string, Map<string, string>>()
  for (const [table, column, type] of rows as [string, string, string][]) {
    const known = tables.get(table) ?? new Map<string, string>()
    tables.set(table, known.set(column, type.toLowerCase()))
  }
  return tables
}

/** The first column of rows. */
export const namesOf = (rows: readonly RawRow[]): Set<string> => new Set(rows.map(([name]) => String(name)))
