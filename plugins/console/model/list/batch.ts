/** The result of one write to an entry: nothing to say where it worked. */
export interface Done {
  readonly id: number
  readonly error?: string
}

export interface BatchState {
  readonly done: number
  readonly failed: readonly Done[]
  /** Further entries could not be read: some of those that were chosen are as they were. */
  readonly isCut?: true
}

interface Batch {
  /** Ids after one of them, in their order; none at the end, and undefined where they cannot be read. */
  readonly next: (after: number) => Promise<readonly number[] | undefined>
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
    const { read, isCut } = await gather(batch, after)
    if (isCut) state = { ...state, isCut }
    if (read.length === 0) break
    after = read.at(-1) as number
    let ids = read.filter(id => !batch.isSkipped(id))
    while (ids.length > 0 && !batch.isStopped()) {
      const chunk = ids.slice(0, most)
      const results = await batch.write(chunk)
      if (!results && chunk.length > 1) {
        // The following ones are as large.
        most = Math.ceil(chunk.length / 2)
        continue
      }
      ids = ids.slice(chunk.length)
      state = added(state, results ?? [])
      batch.onProgress(state)
    }
    if (state.isCut) break
  }
  return state
}

function added(state: BatchState, results: readonly Done[]): BatchState {
  const { done, failed } = state
  const more = results.filter(({ error }) => error !== undefined)
  return { ...state, done: done + results.length - more.length, failed: [...failed, ...more] }
}

/** Ids for one write, read in as many requests as it takes. */
async function gather({ next, size, isStopped }: Batch, start: number): Promise<Gathered> {
  const read: number[] = []
  while (read.length < size && !isStopped()) {
    const more = await next(read.at(-1) ?? start)
    if (!more) return { read, isCut: true }
    if (more.length === 0) break
    read.push(...more)
  }
  return { read }
}

interface Gathered {
  readonly read: readonly number[]
  readonly isCut?: true
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
