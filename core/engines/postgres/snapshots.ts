import { mostKnown } from '../server/own-commits.js'

/** The ids of transactions that the first of two snapshots does not see and the second one does; undefined if very many. */
export function endedBetween(before: string, after: string): number[] | undefined {
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
