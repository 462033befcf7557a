import type { Change } from '../../cache/changes.js'
import type { TransactionChanges } from '../../cache/transaction-changes.js'
import { mostKnown } from '../server/own-commits.js'
import type { Header } from './connection.js'

/** Follows the writes of the transactions of this process. */
export interface OwnWrites {
  /** A statement was sent; the changes of its transaction are taken if it ends that. */
  follow(answered: Promise<Partial<Header>>, written: TransactionChanges, isCommit: boolean): void
}

/** A commit that was sent, and the next one. */
interface SentCommit {
  readonly number: number
  readonly changes: readonly Change[]
  next?: SentCommit
}

/** The last commit that had been sent at a time, and those that were not acknowledged yet. */
export interface Mark {
  readonly last: SentCommit
  readonly open: readonly SentCommit[]
}

/** Milliseconds after which a server has ended the transaction of a connection that was lost. */
const longestDoubt = 60_000

/**
 * The commits of this process where each is counted in the database: sent changes may be visible before they are acknowledged.
 */
export class CountedWrites implements OwnWrites {
  readonly #open = new Set<SentCommit>()
  #last: SentCommit = { number: 0, changes: [] }
  #marked = 0

  follow(answered: Promise<Partial<Header>>, written: TransactionChanges, isCommit: boolean): void {
    if (!isCommit) return
    const sent: SentCommit = { number: this.#last.number + 1, changes: written.take() }
    // Without marks the chain does not grow for ever.
    if (sent.number - this.#marked <= mostKnown) this.#last.next = sent
    this.#last = sent
    this.#open.add(sent)
    const end = () => this.#open.delete(sent)
    answered.then(end, () => setTimeout(end, longestDoubt).unref())
  }

  mark(): Mark {
    this.#marked = this.#last.number
    return { last: this.#last, open: [...this.#open] }
  }

  /** The changes that may have become visible since a mark; undefined if there are very many. */
  since({ last, open }: Mark): readonly Change[] | undefined {
    if (this.#last.number - last.number > mostKnown) return undefined
    const changes = open.flatMap(sent => sent.changes)
    for (let sent = last.next; sent; sent = sent.next) changes.push(...sent.changes)
    return changes
  }
}
