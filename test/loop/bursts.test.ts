import { strict as assert } from 'node:assert'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'vitest'
import { AdmissionQueue } from '../../core/loop/admission-queue.js'
import { Burst } from '../../core/loop/queue-limit.js'
import { SimulatedClock } from '../support/simulated-clock.js'

interface Outcome {
  readonly arrived: number
  /** The delay, served or rejected. */
  readonly waited: number
  readonly isServed: boolean
}

/** Results of requests that arrive at these times, each of which takes so many milliseconds of the server's clock. */
async function outcomesOf(arrivals: readonly number[], milliseconds: number): Promise<Outcome[]> {
  const clock = new SimulatedClock()
  const outcomes: Outcome[] = []
  const note = ({ url }: IncomingMessage, isServed: boolean) => {
    const arrived = Number(url)
    outcomes.push({ arrived, waited: clock.now() - arrived, isServed })
  }
  const queue = new AdmissionQueue({
    maxDelay: 200,
    maxBurstDelay: 5000,
    clock,
    serve: request => {
      clock.work(milliseconds)
      note(request, true)
    },
    refuse: request => note(request, false),
    isCrowded: () => false,
  })
  for (const arrival of arrivals)
    clock.after(arrival, () =>
      queue.enter({ url: String(arrival), socket: new Socket() } as IncomingMessage, {} as ServerResponse),
    )
  await clock.until(() => outcomes.length === arrivals.length)
  return outcomes
}

const every = (milliseconds: number, seconds: number, from = 0) =>
  Array.from({ length: (seconds * 1000) / milliseconds }, (_, index) => from + index * milliseconds)
const atOnce = (count: number, at = 0) => Array.from({ length: count }, () => at)
const served = (outcomes: readonly Outcome[]) => outcomes.filter(({ isServed }) => isServed)
const rejected = (outcomes: readonly Outcome[]) => outcomes.filter(({ isServed }) => !isServed)

describe('a burst of requests', () => {
  const cases = [
    { says: 'at once, for two seconds of work', arrivals: atOnce(400) },
    { says: 'within half a second, with those of usual clients behind them', arrivals: every(1, 0.5), usual: 50 },
    { says: 'twice, the second time when the first has been served', arrivals: [...atOnce(400), ...atOnce(400, 2500)] },
  ]
  for (const { says, arrivals, usual } of cases)
    it(`is served, all of it: ${says}`, async () => {
      const more = usual ? every(usual, 2, 500) : []
      assert.deepEqual(rejected(await outcomesOf([...arrivals, ...more], 5)), [])
    })

  it('keeps new requests out when half of the time is over that it may wait, and is served all the same', async () => {
    const outcomes = await outcomesOf([...atOnce(900), ...every(50, 3, 1000)], 5)
    assert.equal(served(outcomes.filter(({ arrived }) => arrived === 0)).length, 900)
    const late = rejected(outcomes)
    assert.ok(late.length > 10)
    for (const { arrived, waited } of late) assert.ok(arrived > 2500 && waited < 100, `${arrived}: ${waited}`)
  })

  it('waits for so long at most', async () => {
    const outcomes = await outcomesOf(atOnce(400), 20)
    const longest = Math.max(...served(outcomes).map(({ waited }) => waited))
    assert.ok(longest > 4000 && longest < 5100, String(longest))
    for (const { waited } of rejected(outcomes)) assert.ok(waited > 5000 && waited < 5100, String(waited))
    assert.ok(served(outcomes).length >= 250)
  })

  it('is a thousand requests at most: what they hold is memory', async () => {
    const outcomes = await outcomesOf([...every(5, 0.5), ...atOnce(1500, 500)], 5)
    assert.ok(served(outcomes).length >= 1000)
    assert.ok(rejected(outcomes).length >= 400)
  })

  it('is no excuse for requests that go on arriving faster than they are served', async () => {
    for (const times of [2, 4, 8]) {
      const outcomes = await outcomesOf(every(5 / times, 10), 5)
      // The server had work all the time.
      assert.ok(served(outcomes).length > 0.99 * 2000, `${times}: ${served(outcomes).length}`)
      const longest = Math.max(...outcomes.map(({ waited }) => waited))
      assert.ok(longest < 1000, `${times}: ${longest} ms`)
      const later = outcomes.filter(({ arrived }) => arrived > 3000)
      const typical = served(later).sort((a, b) => a.waited - b.waited)[Math.floor(served(later).length / 2)]
      assert.ok((typical as Outcome).waited < 60, `${times}: ${typical?.waited} ms`)
    }
  })

  it('waits for a database that is busy with the first of it, and for half of the time where that does not end', async () => {
    const clock = new SimulatedClock()
    const seen: string[] = []
    let isCrowded = true
    const queue = new AdmissionQueue({
      maxDelay: 200,
      maxBurstDelay: 5000,
      clock,
      serve: ({ url }) => seen.push(`served ${url}`),
      refuse: ({ url }) => seen.push(`rejected ${url}`),
      isCrowded: () => isCrowded,
    })
    const enter = (url: string) => queue.enter({ url, socket: new Socket() } as IncomingMessage, {} as ServerResponse)
    const until = async (count: number) => {
      await clock.until(() => seen.length >= count)
      return seen.splice(0)
    }
    enter('/first')
    clock.work(2500)
    enter('/second')
    clock.work(1)
    enter('/third')
    assert.deepEqual(seen.splice(0), ['rejected /third'])
    clock.work(2500)
    assert.deepEqual(await until(1), ['rejected /first'])
    isCrowded = false
    assert.deepEqual(await until(1), ['served /second'])
  })

  it('is overload while requests have been rejected in the last five seconds', async () => {
    const overload = every(2.5, 3)
    const soon = await outcomesOf([...overload, ...atOnce(400, 4000)], 5)
    assert.ok(rejected(soon.filter(({ arrived }) => arrived === 4000)).length > 200)
    const later = await outcomesOf([...overload, ...atOnce(400, 9000)], 5)
    assert.deepEqual(rejected(later.filter(({ arrived }) => arrived === 9000)), [])
  })
})

