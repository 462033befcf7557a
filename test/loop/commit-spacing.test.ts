import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { WriteQueue } from '../../core/engines/sqlite/writing.js'
import { CommitSpacing } from '../../core/loop/commit-spacing.js'
import { SimulatedClock } from '../support/simulated-clock.js'

interface Load {
  /** The share of the time that went into work, and for how long requests queue. */
  readonly strain: number
  readonly flushSlack?: number
  /** Requests that read since the last commit. */
  readonly reads?: number
  /** Writes that come at once. */
  readonly writes?: number
}

/** A queue of writes that do nothing, and the times of its commits. */
function queueOf(load: { readonly reads: number; readonly flushSlack: number }, strain: number, isFull = () => false) {
  const clock = new SimulatedClock()
  const commits: number[] = []
  const nothing = () => undefined
  const queue = new WriteQueue(
    {
      begin: async () => nothing(),
      commit: async () => void commits.push(clock.now()),
      ...{ rollback: nothing, save: nothing, release: nothing, undo: nothing, rest: nothing, isFull },
    },
    new CommitSpacing({ requests: () => load, strain: () => strain }, clock),
  )
  return { clock, commits, write: () => queue.add(async () => nothing()) }
}

/** Milliseconds between two commits. */
async function distance({ strain, flushSlack = 0, reads = 10, writes = 1 }: Load): Promise<number> {
  const load = { reads: 0, flushSlack }
  const { clock, commits, write } = queueOf(load, strain)
  await clock.resultOf(write())
  load.reads += reads
  const first = write()
  await clock.resultOf(undefined)
  const others = Array.from({ length: writes - 1 }, write)
  await clock.resultOf(Promise.all([first, ...others]))
  assert.equal(commits.length, 2)
  const [one = 0, other = 0] = commits
  return Math.round(other - one)
}

describe('the time between two commits', () => {
  const cases: [says: string, load: Load, gives: number][] = [
    ['is none where hardly any request reads', { strain: 1, reads: 3, flushSlack: 1000 }, 0],
    ['is twenty milliseconds from four requests that read', { strain: 0, reads: 4 }, 20],
    ['is no longer while the process has half of its time left', { strain: 0.5 }, 20],
    ['grows the less time the process has left', { strain: 0.9 }, 68],
    ['is eighty where it has none', { strain: 1 }, 80],
    ['is as long as requests queue, where that is longer', { strain: 0.9, flushSlack: 120 }, 120],
    ['is what it was where they queue for less', { strain: 0.9, flushSlack: 60 }, 68],
    ['makes no client wait for long', { strain: 0.9, flushSlack: 1000 }, 160],
    ['is over with enough writes for a group', { strain: 1, flushSlack: 1000, writes: 64 }, 0],
    ['is not over with one less', { strain: 1, flushSlack: 1000, writes: 63 }, 160],
  ]
  for (const [says, load, gives] of cases) it(says, async () => assert.equal(await distance(load), gives))
})

describe('a group of writes', () => {
  it('takes no further one after much work, which those before it would wait for', async () => {
    const { clock, commits, write } = queueOf({ reads: 0, flushSlack: 0 }, 0, () => commits.length < 3)
    await clock.resultOf(Promise.all(Array.from({ length: 7 }, write)))
    assert.equal(commits.length, 4)
  })

  /** Commits of writes of which one comes in each turn, with so many reads before each, once the process has found out how much it works. */
  async function commitsOf(writes: number, reads: number, strain = 1): Promise<number> {
    const load = { reads: 0, flushSlack: 0 }
    const { clock, commits, write } = queueOf(load, strain)
    await clock.resultOf(write())
    const stored: Promise<void>[] = []
    const next = () => {
      if (stored.length + 1 < writes) clock.soon(next)
      load.reads += reads
      stored.push(write())
    }
    next()
    await clock.until(() => stored.length === writes)
    await clock.resultOf(Promise.all(stored))
    return commits.length - 1
  }

  it('takes those of the next turns as long as each brings some', async () => assert.equal(await commitsOf(20, 0), 1))
  it('takes no more than are waited for', async () => assert.equal(await commitsOf(100, 0), 2))
  it('takes no others where the process has time left', async () => assert.ok((await commitsOf(20, 0, 0.5)) > 1))
  it('begins where others read', async () => assert.ok((await commitsOf(20, 1)) > 1))
})
