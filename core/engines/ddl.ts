import type { Knex } from 'knex'
import type { Session } from './session.js'

/** The SQL of tables: statements that change the layout, and the database's knowledge about a table. */
export interface Ddl extends CommonDdl {
  /** Makes a new table part of transactions, where a database also has tables that are not. */
  inTransactions?(builder: Knex.CreateTableBuilder): void
  /** Sets the collation of a new table, where it is not a property of the whole database. */
  collate?(builder: Knex.CreateTableBuilder): void
  /**
   * Merges the statements that create a table with its indexes and keys into as few as may be; absent where their number costs
   * nothing.
   */
  together?(statements: readonly string[]): string[]
  /** Gives a column a type into which every value fits as it is; absent where the type of a column cannot change. */
  widen?(table: string, column: string, type: string): string
  /** Drops a column and gives its name to another one. */
  replaceColumn(table: string, by: string, column: string): string[]
  dropIndex(table: string, index: NamedIndex): string
  /** Absent where an index keeps its name: there it is created again. */
  renameIndex?(table: string, from: string, to: string): string
  /** Other connections write nothing into the table until the changes are done. */
  lock(table: string): string[]
  unlock(): string[]
  /** The way in which a table without a primary key gets one. */
  readonly id: AddedId | RebuiltId
  /** Sets a column of each row to `place` in the row of the same id that a query gives. */
  numberRows(table: string, column: string, query: string): string
  /** Only where names of foreign keys belong to the whole database, and have to follow the name of their table. */
  readonly foreignKeys?: ForeignKeys
  /** Reads the table and the first column of every index. */
  readonly indexedColumns: string
  /** The highest id that a table has given, even if its row is gone. */
  lastId(session: Session, table: string): Promise<number>
  /** Makes a table give ids beyond this one from now on. */
  raiseLastId(session: Session, table: string, id: number): Promise<void>
  /** True if tables can be created, as far as that can be told without trying. */
  canCreateTables(session: Session): Promise<boolean>
  /** True for the error that the user of the database lacks a permission. */
  isDenied(error: Error): boolean
}

export interface NamedIndex {
  readonly name: string
  readonly unique: boolean
}

/** A primary key is added as a column with this definition. */
export interface AddedId {
  readonly definition: string
}

/** A new table takes the place of the old one, whose rows have an order and whose indexes and triggers go with it. */
export interface RebuiltId {
  readonly order: string
  attached(session: Session, table: string): Promise<string[]>
}

export interface ForeignKeys {
  /** The name of the key on each column that has one. */
  namesOf(session: Session, table: string): Promise<ReadonlyMap<string, string>>
  replace(table: string, keys: readonly ReplacedKey[]): string
}

export interface ReplacedKey {
  readonly from: string
  readonly to: string
  readonly column: string
  readonly target: string
  readonly onDelete: string
}

/** Statements that are the same for every database, but for its quotes. */
export function commonDdl(knex: Knex) {
  const q = quotes(knex)
  return {
    renameTable: (from: string, to: string) => `alter table ${q(from)} rename to ${q(to)}`,
    renameColumn: (table: string, from: string, to: string) =>
      `alter table ${q(table)} rename column ${q(from)} to ${q(to)}`,
    dropTable: (table: string) => `drop table ${q(table)}`,
    dropColumn: (table: string, column: string) => `alter table ${q(table)} drop column ${q(column)}`,
    addColumn: (table: string, column: string, type: string) =>
      `alter table ${q(table)} add column ${q(column)} ${type} null`,
  }
}

type CommonDdl = Readonly<ReturnType<typeof commonDdl>>

export const quotes =
  (knex: Knex) =>
  (name: string): string =>
    knex.raw('??', [name]).toString()

export const sqlOf = (builder: Knex.SchemaBuilder): string[] => builder.toSQL().map(({ sql }) => sql)