describe('whether a queue may be that of a burst', () => {
  const queue = (maxDelay = 5000) => {
    const burst = new Burst(maxDelay)
    burst.begin(0)
    return burst
  }
  /** Ends a look after so many arrivals and so many served requests. */
  const look = (burst: Burst, arrived: number, served: number, end: number, isFull = false) => {
    for (let count = 0; count < arrived; count += 1) burst.arrived()
    if (isFull) burst.rejected(end)
    burst.turned(served, end)
  }

  it('is over when it has grown in three looks in a row while it was full', () => {
    const burst = queue()
    for (const end of [100, 200, 300]) look(burst, 11, 10, end, end !== 100)
    assert.ok(burst.isPossible(300))
    look(burst, 11, 10, 400, true)
    assert.ok(!burst.isPossible(400))
    const shrinking = queue()
    for (const end of [100, 200, 300, 400]) look(shrinking, end === 300 ? 10 : 11, 10, end, true)
    assert.ok(shrinking.isPossible(400))
  })

  it('is over when it has grown in six looks in a row', () => {
    const burst = queue()
    for (const end of [100, 200, 300, 400, 500]) look(burst, 11, 10, end)
    assert.ok(burst.isPossible(500) && burst.admits(500, 4000, 500))
    look(burst, 11, 10, 600)
    assert.ok(!burst.isPossible(600) && !burst.admits(500, 4000, 600))
  })

  it('goes on where it has not grown in one of them', () => {
    const burst = queue()
    for (let count = 1; count < 12; count += 1) look(burst, count === 6 ? 10 : 11, 10, 100 * count)
    assert.ok(burst.isPossible(1100))
  })

  it('lets requests join for the half of the time, while it is short enough', () => {
    const burst = queue()
    assert.ok(burst.admits(999, 60_000, 1000))
    assert.ok(!burst.admits(1000, 100, 1000))
    assert.ok(burst.admits(999, 5000, 1001))
    assert.ok(!burst.admits(999, 5001, 1001))
    assert.ok(burst.admits(999, 5000, 2500))
    assert.ok(!burst.admits(999, 5000, 2501))
    assert.ok(burst.isPossible(2501))
  })

  it('begins anew with the next queue, and not within five seconds of a rejected request', () => {
    const burst = queue()
    burst.rejected(1000)
    burst.end()
    // Requests that still wait are those of the first queue.
    assert.ok(burst.isPossible(1000))
    burst.begin(5999)
    assert.ok(!burst.isPossible(5999))
    assert.ok(burst.isPossible(6000))
  })

  it('is no question where bursts may not wait', () => {
    const burst = queue(0)
    assert.ok(!burst.isPossible(0) && !burst.admits(1, 1, 0))
  })
})
