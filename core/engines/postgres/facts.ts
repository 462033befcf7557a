import type { Facts } from '../facts.js'

export const facts: Facts = {
  oneWriter: false,
  undoesLayout: true,
  partialIndexes: true,
  /** Longer names would be cut silently. */
  longestName: 63,
  /** varchar(255), integer and numeric(10,2). */
  limits: { shortText: 255, integer: 2 ** 31 - 1, decimal: 99_999_999.99 },
  exactDecimals: true,
  /** Its texts end at the first null byte. */
  nullBytes: false,
  systemName: 'postgresql',
  countsInInserts: true,
  returnsIds: true,
}
