import { strict as assert } from 'node:assert'
import { beforeAll, describe, it } from 'vitest'
import { type Response, type ServerOptions, SimulatedServer } from './simulated-server.js'

const served = (responses: readonly Response[]) => responses.filter(({ isServed }) => isServed)
const rejected = (responses: readonly Response[]) => responses.filter(({ isServed }) => !isServed)
const longest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0)
const share = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0

/** A turn that has begun is finished: one slice of 5 ms, what arrived meanwhile, and a read. */
const turn = 10
const maxDelay = 200

describe('a server with the policy of the event loop, by a simulated clock', () => {
  /** Responses a second to 64 clients that send the next request as soon as they have a response. */
  let peak: number
  beforeAll(async () => {
    peak = await new SimulatedServer().saturate(64, 5)
  })

  for (const part of [0.5, 0.7, 0.9])
    it(`rejects nothing at ${part * 100} % of the peak, and queues next to nothing`, async () => {
      const responses = await new SimulatedServer().load(part * peak, 5)
      assert.deepEqual(rejected(responses), [])
      assert.ok(responses.length > 4.5 * part * peak)
      assert.ok(longest(responses.map(({ queued }) => queued)) < 50)
    })

  it('rejects nothing at 70 % of the peak where it stood still for a moment', async () => {
    const server = new SimulatedServer({ maxBurstDelay: 10_000 })
    server.clock.after(1000, () => server.clock.work(350))
    const responses = await server.load(0.7 * peak, 5)
    assert.deepEqual(rejected(responses), [])
    const waits = responses.map(({ took }) => took)
    assert.ok(longest(waits) > 350, 'it stood still')
  })

  for (const times of [2, 4])
    it(`serves at ${times} x the peak what it can, and keeps no client waiting for long`, async () => {
      const seconds = 5
      const responses = await new SimulatedServer().load(times * peak, seconds)
      const goodput = served(responses).length / seconds
      assert.ok(goodput >= 0.8 * peak, `goodput is ${goodput / peak} of the peak`)
      // Requests that are rejected after all have waited no longer.
      const waits = responses.map(({ queued }) => queued)
      assert.ok(longest(waits) <= 2.25 * maxDelay + turn, `a request waited ${longest(waits)} ms`)
      assert.ok(longest(responses.map(({ took }) => took)) < 1000)
      // A second after it began a longer queue would serve no more, only later.
      const later = served(responses).filter(({ arrived }) => arrived > 2000)
      const typical = share(
        later.map(({ queued }) => queued),
        0.5,
      )
      assert.ok(typical < maxDelay / 4, `typically ${typical} ms`)
    })

  it('takes overload for a burst for less than a second', async () => {
    for (const times of [2, 4]) {
      const responses = await new SimulatedServer({ maxBurstDelay: 10_000 }).load(times * peak, 5)
      assert.ok(served(responses).length / 5 >= 0.8 * peak)
      assert.ok(longest(responses.map(({ took }) => took)) < 1000)
    }
  })

  it('serves a burst, all of it', async () => {
    const server = new SimulatedServer({ maxBurstDelay: 10_000 })
    const responses = await server.load(10 * peak, 0.05)
    assert.ok(responses.length > 300)
    assert.deepEqual(rejected(responses), [])
    // Without a time for bursts it rejects a part of as many.
    assert.ok(rejected(await new SimulatedServer().load(20 * peak, 0.05)).length > 0)
  })

  it('is what it was before three seconds after the peak', async () => {
    const server = new SimulatedServer()
    const before = await server.load(0.7 * peak, 3)
    assert.ok(rejected(await server.load(4 * peak, 3)).length > 0)
    await server.load(0.7 * peak, 3)
    const after = await server.load(0.7 * peak, 3)
    assert.deepEqual(rejected(after), [])
    for (const part of [0.5, 0.99]) {
      const waitOf = (responses: readonly Response[]) =>
        share(
          responses.map(({ took }) => took),
          part,
        )
      assert.ok(waitOf(after) < 1.5 * waitOf(before), `${waitOf(after)} ms instead of ${waitOf(before)}`)
    }
    await server.clock.until(() => server.delay === 0)
  })

  describe('commits', () => {
    const under = async (load: number, options?: ServerOptions) => {
      const server = new SimulatedServer(options)
      const responses = await server.load(load, 5)
      return { responses, perSecond: server.commits / 5, group: server.stored / server.commits }
    }

    it('are the rarer the more there is to do', async () => {
      const [idle, half, full, beyond] = await Promise.all([0.1, 0.5, 1, 4].map(part => under(part * peak)))
      const each = [idle, half, full, beyond].map(one => one?.perSecond ?? 0)
      // A commit for each write if there is little else to do, at least 20 ms apart if there are reads, 80 without time left.
      assert.ok((idle?.group ?? 0) < 1.2)
      assert.ok((each[1] ?? 0) <= 1000 / 20)
      assert.ok((each[2] ?? 0) <= 1000 / 70)
      assert.ok((each[3] ?? 0) <= (each[2] ?? 0))
    })

    it('come at once where there are writes alone, and wait for each other where many requests read', async () => {
      const typical = async (writes: number) => {
        const server = new SimulatedServer({ writes })
        await server.saturate(6, 2)
        const stored = server.responses.filter(({ isWrite }) => isWrite)
        return share(
          stored.map(({ took }) => took),
          0.5,
        )
      }
      const [alone, mostly, mixed] = [await typical(1), await typical(0.95), await typical(0.2)]
      assert.ok(alone < 10 && mostly < 10, `${alone} and ${mostly} ms`)
      assert.ok(mixed > 15, `${mixed} ms`)
    })

    it('are shared where the disk is slow, and make only writes wait', async () => {
      const [fast, slow] = await Promise.all([1, 300].map(flush => under(0.5 * peak, { flush })))
      assert.ok(fast && slow)
      assert.ok(slow.group > 8 * fast.group, `${slow.group} writes a commit instead of ${fast.group}`)
      assert.deepEqual(rejected(slow.responses), [])
      const waits = (isWrite: boolean) => slow.responses.filter(one => one.isWrite === isWrite).map(({ took }) => took)
      assert.ok(longest(waits(false)) < 50, `a read took ${longest(waits(false))} ms`)
      // The flush that runs and the next one.
      assert.ok(longest(waits(true)) < 2 * 300 + 100, `a write took ${longest(waits(true))} ms`)
      assert.ok(share(waits(true), 0.5) > 300)
    })
  })
})
