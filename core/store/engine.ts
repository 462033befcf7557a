import type { Knex } from 'knex'
import type { Model, ModelClass } from 'objection'

export type EngineName = 'sqlite' | 'mysql' | 'postgres'

/** How a value is stored and read back; field types choose one, engines know how each is done. */
export type Representation =
  | 'id'
  | 'text'
  | 'longtext'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'timestamp'
  | 'json'

/** A row as drivers give it fastest: its columns in the order of the statement. */
export type RawRow = readonly unknown[]

export interface Changed {
  readonly changes: number
  /** The id that the database gave to an inserted row. */
  readonly id: number
}

/** A place to run statements: outside a transaction, or inside the one of a write request. */
export interface Session {
  all(sql: string, values: readonly unknown[]): readonly RawRow[] | Promise<readonly RawRow[]>
  run(sql: string, values: readonly unknown[]): Changed | Promise<Changed>
  /** Leaves a step for when the transaction is stored; only a session inside of one has this. */
  readonly afterCommit?: (step: () => Promise<void>) => void
}

/** A column, table or index as the database has it. */
export interface Layout {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly indexes: ReadonlySet<string>
  /** Tables that take no part in transactions, where a database can have such. */
  readonly loose?: readonly string[]
}

/** One kind of database. The rest of the store is the same for all of them. */
export interface Engine {
  readonly name: EngineName
  /** Builds statements; they run through sessions. */
  readonly knex: Knex
  /** Reads outside a transaction. */
  readonly reader: Session
  /** What runs the reads of one answer that may be a little behind what was written; only where there are replicas. */
  relaxed?(): Session['all']
  /** What an operator should know although requests are served. */
  notes?(): Promise<readonly string[]>
  /** Runs the work in one transaction and again where the database asks for it. Nothing is answered before the commit. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Runs reads that all see the database as it was when the first of them ran; writers go on meanwhile. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Something that stays the same exactly while no row of the database changes; undefined where that cannot be known cheaply. */
  version(): string | undefined
  /** The declared type of a column of a representation. */
  columnType(as: Representation): string
  /** A canonical value as the driver takes it. */
  encode(as: Representation, value: unknown): unknown
  /** How a column is selected where the driver could not read it as it stands. */
  selected?(as: Representation, column: string): string
  /** A stored value as it is answered. */
  decode(as: Representation, value: unknown): unknown
  /** A placeholder for a value, with a cast where the database would guess its type wrongly. */
  place(as: Representation, value: unknown): string
  /** A column as the database writes it into JSON, on engines that do that faster than it is done here. */
  jsonOf?(as: Representation, column: string): string
  /** An index can leave out rows in which a column is not set. */
  readonly hasPartialIndexes: boolean
  /** A condition that a column equals one of a list that is bound at run time. */
  inList(column: string): string
  /** The bound values of `inList`, and the text of a statement for so many of them. */
  bindList(ids: readonly number[]): readonly unknown[]
  expandList?(sql: string, count: number): string
  /** A text comparison: the condition and the value to bind. */
  like(column: string, text: string, how: LikeOptions): { sql: string; value: string }
  /** Equality of texts that respects letter case. */
  exact(column: string, operator: '=' | '<>' | 'in' | 'not in', placeholders: string): string
  /** The condition binds each value twice. */
  readonly exactTwice: boolean
  /**
   * A condition that fails a statement which has run too long, where the database has no clock of its own for that. Told
   * the id of the rows that are looked at, it looks at the clock at some of them only.
   */
  inTime?(id?: string): string
  introspect(): Promise<Layout>
  /** Keeps other processes from changing the layout at the same time. */
  locked<T>(work: () => Promise<T>): Promise<T>
  /** Runs statements that change the layout. */
  alter(statements: readonly string[]): Promise<void>
  /** One connection for changes of the layout that belong together: one transaction, where the layout takes part in them. */
  altering<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Changes of the layout can be undone. */
  readonly undoesLayout: boolean
  /** As many wait for a connection as there are: more would not be served any sooner. Absent where nobody has to wait for one. */
  isCrowded?(): boolean
  /** Is told whom to ask for how many milliseconds what is to be stored may wait for more of it. */
  heed?(leeway: () => number): void
  /** Whether the database answers; for readiness. */
  ping(): Promise<void>
  /** What kind of failure a driver's error is. */
  classify(error: unknown): Failure | undefined
  close(): Promise<void>
}

export interface LikeOptions {
  readonly open: 'both' | 'end' | 'start' | 'none'
  readonly ignoreCase: boolean
  /** `%` and `_` in the text mean themselves. */
  readonly literal: boolean
  /** Without `ignoreCase`, letter case matters whatever the database would do. */
  readonly exactCase: boolean
  readonly negated: boolean
}

export type Failure =
  | { readonly kind: 'unique'; readonly column?: string }
  | { readonly kind: 'retry' }
  /** A row that another one leads to is gone. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'value' }
  /** More in one statement or transaction than the database takes. */
  | { readonly kind: 'large' }

/** Another write came between: only the whole transaction, run again, can be right. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/** The text of a pattern: the value with its own wildcards escaped, and those of the operator added. */
export function pattern(text: string, { open, literal }: LikeOptions): string {
  const value = literal ? text.replace(/[\\%_]/g, '\\$&') : text
  return `${open === 'both' || open === 'start' ? '%' : ''}${value}${open === 'both' || open === 'end' ? '%' : ''}`
}

export const quoteWith =
  (mark: string) =>
  (name: string): string =>
    mark + name.replaceAll(mark, mark + mark) + mark

/** Waits a little, longer with every attempt, and never twice the same. */
export const backOff = (attempt: number): Promise<void> =>
  new Promise(done => setTimeout(done, Math.random() * Math.min(20 * 2 ** attempt, 500)))

/** Where one answer is read from: whatever is up to date, or where that may be a little behind, what is nearest. */
export function readerFor({ reader, relaxed }: Pick<Engine, 'reader' | 'relaxed'>, mayLag: boolean): Session {
  return mayLag && relaxed ? { all: relaxed(), run: (sql, values) => reader.run(sql, values) } : reader
}

/** The database as plugins may use it. */
export interface Store {
  readonly engine: EngineName
  /** The query builder, for statements of one's own: `session.all` runs what it writes. */
  readonly knex: Knex
  /** The objection model of a content type. */
  readonly model: (uid: string) => ModelClass<Model>
  readonly reader: Session
  /** A value as statements bind it, and back: engines keep dates and booleans in their own ways. */
  readonly encode: (as: Representation, value: unknown) => unknown
  readonly decode: (as: Representation, value: unknown) => unknown
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>
}
