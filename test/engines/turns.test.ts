import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { Turns } from '../../core/store/turns.js'

/** Work that keeps everybody waiting for so many milliseconds, and notes when it is done. */
function statements(patience?: number) {
  const turns = new Turns(patience)
  const done: string[] = []
  const take = (sql: string, milliseconds = 0) =>
    turns.take(sql, () => {
      const end = performance.now() + milliseconds
      while (performance.now() < end);
      done.push(sql)
      return sql
    })
  return { done, take }
}

describe('statements of an engine that works while everybody waits', () => {
  it('run at once when they were quick before', async () => {
    const { take } = statements()
    assert.ok(take('quick') instanceof Promise)
    assert.equal(await take('other'), 'other')
    assert.equal(take('quick'), 'quick')
  })

  it('are known to be quick as long as there are not too many', async () => {
    const { take } = statements()
    for (let number = 0; number <= 1000; number += 1) await take(`quick ${number}`)
    assert.equal(take('quick 1'), 'quick 1')
    assert.ok(take('quick 0') instanceof Promise)
  })

  it('go before long ones, of which each has a turn of its own', async () => {
    const { done, take } = statements()
    await take('quick')
    const long = ['a', 'b', 'c'].map(sql => take(sql, 25))
    while (!done.includes('c')) {
      void take('quick')
      await new Promise(setImmediate)
    }
    await Promise.all(long)
    assert.match(done.join(' '), /^(quick )+a (quick )+b (quick )+c\b/)
  })

  it('keep nobody waiting more than once who needs several turns and several statements', async () => {
    const { done, take } = statements()
    await take('quick')
    const long = ['a', 'b', 'c'].map(sql => take(sql, 25))
    const asker = (async () => {
      // A request is read in one turn, called up in the next one, and begins in the one after that.
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
      for (let count = 0; count < 4; count++) await take('quick')
    })()
    await Promise.all([...long, asker])
    assert.deepEqual(done, ['quick', 'a', 'quick', 'quick', 'quick', 'quick', 'b', 'c'])
  })

  it('wait no longer once they are quick', async () => {
    const { take } = statements()
    await take('now and then', 25)
    const again = take('now and then')
    assert.ok(again instanceof Promise)
    await again
    assert.equal(take('now and then'), 'now and then')
  })

  it('are refused while others have waited too long for their turn, unless they are quick', async () => {
    const { done, take } = statements(60)
    await take('quick')
    const long = Array.from({ length: 6 }, (_, k) => take(`long ${k}`, 25))
    while (done.length < 5) await new Promise(setImmediate)
    await assert.rejects(async () => take('one more', 25), { status: 503 })
    assert.equal(await take('quick'), 'quick')
    await Promise.all(long)
    assert.equal(await take('one more'), 'one more')
  })

  it('run once more when they were quick and are stopped for taking long, and only then', async () => {
    const turns = new Turns()
    const slowly = (runs: number[]) => () => {
      const end = performance.now() + 25
      while (performance.now() < end);
      runs.push(runs.length)
      throw new Error('too long')
    }
    await turns.take('quick', () => 1)
    const wasQuick: number[] = []
    await assert.rejects(async () => turns.take('quick', slowly(wasQuick)), /too long/)
    const wasLong: number[] = []
    await assert.rejects(async () => turns.take('quick', slowly(wasLong)), /too long/)
    assert.deepEqual({ wasQuick, wasLong }, { wasQuick: [0, 1], wasLong: [0] })
    const runs: number[] = []
    await turns.take('other', () => 1)
    const once = () => (runs.length > 0 ? 'done' : slowly(runs)())
    assert.equal(await turns.take('other', once), 'done')
  })

  it('hand their errors on, and the next one runs', async () => {
    const turns = new Turns()
    const fail = () => {
      throw new Error('no such table')
    }
    await assert.rejects(async () => turns.take('bad', fail), /no such table/)
    assert.equal(await turns.take('good', () => 1), 1)
  })
})
