import type { Dependency, Names, RowDependency, RowSelection } from './dependency.js'
import { anything, type Footprint } from './footprint.js'

/** A footprint in the database, with the values of its statement as far as they are numbers. */
export interface Change extends Footprint {
  readonly values?: readonly unknown[]
}

/** The last change of each row of a table, as far as one column tells them apart. */
interface RowChanges {
  /** The last change of rows that the column does not tell. */
  others: number
  readonly rows: Map<number, number>
}

/** The states that the last changes of a table have led to. */
interface TableChanges {
  readonly name: string
  /** The last change of anything in it. */
  last: number
  /** The last change that may have concerned any rows. */
  any: number
  readonly columns: Map<string, number>
  readonly by: Map<string, RowChanges>
}

/** Rows of a table whose last changes are known one by one. */
const maxRows = 10_000

/** The changes so far: states are numbered by the commits that led to them. */
export class Changes {
  state = 0
  readonly #tables = new Map<string, TableChanges>()
  /** The changed tables among the names of a statement, as long as no further table has changed. */
  readonly #tablesByNames = new WeakMap<Names, { readonly of: number; readonly tables: readonly TableChanges[] }>()

  /** Counts a commit. */
  add(changes: readonly Change[]): void {
    this.state += 1
    for (const { table: name, keys, columns = [], values } of changes) {
      const table = this.#table(name)
      table.last = this.state
      if (!keys) table.any = this.state
      for (const column of columns) table.columns.set(column, this.state)
      for (const [column, rows] of table.by) this.#change(rows, values?.[keys?.get(column) ?? -1])
    }
  }

  /** The state after the last change that may have been one of anything. */
  get ofAnything(): number {
    return this.#tables.get(anything)?.last ?? 0
  }

  /** The state after the last change to the rows that were read, or to their tables, if that is after `since`; else one that is not. */
  last({ names, rows }: Dependency, since = 0): number {
    if (since >= this.state) return since
    const last = this.#last(names, since, table => table.last)
    if (!rows || last <= since) return last
    const reach = rows.reach()
    const { selections } = reach
    const lastOf = (ids?: ReturnType<RowDependency['idsIn']>) =>
      this.#last(names, since, table =>
        lastOfRows(table, selections.get(table.name), ids && (ids.get(table.name) ?? [])),
      )
    // Reading out of a response which rows it shows costs more than all else here.
    if (lastOf() > since) return last
    const ids = reach.idsIn(rows.body)
    return ids ? lastOf(ids) : last
  }

  #last(read: readonly Names[], since: number, of: (table: TableChanges) => number): number {
    let last = this.ofAnything
    for (const names of read)
      for (const table of this.#tablesOf(names)) if (table.last > since) last = Math.max(last, of(table))
    return last
  }

  /** A statement has many more names than tables. */
  #tablesOf(names: Names): readonly TableChanges[] {
    const before = this.#tablesByNames.get(names)
    if (before?.of === this.#tables.size) return before.tables
    const tables = names.flatMap(name => this.#tables.get(name) ?? [])
    this.#tablesByNames.set(names, { of: this.#tables.size, tables })
    return tables
  }

  #change(changes: RowChanges, row: unknown): void {
    if (typeof row === 'number' && changes.rows.size < maxRows) changes.rows.set(row, this.state)
    else {
      changes.others = this.state
      changes.rows.clear()
    }
  }

  #table(name: string): TableChanges {
    const table = this.#tables.get(name) ?? { name, last: 0, any: 0, columns: new Map(), by: new Map() }
    this.#tables.set(name, table)
    return table
  }
}

/** The last change of rows that were read, or without them, of the columns that decide which rows these are. */
function lastOfRows(table: TableChanges, selection: RowSelection | undefined, ids?: Iterable<number>): number {
  if (!selection) return table.last
  let last = table.any
  for (const column of selection.columns) last = Math.max(last, table.columns.get(column) ?? 0)
  if (!ids) return last
  const changes = table.by.get(selection.by) ?? { others: table.last, rows: new Map() }
  table.by.set(selection.by, changes)
  last = Math.max(last, changes.others)
  for (const id of ids) last = Math.max(last, changes.rows.get(id) ?? 0)
  return last
}
