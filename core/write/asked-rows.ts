import type { Session } from '../engines/engine.js'

/** Rows to insert. */
export interface NewRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** A column more, which counts on from the last of the rows that have the same value in the column `of`. */
  readonly next?: { readonly column: string; readonly of: string } | undefined
}

export type BoundValue = string | number
export type Match = Readonly<Record<string, BoundValue | readonly BoundValue[]>>
export type Rows = readonly (readonly unknown[])[]

/** Columns of the rows that match. */
export interface Selection {
  readonly table: string
  readonly columns: readonly string[]
  readonly orderBy?: readonly string[]
  readonly limit?: number
  /** No other transaction may change these rows before this one ends. */
  readonly lock?: boolean | 'share'
}

/**
 * A question with one value for a result: the number of rows with these values, or the greatest value of one of their columns.
 */
export interface Question {
  readonly table: string
  readonly match: Match
  /** The row with this id does not count. */
  readonly except?: number | undefined
  /** The column of which the greatest value is asked. */
  readonly last?: string
  /** The result that shows that nothing is wrong. */
  readonly expected?: number
}

/** Reads the rows that have these values. */
export type Select = (session: Session, values: readonly BoundValue[]) => Rows | Promise<Rows>
