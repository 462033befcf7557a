import type { DatabaseSettings } from '../../../support/engines.js'
import { run } from '../../../support/run.js'
import { unlike } from './compare.js'
import type { Step } from './scripts.js'

/** Words of the recorded statements that are names there, and that MySQL reserves. */
const reserved = /(?<![\w'."])(double|groups|key|value|number|"limit")(?![\w'"])/g

/** A recorded statement as an engine takes it: those of the recordings are of SQLite. */
export const spelled = (sql: string, client: DatabaseSettings['client']): string =>
  client === 'mysql' ? sql.replace(reserved, word => `\`${word.replaceAll('"', '')}\``) : sql

/** Where the rows of a statement differ from the recorded ones. */
export async function differenceOfRows(
  { sql = '', rows }: Step,
  database: DatabaseSettings,
): Promise<string | undefined> {
  const found = await run(database, spelled(sql, database.client))
  if (rows === undefined) return undefined
  return unlike(
    rows,
    found.map((row, at) => likeSqlite(row, rows[at] ?? {})),
    'rows',
  )
}

/** Booleans are numbers on SQLite, and servers send decimals and counts as text. */
function likeSqlite(row: Readonly<Record<string, unknown>>, was: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(row).map(([name, value]) => {
    if (typeof value === 'boolean') return [name, Number(value)]
    if (typeof was[name] === 'number' && typeof value === 'string' && value !== '') return [name, Number(value)]
    return [name, typeof value === 'bigint' ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}
