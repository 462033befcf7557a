import type { Facts } from '../facts.js'

export const facts: Facts = {
  oneWriter: false,
  /** Every statement that changes a table commits. */
  undoesLayout: false,
  partialIndexes: false,
  longestName: 64,
  /** varchar(255), int and decimal(10,2). */
  limits: { shortText: 255, integer: 2 ** 31 - 1, decimal: 99_999_999.99 },
  exactDecimals: true,
  nullBytes: true,
  systemName: 'mysql',
  /** It locks the rows that it has looked at, and the gaps around. */
  countsInInserts: false,
  returnsIds: false,
}
