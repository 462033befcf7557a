import type { Wildcards } from '../query/tree.js'
import type { Representation } from '../schema/representation.js'

/** A piece of SQL together with its values: each stands in the text as a question mark, in this order. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The SQL of one kind of database for reads, as far as `core/sql` depends on it. */
export interface Words {
  quote(name: string): string
  like(column: string, text: string, how: LikeOptions): Sql
  /** Equality of texts that respects letter case, where that of the columns does not. */
  exact?(column: string, operator: '=' | '<>' | 'in' | 'not in', operands: Sql): Sql
  /** A condition that a column equals one of a list that is bound at run time. */
  inList(column: string): string
  /** The bound values of `inList`, and the text of a statement for so many of them. */
  bindList(ids: readonly number[]): readonly unknown[]
  expandList?(sql: string, count: number): string
  /** A column of another kind, compared as text. */
  asText(column: string, as: Representation): string
  /** A column as min and max take it. */
  comparable(as: Representation, column: string): string
  /** A number as a floating-point one, so that sums neither overflow nor differ in kind. */
  real(column: string): string
  /** The number that a column of JSON has under a name, as a floating-point one; nothing where there is none. */
  part(column: string, name: string): Sql
  /** The order of texts in the language of a tag; undefined where the database does not know it. */
  collation(tag: string): Collation | undefined
  /** The beginning of a date or datetime in the form of ISO 8601, as far as a unit: `2024-03`. */
  unitOf(as: Representation, column: string, unit: 'year' | 'month' | 'day' | 'hour'): string
  /** A column that groups as it is written, where equal texts may be written otherwise. */
  exactGroup?(as: Representation, column: string): string
  /** The part of an order by which missing values come first ascending and last descending. */
  nulls(descending: boolean): string
  /** The place of a number of rows. */
  readonly rows: string
  /** The text with the places of its values as the driver wants them, where those are not `?`. */
  numbered?(sql: string): string
  /** A column as the database writes it into JSON, on engines that do that faster than it is done here. */
  jsonOf?(as: Representation, column: string): string
  /** Joins tables in the order of the text, where the database does not know how few rows a condition on another table leaves. */
  readonly joinInOrder?: string
  /** Keeps a list of ids from being merged into the joins around it, where to order a dozen of joins takes seconds. */
  unmerged?(condition: Sql): Sql
  /**
   * A condition that fails a statement which has run too long, where the database has no clock of its own for that. Told
   * the id of the rows that are looked at, it looks at the clock at some of them only.
   */
  inTime?(id?: string): string
  /** True if a table is so small that rows can be compared in all of it without a look at the clock. */
  isSmall?(table: string): string
  /** Sorts rows together with everything that is selected of them: to skip many of them costs less by their ids alone. */
  readonly sortsWholeRows?: boolean
  /** An index of unique values is not used to sort by the columns behind them, as it may hold many nulls. */
  readonly uniqueEndsOrder?: boolean
  /** Reads share one connection: to begin several at once gains nothing. */
  readonly readsInTurn: boolean
}

/** The order of a language. */
export interface Collation {
  /** A text column as it is compared. */
  of(column: string): string
  /** The expression that rows are sorted by, where the database would take the beginning of the compared value for the whole. */
  rank?(compared: string): string
}

export interface LikeOptions {
  readonly open: 'both' | 'end' | 'start' | 'none'
  readonly ignoreCase: boolean
  readonly wildcards: Wildcards
  /** Without `ignoreCase`, letter case matters even where the database would ignore it. */
  readonly exactCase: boolean
  readonly negated: boolean
}

/** The text of a pattern: the value with its own wildcards escaped, and those of the operator added. */
export function pattern(text: string, { open, wildcards }: LikeOptions): string {
  const value = wildcards === 'all' ? text : text.replace(wildcards === 'none' ? /[\\%_]/g : /[\\%]/g, '\\$&')
  return `${open === 'both' || open === 'start' ? '%' : ''}${value}${open === 'both' || open === 'end' ? '%' : ''}`
}

/** The path of a value that a document has under a name. */
export const pathTo = (name: string): string => `$.${JSON.stringify(name)}`

/** Characters of a time in the form of ISO 8601 that a unit leaves. */
export const unitLength = { year: 4, month: 7, day: 10, hour: 13 } as const
