import type { Change } from '../../cache/changes.js'
import type { TransactionChanges } from '../../cache/transaction-changes.js'
import { mostKnown, OwnCommits } from '../server/own-commits.js'
import type { Header } from './connection.js'
import type { OwnWrites } from './own-writes.js'

/** `domain-server-number`: a transaction of a binary log, in which those of one domain have rising numbers. */
interface Gtid {
  readonly domain: string
  readonly server: string
  readonly number: number
}

const gtidOf = (text: string): Gtid => {
  const [domain = '', server = '', number] = text.split('-')
  return { domain, server, number: Number(number) }
}

/** The transactions of this process by their names in the binary log, in whose order they become visible. */
export class OwnGtids implements OwnWrites {
  readonly #commits = new OwnCommits<string>()
  /** The last one that has been acknowledged: it is visible, with all before it. */
  last: Gtid | undefined

  follow(answered: Promise<Partial<Header>>, written: TransactionChanges, isCommit: boolean): void {
    const told = answered.then(
      ({ stateChanges }) => {
        const gtid = stateChanges?.systemVariables.last_gtid
        if (gtid) this.add(gtid, written.take())
      },
      () => undefined,
    )
    if (isCommit) this.#commits.sent(told)
  }

  add(gtid: string, changes: readonly Change[]): void {
    this.#commits.add(gtid, changes)
    const { last } = this
    const added = gtidOf(gtid)
    const isSameLog = last?.domain === added.domain && last.server === added.server
    if (!isSameLog || added.number > last.number) this.last = added
  }

  /** A server that was lost may give names again that it had not stored. */
  forget(): void {
    this.last = undefined
    this.#commits.forget()
  }

  /**
   * The changes between two positions of the binary log; undefined if other programs have written as well. `visible` is a
   * transaction that could be seen at the first of them: changes behind it are told once more, even if they could be seen too.
   */
  async between(before: string, after: string, visible: Gtid | undefined): Promise<readonly Change[] | undefined> {
    if (!visible) return undefined
    const { domain, server, number } = visible
    const others = (position: string) => position.split(',').filter(gtid => gtidOf(gtid).domain !== domain)
    if (others(before).join() !== others(after).join()) return undefined
    const last = after
      .split(',')
      .map(gtidOf)
      .find(gtid => gtid.domain === domain && gtid.server === server)
    const count = last ? last.number - number : -1
    if (count < 0 || count > mostKnown) return undefined
    const gtid = (index: number) => `${domain}-${server}-${number + index}`
    // Commits that were visible at that time are not asked about again.
    this.#commits.forget(gtid(0))
    return this.#commits.changesOf(Array.from({ length: count }, (_, index) => gtid(index + 1)))
  }
}
