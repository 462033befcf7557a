import type { ColumnLimits } from '../schema/representation.js'

/** The abilities and limits of a kind of database, as data: the rest of the server asks for these, never for its name. */
export interface Facts {
  /** One transaction writes at a time, so writes never have to lock rows or wait for each other by name. */
  readonly oneWriter: boolean
  /** Changes of the layout are part of transactions. Without that, each one is recorded as soon as it is made. */
  readonly undoesLayout: boolean
  /** An index can leave out rows in which a column is not set; elsewhere such indexes are not created. */
  readonly partialIndexes: boolean
  /** Characters of the longest name of a table or column; longer ones are refused before anything is created. */
  readonly longestName: number
  /** The limits of columns. Values are checked against them first, as drivers name neither the attribute nor the limit. */
  readonly limits: ColumnLimits
  /** Decimals have two digits after the point and are exact, so they are bound as text; elsewhere they are floats. */
  readonly exactDecimals: boolean
  /** Texts may contain null bytes. */
  readonly nullBytes: boolean
  /** The name in OpenTelemetry's conventions: `db.system.name`. */
  readonly systemName: string
  /** An insert may count the rows of its own table without locks that keep others waiting. */
  readonly countsInInserts: boolean
  /** The id of a new row is known only to a statement that returns it. */
  readonly returnsIds: boolean
}
