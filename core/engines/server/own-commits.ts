import { setTimeout as wait } from 'node:timers/promises'
import type { Change } from '../../cache/changes.js'

/** Milliseconds in which the reply to a commit arrives, where the database shows its changes already. */
const delay = 20
/** Transactions whose changes are known, at most. */
export const mostKnown = 1000

/** The transactions of this process, and their changes. */
export class OwnCommits<Id> {
  readonly #changes = new Map<Id, readonly Change[]>()
  readonly #running = new Set<Promise<unknown>>()

  /** A commit that was sent. */
  sent(commit: Promise<unknown>): void {
    this.#running.add(commit)
    const end = () => this.#running.delete(commit)
    commit.then(end, end)
  }

  /** A commit that has been acknowledged. */
  add(id: Id, changes: readonly Change[]): void {
    this.#changes.set(id, changes)
    if (this.#changes.size > mostKnown) this.#changes.delete(this.#changes.keys().next().value as Id)
  }

  /** The changes of transactions; undefined if one of them is not ours. */
  async changesOf(ids: readonly Id[]): Promise<readonly Change[] | undefined> {
    if (!ids.every(id => this.#changes.has(id)) && this.#running.size > 0)
      await Promise.race([Promise.allSettled(this.#running), wait(delay)])
    const written: Change[] = []
    for (const id of ids) {
      const changes = this.#changes.get(id)
      if (!changes) return undefined
      written.push(...changes)
    }
    return written
  }

  /** The same of transactions about which nothing is asked again. */
  async take(ids: readonly Id[]): Promise<readonly Change[] | undefined> {
    const written = await this.changesOf(ids)
    if (written) for (const id of ids) this.#changes.delete(id)
    return written
  }

  /** Forgets transactions: the one that is named and all that were acknowledged before it, or all there are. */
  forget(last?: Id): void {
    if (last !== undefined && !this.#changes.has(last)) return
    for (const id of this.#changes.keys()) {
      this.#changes.delete(id)
      if (id === last) return
    }
  }
}
