import type { Facts } from '../facts.js'

export const facts: Facts = {
  /** A file has one write lock. */
  oneWriter: true,
  undoesLayout: true,
  partialIndexes: true,
  longestName: Infinity,
  /** Column types are only preferences: a text has any length, and numbers are those of JavaScript. */
  limits: { shortText: Infinity, integer: Number.MAX_SAFE_INTEGER, decimal: Infinity },
  exactDecimals: false,
  nullBytes: true,
  systemName: 'sqlite',
  countsInInserts: true,
  returnsIds: false,
}
