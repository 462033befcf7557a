import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { type BatchState, type Done, runBatch, several } from '../../../../../plugins/console/model/list/batch.js'
import {
  allChosen,
  choose,
  chosenCount,
  isChosen,
  isEmpty,
  nothingChosen,
} from '../../../../../plugins/console/model/list/selection.js'

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

interface Asked {
  readonly count: number
  readonly page: number
  readonly size: number
  readonly most?: number
  readonly fails?: readonly number[]
  readonly stopAfter?: number
  /** The id after which no more can be read. */
  readonly cutAfter?: number
}

/** Writes to a list of some entries, of which a request takes at most so many; gives what was written. */
async function batch({ count, page, size, most = size, fails = [], ...ends }: Asked) {
  const { stopAfter = Number.POSITIVE_INFINITY, cutAfter = count } = ends
  const written: number[][] = []
  const seen: number[] = []
  const state = await runBatch({
    next: after =>
      Promise.resolve(
        after > cutAfter
          ? undefined
          : ids(count)
              .filter(id => id > after)
              .slice(0, page),
      ),
    write: chunk => {
      if (chunk.length > most) return Promise.resolve(undefined)
      written.push([...chunk])
      return Promise.resolve(chunk.map((id): Done => (fails.includes(id) ? { id, error: 'no' } : { id })))
    },
    isSkipped: id => id === 2,
    size,
    isStopped: () => written.length >= stopAfter,
    onProgress: ({ done, failed }: BatchState) => seen.push(done + failed.length),
  })
  return { state, written, seen }
}

describe('writing many entries', () => {
  it('reads ids until there are enough for a request, and leaves out exceptions', async () => {
    const { state, written, seen } = await batch({ count: 11, page: 2, size: 4 })
    assert.deepEqual(written, [
      [1, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11],
    ])
    assert.deepEqual(seen, [3, 7, 10])
    assert.deepEqual(state, { done: 10, failed: [] })
  })

  it('writes what was read before the ids could not be read any more, and says so', async () => {
    const { state, written } = await batch({ count: 20, page: 3, size: 4, cutAfter: 8 })
    assert.deepEqual(written, [[1, 3, 4, 5], [6], [7, 8, 9]])
    assert.deepEqual(state, { done: 8, failed: [], isCut: true })
  })

  it('goes on after failures, and names them', async () => {
    const { state } = await batch({ count: 6, page: 3, size: 3, fails: [3, 6] })
    assert.deepEqual(state, {
      done: 3,
      failed: [
        { id: 3, error: 'no' },
        { id: 6, error: 'no' },
      ],
    })
  })

  it('halves what is too large for the server, and what follows as well', async () => {
    const { written, state } = await batch({ count: 9, page: 8, size: 8, most: 3 })
    assert.deepEqual(written, [[1, 3], [4, 5], [6, 7], [8], [9]])
    assert.equal(state.done, 8)
  })

  it('stops between two requests', async () => {
    const { written } = await batch({ count: 100, page: 5, size: 5, stopAfter: 2 })
    assert.equal(written.length, 2)
  })

  it('has no more requests at once than it may', async () => {
    let [running, most] = [0, 0]
    const results = await several(ids(10), 4, async id => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      return id * 2
    })
    assert.deepEqual(
      results,
      ids(10).map(id => id * 2),
    )
    assert.equal(most, 4)
  })
})

describe('chosen entries', () => {
  it('are some, or all except for some', () => {
    const some = choose(choose(nothingChosen, [1, 2, 3], true), [2], false)
    assert.deepEqual([isChosen(some, 1), isChosen(some, 2), chosenCount(some, 50)], [true, false, 2])
    const most = choose(choose(allChosen, [1, 2], false), [1], true)
    assert.deepEqual([isChosen(most, 1), isChosen(most, 2), chosenCount(most, 50)], [true, false, 49])
    assert.equal(chosenCount(most, undefined), undefined)
    assert.deepEqual([isEmpty(nothingChosen), isEmpty(some), isEmpty(most)], [true, false, false])
  })
})
