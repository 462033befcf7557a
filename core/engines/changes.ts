import { LRUCache } from 'lru-cache'
import type { Writes } from './written.js'

/** In place of a table: any of them. */
export const anything = '*'

/** What a statement has written, with its values as far as they are numbers. */
export interface Change extends Writes {
  readonly values?: readonly unknown[]
}

/** The rows of a table from which something was read. */
export interface RowsRead {
  /** The column that tells them from all others. */
  readonly by: string
  readonly ids: ReadonlySet<number>
  /** Columns that decide which rows these are: setting one may bring others. */
  readonly asked: ReadonlySet<string>
}

/** Where something was read. */
export interface ReadFrom {
  readonly tables: readonly string[]
  /** Of some of the tables, the rows; undefined where any row counts. Called when one of the tables has changed. */
  readonly rows?: (() => ReadonlyMap<string, RowsRead> | undefined) | undefined
}

/** When the rows of a table have changed, as far as one column tells them. */
interface Told {
  /** Of rows that the column does not tell. */
  others: number
  readonly rows: Map<number, number>
}

interface Table {
  /** Of anything in it. */
  last: number
  /** Of what may have been any rows. */
  any: number
  readonly columns: Map<string, number>
  readonly by: Map<string, Told>
}

/** Rows of a table of which it is known when they have changed. */
const mostTold = 10_000

/** What has changed, and when: moments count commits. */
export class Changes {
  moment = 0
  readonly #tables = new Map<string, Table>()

  /** Counts a commit. */
  add(changes: readonly Change[]): void {
    this.moment += 1
    for (const { table: name, keys, columns = [], values } of changes) {
      const table = this.#table(name)
      table.last = this.moment
      if (!keys) table.any = this.moment
      for (const column of columns) table.columns.set(column, this.moment)
      for (const [column, told] of table.by) this.#tell(told, values?.[keys?.get(column) ?? -1])
    }
  }

  /** The moment of the last change that may have been one of anything. */
  get ofAnything(): number {
    return this.#tables.get(anything)?.last ?? 0
  }

  /** The moment of the last change to what was read; where there was none after a moment, one that is not after it. */
  last(read: ReadFrom, since = 0): number {
    if (since >= this.moment) return since
    let last = this.ofAnything
    for (const name of read.tables) {
      const table = this.#tables.get(name)
      if (!table || table.last <= since) continue
      const rows = read.rows?.()?.get(name)
      last = Math.max(last, rows ? this.#lastOf(table, rows) : table.last)
    }
    return last
  }

  #lastOf(table: Table, { by, ids, asked }: RowsRead): number {
    let told = table.by.get(by)
    if (!told) {
      told = { others: table.last, rows: new Map() }
      table.by.set(by, told)
    }
    let last = Math.max(table.any, told.others)
    for (const column of asked) last = Math.max(last, table.columns.get(column) ?? 0)
    for (const id of ids) last = Math.max(last, told.rows.get(id) ?? 0)
    return last
  }

  #tell(told: Told, row: unknown): void {
    if (typeof row === 'number' && told.rows.size < mostTold) told.rows.set(row, this.moment)
    else {
      told.others = this.moment
      told.rows.clear()
    }
  }

  #table(name: string): Table {
    let table = this.#tables.get(name)
    if (!table) {
      table = { last: 0, any: 0, columns: new Map(), by: new Map() }
      this.#tables.set(name, table)
    }
    return table
  }
}

const namesOf = new LRUCache<string, readonly string[]>({ max: 2000 })

/** Every name in a statement: those of all tables that it reads are among them, where no view stands for others. */
export function namesIn(sql: string): readonly string[] {
  const before = namesOf.get(sql)
  if (before) return before
  const found = sql.toLowerCase().matchAll(/["`]([^"`]+)["`]|[a-z_][\w$]*/g)
  const names = [...new Set([...found].map(([word, quoted]) => quoted ?? word))]
  namesOf.set(sql, names)
  return names
}
