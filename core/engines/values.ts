import type { Representation } from '../schema/representation.js'

/** The storage of values: their columns, the values that drivers take and give, and the SQL around them in statements. */
export interface Values {
  /** The declared type of a column of a representation, or of one that holds the places of rows in a list. */
  columnType(as: Representation | 'order'): string
  /** A canonical value as the driver takes it. */
  encode(as: Representation, value: unknown): unknown
  /** The expression that selects a column which the driver could not read as it stands. */
  selected?(as: Representation, column: string): string
  /** A stored value in the one form that it has on every engine. */
  decode(as: Representation, value: unknown): unknown
  /** The same as the database prints it, on engines where that is another form. */
  printed?(as: Representation, value: unknown): unknown
  /** A placeholder for a value, with a cast where the database would guess its type wrongly. */
  place(as: Representation, value: unknown): string
}
