import { setTimeout as wait } from 'node:timers/promises'
import type { Change } from '../changes.js'

/** Milliseconds in which what a commit has sent arrives, where a snapshot shows it already. */
const delay = 20
const mostKnown = 1000

/** The transactions of this process, and what they have written. */
export class OwnCommits {
  readonly #changes = new Map<number, readonly Change[]>()
  readonly #running = new Set<Promise<unknown>>()

  /** A commit that was sent. */
  sent(commit: Promise<unknown>): void {
    this.#running.add(commit)
    const end = () => this.#running.delete(commit)
    commit.then(end, end)
  }

  /** A commit that has been acknowledged. */
  add(id: number, changes: readonly Change[]): void {
    this.#changes.set(id, changes)
    if (this.#changes.size > mostKnown) this.#changes.delete(this.#changes.keys().next().value as number)
  }

  /** What was written between two snapshots; undefined if other transactions have ended as well. */
  async between(before: string, after: string): Promise<readonly Change[] | undefined> {
    const ended = endedBetween(before, after)
    if (!ended) return undefined
    if (!ended.every(id => this.#changes.has(id)) && this.#running.size > 0)
      await Promise.race([Promise.allSettled(this.#running), wait(delay)])
    const written: Change[] = []
    for (const id of ended) {
      const changes = this.#changes.get(id)
      if (!changes) return undefined
      written.push(...changes)
    }
    for (const id of ended) this.#changes.delete(id)
    return written
  }
}

/** The ids of transactions that the first of two snapshots does not see and the second one does. */
function endedBetween(before: string, after: string): number[] | undefined {
  const [first, second] = [partsOf(before), partsOf(after)]
  const isRunning = new Set(second.running)
  if (second.next - first.next > mostKnown) return undefined
  const begun = Array.from({ length: second.next - first.next }, (_, index) => first.next + index)
  return [...first.running, ...begun].filter(id => !isRunning.has(id))
}

/** `xmin:xmax:running`: all below xmax have ended, except those that run. */
function partsOf(snapshot: string): { next: number; running: number[] } {
  const [, next, running = ''] = snapshot.split(':')
  return { next: Number(next), running: running.split(',').filter(Boolean).map(Number) }
}
