import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { within } from '../../core/loop/clock.js'
import { SimulatedClock } from '../support/simulated-clock.js'

describe('work that has a time', () => {
  const late = () => new Error('too late')
  /** Work that takes so long, with a time of 100 ms; and the clock behind it. */
  const working = (milliseconds: number, end: (done: (value: string) => void, fail: (why: Error) => void) => void) => {
    const clock = new SimulatedClock()
    const work = new Promise<string>((done, fail) => clock.after(milliseconds, () => end(done, fail)))
    const result = within(100, work, late, clock).then(
      value => value,
      error => error.message,
    )
    return { clock, result }
  }
  const run = async ({ clock, result }: ReturnType<typeof working>, turns = 1) => {
    for (let turn = 0; turn < turns; turn += 1) await clock.turn()
    return { value: await result, at: Math.round(clock.now()) }
  }

  it('gives its result in time', async () =>
    assert.deepEqual(await run(working(99, done => done('done'))), { value: 'done', at: 99 }))

  it('fails as it does in time', async () =>
    assert.deepEqual(await run(working(99, (_, fail) => fail(new Error('failed')))), { value: 'failed', at: 99 }))

  it('fails for its time afterwards, whatever becomes of it', async () => {
    assert.deepEqual(await run(working(101, done => done('done'))), { value: 'too late', at: 100 })
    assert.deepEqual(
      await run(
        working(101, (_, fail) => fail(new Error('failed'))),
        2,
      ),
      { value: 'too late', at: 101 },
    )
  })

  it('leaves no timer behind', async () => {
    const { clock, result } = working(10, done => done('done'))
    await clock.turn()
    await result
    clock.after(1000, () => undefined)
    await clock.turn()
    assert.equal(Math.round(clock.now()), 1010)
  })
})
