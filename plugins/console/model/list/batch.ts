/** What one write did to an entry: nothing to say where it worked. */
export interface Done {
  readonly id: number
  readonly error?: string
}

export interface BatchState {
  readonly done: number
  readonly failed: readonly Done[]
}

interface Batch {
  /** Ids after one of them, in their order; none at the end. */
  readonly next: (after: number) => Promise<readonly number[]>
  /** Writes entries; undefined where a request for several was too large for the server. */
  readonly write: (ids: readonly number[]) => Promise<readonly Done[] | undefined>
  readonly isSkipped: (id: number) => boolean
  /** The number of ids that are written together. */
  readonly size: number
  readonly isStopped: () => boolean
  readonly onProgress: (state: BatchState) => void
}

/** Writes many entries, some at a time, until there are no more or it is stopped. Failures are collected, and end nothing. */
export async function runBatch(batch: Batch): Promise<BatchState> {
  let state: BatchState = { done: 0, failed: [] }
  let most = batch.size
  for (let after = 0; !batch.isStopped(); ) {
    const read = await gather(batch, after)
    if (read.length === 0) break
    after = read.at(-1) as number
    let ids = read.filter(id => !batch.isSkipped(id))
    while (ids.length > 0 && !batch.isStopped()) {
      const chunk = ids.slice(0, most)
      const results = await batch.write(chunk)
      if (!results && chunk.length > 1) {
        // What follows is as large.
        most = Math.ceil(chunk.length / 2)
        continue
      }
      ids = ids.slice(chunk.length)
      state = added(state, results ?? [])
      batch.onProgress(state)
    }
  }
  return state
}

function added({ done, failed }: BatchState, results: readonly Done[]): BatchState {
  const more = results.filter(({ error }) => error !== undefined)
  return { done: done + results.length - more.length, failed: [...failed, ...more] }
}

/** Ids for one write, read in as many requests as it takes. */
async function gather({ next, size, isStopped }: Batch, start: number): Promise<readonly number[]> {
  const ids: number[] = []
  while (ids.length < size && !isStopped()) {
    const more = await next(ids.at(-1) ?? start)
    if (more.length === 0) break
    ids.push(...more)
  }
  return ids
}

/** Does work for each item, several at a time, and gives the results in the order of the items. */
export async function several<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      results[index] = await work(items[index] as Item)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
