import { LRUCache } from 'lru-cache'
import type { Writes } from './footprint.js'

/** In place of a table: any of them. */
export const anything = '*'

/** What a statement has written, with its values as far as they are numbers. */
export interface Change extends Writes {
  readonly values?: readonly unknown[]
}

/** How the rows of a table were chosen from which something was read. */
export interface Chosen {
  /** The column that tells them from all others. */
  readonly by: string
  /** Columns that decide which rows these are: setting one may bring others. */
  readonly asked: ReadonlySet<string>
}

/** On which rows of some tables responses depend. */
export interface RowsRead {
  readonly chosen: ReadonlyMap<string, Chosen>
  /** The rows that a response shows, by table; a total shows none. Undefined where any row counts. */
  idsIn(body: Buffer | undefined): ReadonlyMap<string, ReadonlySet<number>> | undefined
}

/** Every name in a statement: those of all tables that it reads are among them, where no view stands for others. */
export type Names = readonly string[]

/** Where something was read. */
export interface ReadFrom {
  /** Of each statement that read it. */
  readonly names: readonly Names[]
  /** What is asked once one of its tables has changed; undefined where any row counts. */
  readonly rows?: { readonly reach: () => RowsRead; readonly body?: Buffer } | undefined
}

/** When the rows of a table have changed, as far as one column tells them. */
interface Told {
  /** Of rows that the column does not tell. */
  others: number
  readonly rows: Map<number, number>
}

interface Table {
  readonly name: string
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
  /** Those among the names of a statement, as long as no other table has changed. */
  readonly #named = new WeakMap<Names, { readonly of: number; readonly tables: readonly Table[] }>()

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

  /** The moment of the last change to what was read, or to its tables, if one is after a moment; else one that is not. */
  last({ names, rows }: ReadFrom, since = 0): number {
    if (since >= this.moment) return since
    const last = this.#last(names, since, table => table.last)
    if (!rows || last <= since) return last
    const reach = rows.reach()
    const { chosen } = reach
    const lastOf = (ids?: ReturnType<RowsRead['idsIn']>) =>
      this.#last(names, since, table => lastOfRows(table, chosen.get(table.name), ids && (ids.get(table.name) ?? [])))
    // Reading out of a response which rows it shows costs more than all else here.
    if (lastOf() > since) return last
    const ids = reach.idsIn(rows.body)
    return ids ? lastOf(ids) : last
  }

  #last(read: readonly Names[], since: number, of: (table: Table) => number): number {
    let last = this.ofAnything
    for (const names of read)
      for (const table of this.#tablesOf(names)) if (table.last > since) last = Math.max(last, of(table))
    return last
  }

  /** A statement has many more names than tables. */
  #tablesOf(names: Names): readonly Table[] {
    const known = this.#named.get(names)
    if (known?.of === this.#tables.size) return known.tables
    const tables = names.flatMap(name => this.#tables.get(name) ?? [])
    this.#named.set(names, { of: this.#tables.size, tables })
    return tables
  }

  #tell(told: Told, row: unknown): void {
    if (typeof row === 'number' && told.rows.size < mostTold) told.rows.set(row, this.moment)
    else {
      told.others = this.moment
      told.rows.clear()
    }
  }

  #table(name: string): Table {
    const table = this.#tables.get(name) ?? { name, last: 0, any: 0, columns: new Map(), by: new Map() }
    this.#tables.set(name, table)
    return table
  }
}

/** Of rows that were read, or without them, of what decides which rows these are. */
function lastOfRows(table: Table, chosen: Chosen | undefined, ids?: Iterable<number>): number {
  if (!chosen) return table.last
  let last = table.any
  for (const column of chosen.asked) last = Math.max(last, table.columns.get(column) ?? 0)
  if (!ids) return last
  const told = table.by.get(chosen.by) ?? { others: table.last, rows: new Map() }
  table.by.set(chosen.by, told)
  last = Math.max(last, told.others)
  for (const id of ids) last = Math.max(last, told.rows.get(id) ?? 0)
  return last
}

const namesOf = new LRUCache<string, Names>({ max: 2000 })

/** The same list each time, as long as it is remembered. */
export function namesIn(sql: string): Names {
  const before = namesOf.get(sql)
  if (before) return before
  const found = sql.toLowerCase().matchAll(/["`]([^"`]+)["`]|[a-z_][\w$]*/g)
  const names = [...new Set([...found].map(([word, quoted]) => quoted ?? word))]
  namesOf.set(sql, names)
  return names
}
