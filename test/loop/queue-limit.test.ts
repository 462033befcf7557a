import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { QueueLimit } from '../../core/loop/queue-limit.js'

describe('how long the queue may be', () => {
  /** The delay has been longer than a second for two turns, since the first one. */
  const late = () => {
    const limit = new QueueLimit(1000, 0)
    limit.turned(10, 1500, 0)
    limit.turned(10, 1500, 10)
    return limit
  }
  const refuse = (limit: QueueLimit, count: number, now: number) => {
    for (let k = 0; k < count; k += 1) assert.ok(limit.isTooLong(100, 5000, now))
  }
  /** More than half as many were refused as were served. */
  const tightened = () => {
    const limit = late()
    refuse(limit, 26, 900)
    limit.turned(40, 1500, 1000)
    return limit
  }

  it('is twice the limit for a second, and then the limit', () => {
    const limit = late()
    assert.ok(!limit.isTooLong(100, 2000, 1000))
    assert.ok(limit.isTooLong(100, 2001, 1000))
    assert.ok(limit.isTooLong(100, 1001, 1001))
    assert.ok(!limit.isTooLong(100, 1000, 1001))
  })

  it('says nothing before it has been too long for two turns', () => {
    const limit = new QueueLimit(1000, 0)
    limit.turned(10, 1500, 0)
    assert.ok(!limit.isTooLong(100, 5000, 1500))
    limit.emptied()
    limit.turned(10, 1500, 2000)
    assert.ok(!limit.isTooLong(100, 5000, 2000))
  })

  it('begins anew when it was half as long as it may be', () => {
    const limit = late()
    limit.turned(10, 500, 20)
    limit.turned(10, 1500, 800)
    limit.turned(10, 1500, 810)
    assert.ok(!limit.isTooLong(100, 1100, 1700))
    assert.ok(limit.isTooLong(100, 1100, 1801))
  })

  it('is an eighth of the limit where more than half as many are refused as are served, or a few', () => {
    const limit = tightened()
    assert.ok(limit.isTightened(1001))
    assert.ok(limit.isTooLong(5, 126, 1002))
    assert.ok(!limit.isTooLong(5, 125, 1002))
    assert.ok(!limit.isTooLong(4, 900, 1002))
  })

  it('stays what it is where half as many are refused as are served', () => {
    const limit = late()
    refuse(limit, 25, 900)
    limit.turned(40, 1500, 1000)
    assert.ok(!limit.isTightened(1001))
    assert.ok(!limit.isTooLong(100, 1000, 1001))
  })

  it('is what it was in the second after the one in which fewer are refused', () => {
    const limit = tightened()
    refuse(limit, 51, 1100)
    limit.turned(100, 100, 2000)
    assert.ok(limit.isTightened(2999))
    refuse(limit, 50, 2100)
    limit.turned(90, 100, 2999)
    assert.ok(limit.isTightened(2999))
    limit.turned(10, 100, 3000)
    assert.ok(!limit.isTightened(3000))
    assert.ok(!limit.isTooLong(100, 900, 3000))
  })

  it('is what it was when no one has stood in it for two seconds', () => {
    const limit = tightened()
    refuse(limit, 100, 1100)
    assert.ok(limit.isTightened(2999))
    assert.ok(!limit.isTightened(3000))
    assert.ok(!limit.isTooLong(100, 200, 3000))
    limit.turned(10, 100, 9000)
    assert.ok(!limit.isTightened(9000))
  })
})
