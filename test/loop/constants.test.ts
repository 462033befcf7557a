import { strict as assert } from 'node:assert'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'vitest'
import { AdmissionQueue } from '../../core/loop/admission-queue.js'
import { burst, commits, draining, statements } from '../../core/loop/constants.js'
import { FairScheduler } from '../../core/loop/fair-scheduler.js'
import { SimulatedClock } from '../support/simulated-clock.js'
import { SimulatedServer } from './simulated-server.js'

/** Figures of a policy with other values of a constant: half and double of it, and the value itself in between. */
async function at<T>(table: object, key: string, values: readonly number[], run: () => Promise<T>): Promise<T[]> {
  const numbers = table as Record<string, number>
  const was = numbers[key] as number
  const figures: T[] = []
  try {
    for (const value of values) {
      numbers[key] = value
      figures.push(await run())
    }
  } finally {
    numbers[key] = was
  }
  return figures
}

const part = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
const every = (milliseconds: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / milliseconds) }, (_, index) => from + index * milliseconds)

/** Requests that arrive at these times at a server that takes so long for each. */
async function outcomesOf(arrivals: readonly number[], cost: (now: number) => number) {
  const clock = new SimulatedClock()
  const outcomes: { arrived: number; waited: number; isServed: boolean }[] = []
  const note = ({ url }: IncomingMessage, isServed: boolean) =>
    outcomes.push({ arrived: Number(url), waited: clock.now() - Number(url), isServed })
  const queue = new AdmissionQueue({
    ...{ maxDelay: 200, maxBurstDelay: 5000, clock, isCrowded: () => false },
    serve: request => {
      clock.work(cost(clock.now()))
      note(request, true)
    },
    refuse: request => note(request, false),
  })
  for (const arrival of arrivals)
    clock.after(arrival, () =>
      queue.enter({ url: String(arrival), socket: new Socket() } as IncomingMessage, {} as ServerResponse),
    )
  await clock.until(() => outcomes.length === arrivals.length)
  return outcomes
}

