import type { Change } from './changes.js'
import { fewOf, writesKnown, writesOf } from './footprint.js'

interface Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** What the open transaction of a session has written, or its one statement outside of transactions. */
export class Noted {
  readonly #most: number
  #changes: Change[] = []

  /** `most` changes of one transaction are told one by one. */
  constructor(most = 100) {
    this.#most = most
  }

  note({ sql, values }: Statement): void {
    const writes = writesKnown.get(sql) ?? writesOf(sql)
    if (writes.length === 0) return
    const numbers = values.map(value => (typeof value === 'number' ? value : undefined))
    for (const { table, keys, columns } of writes) this.#changes.push({ table, keys, columns, values: numbers })
    if (this.#changes.length > this.#most) this.#changes = fewOf(this.#changes)
  }

  /** Gives it away: what follows is another transaction. */
  take(): readonly Change[] {
    const taken = this.#changes
    this.#changes = []
    return taken
  }
}
