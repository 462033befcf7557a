import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { FairScheduler } from '../../core/loop/fair-scheduler.js'
import { SimulatedClock } from '../support/simulated-clock.js'

/** Statements that take so many milliseconds of a simulated clock, and what has been done. */
function statements(maxWait?: number) {
  const clock = new SimulatedClock()
  const scheduler = new FairScheduler(clock, maxWait)
  const done: string[] = []
  const run = (sql: string, milliseconds = 0) =>
    scheduler.run(sql, () => {
      clock.work(milliseconds)
      done.push(sql)
      return sql
    })
  const ran = (sql: string, milliseconds = 0) => clock.resultOf(run(sql, milliseconds))
  return { clock, scheduler, done, run, ran }
}

describe('statements of an engine that works while everyone waits', () => {
  it('run at once when they were quick before', async () => {
    const { run, ran } = statements()
    assert.ok(run('quick') instanceof Promise)
    assert.equal(await ran('other'), 'other')
    assert.equal(run('quick'), 'quick')
  })

  it('are known to be quick as long as there are not too many', async () => {
    const { run, ran } = statements()
    for (let number = 0; number <= 1000; number += 1) await ran(`quick ${number}`)
    assert.equal(run('quick 1'), 'quick 1')
    assert.ok(run('quick 0') instanceof Promise)
  })

  it('go before long ones, of which each has a turn of its own', async () => {
    const { done, run, ran, clock } = statements()
    await ran('quick')
    const long = ['a', 'b', 'c'].map(sql => run(sql, 25))
    while (!done.includes('c')) {
      void run('quick')
      await clock.turn()
    }
    await clock.resultOf(Promise.all(long))
    assert.match(done.join(' '), /^(quick )+a (quick )+b (quick )+c\b/)
  })

  it('keep no one waiting more than once who needs several turns and several statements', async () => {
    const { done, run, ran, clock } = statements()
    await ran('quick')
    const long = ['a', 'b', 'c'].map(sql => run(sql, 25))
    const asker = (async () => {
      // A request is read in one turn, called up in the next one, and begins in the one after that.
      for (let turn = 0; turn < 3; turn++) await new Promise<void>(resolve => clock.soon(resolve))
      for (let count = 0; count < 4; count++) await run('quick')
    })()
    await clock.resultOf(Promise.all([...long, asker]))
    assert.deepEqual(done, ['quick', 'a', 'quick', 'quick', 'quick', 'quick', 'b', 'c'])
  })

  it('wait no longer once they are quick', async () => {
    const { run, ran, clock } = statements()
    await ran('now and then', 25)
    const again = run('now and then')
    assert.ok(again instanceof Promise)
    await clock.resultOf(again)
    assert.equal(run('now and then'), 'now and then')
  })

  it('are refused while others have waited too long for their turn, unless they are quick', async () => {
    const { done, run, ran, clock } = statements(60)
    await ran('quick')
    const long = Array.from({ length: 6 }, (_, k) => run(`long ${k}`, 25))
    while (done.length < 5) await clock.turn()
    await assert.rejects(async () => run('one more', 25), { status: 503 })
    assert.equal(await ran('quick'), 'quick')
    await clock.resultOf(Promise.all(long))
    assert.equal(await ran('one more'), 'one more')
  })

  it('run once more when they were quick and are stopped for taking long, and only then', async () => {
    const { scheduler, clock } = statements()
    const slowly = (runs: number[]) => () => {
      clock.work(25)
      runs.push(runs.length)
      throw new Error('too long')
    }
    await clock.resultOf(scheduler.run('quick', () => 1))
    const wasQuick: number[] = []
    await assert.rejects(async () => clock.resultOf(scheduler.run('quick', slowly(wasQuick))), /too long/)
    const wasLong: number[] = []
    await assert.rejects(async () => clock.resultOf(scheduler.run('quick', slowly(wasLong))), /too long/)
    assert.deepEqual({ wasQuick, wasLong }, { wasQuick: [0, 1], wasLong: [0] })
    const runs: number[] = []
    await clock.resultOf(scheduler.run('other', () => 1))
    const once = () => (runs.length > 0 ? 'done' : slowly(runs)())
    assert.equal(await clock.resultOf(scheduler.run('other', once)), 'done')
  })

  it('hand their errors on, and the next one runs', async () => {
    const { scheduler, clock } = statements()
    const fail = () => {
      throw new Error('no such table')
    }
    await assert.rejects(async () => clock.resultOf(scheduler.run('bad', fail)), /no such table/)
    assert.equal(await clock.resultOf(scheduler.run('good', () => 1)), 1)
  })
})
