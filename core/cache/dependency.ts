import { LRUCache } from 'lru-cache'

/** A place in the database: changes there invalidate values that were read from it. */
export interface Dependency {
  /** The names in each statement that read it. */
  readonly names: readonly Names[]
  /** The rows that it depends on, found once one of its tables has changed; undefined if any row counts. */
  readonly rows?: { readonly reach: () => RowDependency; readonly body?: Buffer } | undefined
}

/** A value that was read, and where. */
export interface ReadValue<T> extends Dependency {
  readonly value: T
}

/** Every name in a statement: those of all tables that it reads are among them, where no view stands for others. */
export type Names = readonly string[]

/** The rows of some tables that responses depend on. */
export interface RowDependency {
  readonly selections: ReadonlyMap<string, RowSelection>
  /** The rows that a response shows, by table; a total shows none. Undefined if any row counts. */
  idsIn(body: Buffer | undefined): ReadonlyMap<string, ReadonlySet<number>> | undefined
}

/** The selection of rows of a table. */
export interface RowSelection {
  /** The column that tells them from all others. */
  readonly by: string
  /** Columns that decide which rows these are: setting one may bring others. */
  readonly columns: ReadonlySet<string>
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
