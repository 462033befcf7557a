import type { Change } from './changes.js'
import { footprintOf } from './footprint.js'

interface Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** The changes of the open transaction of a session, or of its one statement outside of transactions. */
export class TransactionChanges {
  readonly #most: number
  #changes: Change[] = []

  /** Notes only the tables of more than `most` changes. */
  constructor(most = 100) {
    this.#most = most
  }

  note({ sql, values }: Statement): void {
    const footprints = footprintOf(sql)
    if (footprints.length === 0) return
    const numbers = values.map(value => (typeof value === 'number' ? value : undefined))
    for (const { table, keys, columns } of footprints) this.#changes.push({ table, keys, columns, values: numbers })
    if (this.#changes.length > this.#most) this.#changes = tablesOf(this.#changes)
  }

  /** Gives them away: later statements are another transaction. */
  take(): readonly Change[] {
    const taken = this.#changes
    this.#changes = []
    return taken
  }
}

/** The tables of changes that are too many to tell apart. */
export const tablesOf = (changes: readonly Change[]): Change[] =>
  [...new Set(changes.map(({ table }) => table))].map(table => ({ table }))
