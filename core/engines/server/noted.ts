import type { Change } from '../changes.js'
import type { Statement } from '../engine.js'
import { fewOf, writesKnown, writesOf } from '../written.js'

/** Changes of one transaction that are told one by one. */
const mostTold = 100

/** What the open transaction of a session has written, or its one statement outside of transactions. */
export class Noted {
  #changes: Change[] = []

  note({ sql, values }: Statement): void {
    const writes = writesKnown.get(sql) ?? writesOf(sql)
    if (writes.length === 0) return
    const numbers = values.map(value => (typeof value === 'number' ? value : undefined))
    for (const { table, keys, columns } of writes) this.#changes.push({ table, keys, columns, values: numbers })
    if (this.#changes.length > mostTold) this.#changes = fewOf(this.#changes)
  }

  /** Gives it away: what follows is another transaction. */
  take(): readonly Change[] {
    const taken = this.#changes
    this.#changes = []
    return taken
  }
}
