import type { Fn, Loose } from '../../types.js'

/** Calls functions one after the other, each with what the one before has given. */
export const pipeAsync =
  (...steps: readonly Fn[]) =>
  async (...given: Loose[]): Promise<Loose> => {
    const [first, ...rest] = steps
    let value = first ? await first(...given) : given[0]
    for (const step of rest) value = await step(value)
    return value
  }

/** A function of a list or of the list's later arguments: `mapAsync(list, work)`, `mapAsync(list)(work)`. */
const later =
  (work: (list: readonly Loose[], ...more: Loose[]) => Promise<Loose>) =>
  (list: readonly Loose[], ...more: Loose[]): Loose =>
    more.length > 0 ? work(list, ...more) : (...rest: Loose[]) => work(list, ...rest)

/** Runs work for each of a list, at most so many at once. */
async function inOrder(list: readonly Loose[], work: Fn, { concurrency = Infinity } = {}): Promise<Loose[]> {
  const results: Loose[] = new Array(list.length)
  let next = 0
  const worker = async () => {
    while (next < list.length) {
      const index = next++
      results[index] = await work(list[index], index)
    }
  }
  const workers = Math.max(1, Math.min(list.length, Number(concurrency) || 1))
  await Promise.all(Array.from({ length: workers }, worker))
  return results
}

export const mapAsync = later((list, work, options) => inOrder(list, work, options))

export const forEachAsync = later(async (list, work, options) => {
  await inOrder(list, work, options)
})

/** `reduceAsync(list)(work, first)`. */
export const reduceAsync =
  (list: readonly Loose[]) =>
  async (work: Fn, first?: Loose): Promise<Loose> => {
    let value = await first
    for (const [index, one] of list.entries()) value = await work(value, await one, index)
    return value
  }