describe('a constant of the loop, at half of it, as it is, and at the double', () => {
  it('burst.settled: a cold server is given its time, and a slow one no longer queue than that takes', async () => {
    const behind = [...Array.from({ length: 600 }, () => 0), ...every(50, 50, 4000)]
    const cold = await at(burst, 'settled', [500, 1000, 2000], async () =>
      (await outcomesOf(behind, now => (now < 700 ? 40 : 2))).filter(({ isServed }) => !isServed),
    )
    const [half = [], whole = [], double = []] = cold
    assert.ok(half.length > 0 && whole.length === 0 && double.length === 0)
    const slow = await at(burst, 'settled', [1000, 2000], async () =>
      (await outcomesOf(behind, () => 15)).filter(({ arrived, isServed }) => arrived > 0 && isServed),
    )
    assert.ok((slow[1]?.length ?? 0) >= 2 * (slow[0]?.length ?? 0) - 2)
  })

  it('burst.fullLooks: several times the peak is soon known for what it is, and a burst that is too large is not taken for it', async () => {
    const values = [1, 3, 6]
    const waits = await at(burst, 'fullLooks', values, async () => {
      const served = (await outcomesOf(every(0.2, 0, 2000), () => 1)).filter(({ isServed }) => isServed)
      return Math.max(...served.map(({ waited }) => waited))
    })
    assert.ok((waits[1] as number) < (waits[2] as number), waits.join())
    const served = await at(burst, 'fullLooks', values, async () => {
      const outcomes = await outcomesOf(every(0.13, 0, 200), () => 1)
      return outcomes.filter(({ isServed }) => isServed).length
    })
    const [half = 0, whole = 0, double = 0] = served
    assert.ok(half < whole && whole === double, served.join())
  })

  it('burst.rest: a wave of overload after another one is known for what it is', async () => {
    const waves = [0, 1, 2, 3].flatMap(wave => every(2, wave * 5000, wave * 5000 + 1500))
    const waits = await at(burst, 'rest', [2500, 5000, 10_000], async () =>
      part(
        (await outcomesOf(waves, () => 5)).map(({ waited }) => waited),
        0.5,
      ),
    )
    const [half = 0, whole = 0, double = 0] = waits
    assert.ok(half > 5 * whole && double === whole, waits.join())
  })

  it('statements.long: what is below it holds up quick statements, what is above loses pace', async () => {
    const beside = async (milliseconds: number) => {
      const clock = new SimulatedClock()
      const scheduler = new FairScheduler(clock)
      const turn = () => new Promise<void>(resolve => clock.soon(resolve))
      const chains: number[] = []
      let done = 0
      const heavy = async (sql: string) => {
        while (clock.now() < 5000) {
          await scheduler.run(sql, () => clock.work(milliseconds))
          done += 1
          await turn()
        }
      }
      const chain = async () => {
        while (clock.now() < 5000) {
          const begun = clock.now()
          for (let count = 0; count < 5; count += 1) {
            await scheduler.run('quick', () => clock.work(0.3))
            await turn()
          }
          chains.push(clock.now() - begun)
          await new Promise<void>(resolve => clock.after(5, resolve))
        }
      }
      const all = Promise.all([1, 2, 3, 4].flatMap(client => [heavy(`heavy ${client}`), chain()]))
      await clock.resultOf(all)
      return { done, typical: part(chains, 0.5) }
    }
    const [short10, short20] = await at(statements, 'long', [10, 20], () => beside(15))
    const [, long20, long40] = await at(statements, 'long', [10, 20, 40], () => beside(30))
    assert.ok(short10 && short20 && long20 && long40)
    assert.ok(short10.typical < 30 && short10.done < 0.9 * short20.done)
    assert.ok(long20.typical < 50 && long40.typical > 10 * long20.typical)
  })

  it('statements.maxWait: eight clients are served whose statements all take as long as one may', async () => {
    const rejectedOf = async (clients: number) => {
      const clock = new SimulatedClock()
      const scheduler = new FairScheduler(clock)
      let rejected = 0
      const client = async (sql: string) => {
        while (clock.now() < 10_000) {
          const wait = () => new Promise<void>(resolve => clock.after(1000, resolve))
          await Promise.resolve(scheduler.run(sql, () => clock.work(statements.longest))).catch(() => {
            rejected += 1
            return wait()
          })
          await new Promise<void>(resolve => clock.soon(resolve))
        }
      }
      await clock.resultOf(Promise.all(Array.from({ length: clients }, (_, index) => client(`heavy ${index}`))))
      return rejected
    }
    const { maxWait } = statements
    const eight = await at(statements, 'maxWait', [maxWait / 2, maxWait], () => rejectedOf(8))
    assert.ok((eight[0] ?? 0) > 20 && (eight[1] ?? 9) <= 1, eight.join())
    const sixteen = await at(statements, 'maxWait', [maxWait, 2 * maxWait], () => rejectedOf(16))
    assert.ok((sixteen[0] ?? 0) > 20 && (sixteen[1] ?? 9) <= 1, sixteen.join())
  })

  it('commits.least: writes wait for the double of it, and half of it is more commits', async () => {
    const peak = await new SimulatedServer().saturate(64, 3)
    const figures = await at(commits, 'least', [10, 20, 40], async () => {
      const server = new SimulatedServer()
      const responses = await server.load(0.6 * peak, 5)
      const writes = responses.filter(({ isWrite }) => isWrite).map(({ took }) => took)
      return { perSecond: server.commits / 5, typical: part(writes, 0.5) }
    })
    const [half, whole, double] = figures
    assert.ok(half && whole && double)
    assert.ok(half.perSecond > 1.1 * whole.perSecond && double.perSecond < 0.9 * whole.perSecond)
    assert.ok(half.typical < whole.typical && double.typical > 1.5 * whole.typical)
  })

  it('draining.quiet: few requests are on their way when idle connections are closed', async () => {
    const stop = () => {
      let state = 1
      const random = () => {
        state = (state * 48_271) % 2_147_483_647
        return state / 2_147_483_647
      }
      const [stops, away] = [200, 20]
      let [cut, time] = [0, 0]
      for (let count = 0; count < stops; count += 1) {
        // A hundred clients send one more request each, and are told with its response to send no other.
        const arrivals = Array.from({ length: 100 }, () => away - 1000 * Math.log(random()))
        let end = draining.sweep
        const last = () => Math.max(0, ...arrivals.filter(arrival => arrival <= end))
        while (end - last() < draining.quiet && end < 5000) end += draining.sweep
        cut += arrivals.filter(arrival => arrival > end && arrival < end + 2 * away).length
        time += end
      }
      return Promise.resolve({ cut: cut / stops, time: time / stops })
    }
    const { quiet } = draining
    const [half, whole, double] = await at(draining, 'quiet', [quiet / 2, quiet, 2 * quiet], stop)
    assert.ok(half && whole && double)
    const report = JSON.stringify([half, whole, double])
    assert.ok(half.cut > 0.5 && whole.cut < 0.4 && double.cut < 0.2, report)
    assert.ok(double.time > whole.time + 500, report)
  })
})
