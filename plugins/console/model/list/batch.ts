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
  /** Writes entries; undefined where the request was too large for the server. */
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
  for (let after = 0; !batch.isStopped(); ) {
    const read = await gather(batch, after)
    if (read.length === 0) break
    after = read.at(-1) as number
    const ids = read.filter(id => !batch.isSkipped(id))
    for await (const results of written(batch, ids)) {
      const failed = results.filter(({ error }) => error !== undefined)
      state = { done: state.done + results.length - failed.length, failed: [...state.failed, ...failed] }
      batch.onProgress(state)
    }
  }
  return state
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

/** Writes a chunk; one that is too large is halved. */
async function* written(batch: Batch, ids: readonly number[]): AsyncGenerator<readonly Done[]> {
  if (ids.length === 0 || batch.isStopped()) return
  const results = await batch.write(ids)
  if (results) yield results
  else if (ids.length === 1) yield [{ id: ids[0] as number, error: 'the entry is too large' }]
  else {
    const middle = Math.ceil(ids.length / 2)
    yield* written(batch, ids.slice(0, middle))
    yield* written(batch, ids.slice(middle))
  }
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
