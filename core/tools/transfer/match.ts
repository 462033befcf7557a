import type { ArchiveTable, ColumnKind, Head } from './archive.js'
import { tableFolder } from './archive.js'
import type { TransferHost } from './host.js'
import { type Present, type ScopedTable, scopeOf } from './scope.js'

/** The table and columns for the rows of one member. */
export interface Target {
  readonly table: ScopedTable
  /** The columns that the archive has and the table has room for. */
  readonly columns: readonly { readonly name: string; readonly as: ColumnKind }[]
}

export interface Match {
  /** Targets by the name of the member. */
  readonly targets: ReadonlyMap<string, Target>
  readonly settings: ReadonlySet<string>
  readonly plugins: ReadonlySet<string>
  /** Parts of the archive for which the app has no place, a sentence each. */
  readonly unknown: readonly string[]
}

/** Finds the place of everything that an archive says it holds. */
export function match(head: Head, host: TransferHost, present: Present): Match {
  const scope = scopeOf(host, head.accounts, present)
  const tables = new Map(scope.tables.map(table => [table.name, table]))
  const targets = new Map<string, Target>()
  const unknown: string[] = []
  for (const found of head.tables) {
    const table = tables.get(found.name)
    if (!table) unknown.push(`the table ${found.name}${ofType(found)} is not one of this app: its rows have no place`)
    else {
      const { columns, problems } = columnsOf(found, table)
      targets.set(`${tableFolder}${found.name}.jsonl`, { table, columns })
      unknown.push(...problems)
    }
  }
  const settings = new Set(scope.settings)
  for (const key of head.settings)
    if (!settings.has(key)) unknown.push(`the stored setting ${key} is not known to an enabled plugin`)
  const takers = host.plugins.filter(plugin => plugin.import).map(({ name }) => name)
  for (const name of head.plugins)
    if (!takers.includes(name))
      unknown.push(`what the plugin ${name} keeps beside the database has no place: it is disabled`)
  return { targets, settings, plugins: new Set(takers), unknown }
}

const ofType = ({ type }: ArchiveTable): string => (type === undefined ? '' : ` (${type})`)

function columnsOf(found: ArchiveTable, table: ScopedTable) {
  const known = new Map(table.columns.map(({ name, as }) => [name, as]))
  const columns: Target['columns'][number][] = []
  const problems: string[] = []
  for (const [name, kind] of Object.entries(found.columns)) {
    const as = known.get(name)
    const column = `the column ${found.name}.${name}${ofType(found)}`
    if (as === undefined) problems.push(`${column} is not one of this app: its values have no place`)
    else if (formOf(as) !== formOf(kind)) problems.push(`${column} holds ${kind}, and ${as} in this app`)
    else columns.push({ name, as })
  }
  return { columns, problems }
}

/** Kinds with the same form in an archive may stand for each other. */
function formOf(kind: ColumnKind): string {
  if (kind === 'longtext') return 'text'
  return kind === 'timestamp' ? 'datetime' : kind
}
