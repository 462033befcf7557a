import { strict as assert } from 'node:assert'
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, it, onTestFinished, vi } from 'vitest'
import { Door } from '../../core/http/door.js'
import { Tolerance } from '../../core/http/tolerance.js'
import { type AnyPlugin, createTestApp, definePlugin, type TestApp } from '../../core/index.js'

/** Work that keeps everybody waiting. */
const slow = definePlugin({
  name: 'slow',
  routes: [
    {
      method: 'GET',
      path: '/slow',
      action: null,
      run: () => {
        const end = performance.now() + 20
        while (performance.now() < end);
        return { done: true }
      },
    },
  ],
})

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly at: number
}

let running: TestApp | undefined
afterEach(() => running?.close())

async function serving(
  maxDelay?: number,
  plugins: readonly AnyPlugin[] = [slow],
): Promise<(path: string, origin?: string) => Promise<Answer>> {
  running = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins,
    config: {
      server: { host: '127.0.0.1', port: 0, ...(maxDelay !== undefined && { overload: { maxDelay } }) },
    },
  })
  const { port } = await running.listen()
  const agent = new Agent({ keepAlive: false })
  return (path, origin) =>
    new Promise((resolve, reject) => {
      const headers = origin === undefined ? {} : { origin }
      request({ host: '127.0.0.1', port, path, agent, headers }, answer => {
        let text = ''
        answer.on('data', part => {
          text += part
        })
        answer.on('end', () =>
          resolve({ status: Number(answer.statusCode), headers: answer.headers, text, at: performance.now() }),
        )
      })
        .on('error', reject)
        .end()
    })
}

const several = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work)

describe('a server that has more to do than it can', () => {
  it('refuses what comes too late, in the form of all errors, and serves the rest', async () => {
    const ask = await serving(100)
    const asked: Promise<Answer>[] = []
    let isRefusing = false
    // Ten in the time of one, until the server has said that it is too much: it sends and serves in one event loop.
    for (const end = performance.now() + 20_000; !isRefusing && performance.now() < end; await wait(5))
      for (const answer of several(10, () => ask('/api/slow', 'http://pages.test'))) {
        asked.push(answer)
        answer.then(({ status }) => {
          isRefusing ||= status === 503
        })
      }
    const all = await Promise.all(asked)
    const refused = all.filter(({ status }) => status === 503)
    assert.ok(refused.length > 0)
    assert.equal(all.filter(({ status }) => status === 200).length, all.length - refused.length)
    assert.ok(all.length - refused.length >= 5)
    for (const { headers, text } of refused) {
      assert.equal(headers['retry-after'], '1')
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.ok(headers['x-request-id'])
      const { data, error } = JSON.parse(text)
      assert.equal(data, null)
      assert.deepEqual([error.status, error.name], [503, 'ServiceUnavailableError'])
    }
    assert.equal((await ask('/api/slow')).status, 200)
  })

  it('says that it lives before it is through with what waits', async () => {
    const ask = await serving(100)
    const waiting = several(60, () => ask('/api/slow'))
    await Promise.race(waiting)
    const [alive, ready] = await Promise.all([ask('/_health'), ask('/_health/ready')])
    const last = Math.max(...(await Promise.all(waiting)).map(({ at }) => at))
    assert.deepEqual([alive.status, ready.status], [204, 200])
    assert.ok(alive.at < last)
  })

  it('refuses nobody when it is told so', async () => {
    const ask = await serving(0)
    const first = several(20, () => ask('/api/slow'))
    await wait(100)
    const all = await Promise.all([...first, ...several(20, () => ask('/api/slow'))])
    assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  })
})

describe('what plugins keep of the database', () => {
  it('is waited for at the door, by all but the one that brings it up to date', async () => {
    let goOn = () => {}
    const looked = new Promise<void>(done => {
      goOn = done
    })
    let isSlow = false
    const keeper = definePlugin({
      name: 'keeper',
      register: () => undefined,
      refresh: () => (isSlow ? looked : undefined),
    })
    const ask = await serving(50, [slow, keeper])
    isSlow = true
    // Where no row has changed it is up to date.
    await running?.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'new' } } })
    // It is looked at again a second after the last time.
    await wait(1100)
    const first = ask('/api/slow')
    await wait(50)
    const second = await ask('/api/slow')
    assert.equal(second.status, 503)
    goOn()
    assert.equal((await first).status, 200)
    assert.equal((await ask('/api/slow')).status, 200)
  })
})

describe('the door', () => {
  const visit = (door: Door, url = '/') =>
    door.enter({ url, socket: new Socket() } as IncomingMessage, {} as ServerResponse)

  /** A door whose database takes as many as the test says, at a time that it tells. */
  const closedDoor = () => {
    const clock = { now: 1000, room: 0 }
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
    onTestFinished(() => now.mockRestore())
    const seen: string[] = []
    const door = new Door({
      maxDelay: 100,
      serve: ({ url }) => {
        clock.room -= 1
        seen.push(`served ${url}`)
      },
      refuse: ({ url }) => seen.push(`refused ${url}`),
      isCrowded: () => clock.room <= 0,
    })
    const until = async (count: number) => {
      while (seen.length < count) await new Promise(setImmediate)
      return seen.splice(0)
    }
    return { clock, door, seen, until }
  }

  it('calls nobody up while the database is busy, except for probes', async () => {
    const { clock, door, seen, until } = closedDoor()
    for (const url of ['/first', '/_health', '/_health/ready?x', '/_healthy']) visit(door, url)
    await wait(20)
    assert.deepEqual(seen.splice(0), ['served /_health', 'served /_health/ready?x'])
    clock.room = 2
    assert.deepEqual(await until(2), ['served /first', 'served /_healthy'])
  })

  it('looks at the database before each that it calls up', async () => {
    const { clock, door, seen, until } = closedDoor()
    for (const url of ['/1', '/2', '/3']) visit(door, url)
    for (const url of ['/1', '/2', '/3']) {
      clock.room = 1
      assert.deepEqual(await until(1), [`served ${url}`])
      await wait(5)
      assert.deepEqual(seen, [])
    }
  })

  it('sends away who has waited for too long, and lets nobody wait where nobody is called up', async () => {
    const { clock, door, seen, until } = closedDoor()
    visit(door, '/early')
    clock.now += 200
    visit(door, '/late')
    await wait(20)
    assert.deepEqual(seen, [])
    clock.now += 101
    assert.deepEqual(await until(1), ['refused /early'])
    visit(door, '/now')
    assert.deepEqual(seen.splice(0), ['refused /now'])
    clock.room = 1
    assert.deepEqual(await until(1), ['served /late'])
  })

  it('lets everybody wait for the database where it refuses nobody', () => {
    let served = 0
    const serve = () => {
      served += 1
    }
    const door = new Door({ maxDelay: 0, serve, refuse: () => assert.fail('nobody is refused'), isCrowded: () => true })
    visit(door)
    assert.equal(served, 1)
  })

  it('lets in the order of arrival, and leaves out who has gone', async () => {
    const served: string[] = []
    let finished: () => void
    const isFinished = new Promise<void>(done => {
      finished = done
    })
    const door = new Door({
      maxDelay: 10_000,
      serve: ({ url = '' }) => {
        served.push(url)
        const end = performance.now() + 10
        while (performance.now() < end);
        if (url === '/9') finished()
      },
      refuse: () => assert.fail('nobody is refused'),
      isCrowded: () => false,
    })
    const sockets = several(10, () => new Socket())
    for (const [index, socket] of sockets.entries())
      door.enter({ url: `/${index}`, socket } as IncomingMessage, {} as ServerResponse)
    assert.ok(served.length < 10)
    sockets[8]?.destroy()
    await isFinished
    assert.deepEqual(served, ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/9'])
  })

  it('serves those in line however long it takes to look at who comes', async () => {
    const { clock, door, seen } = closedDoor()
    clock.room = Number.POSITIVE_INFINITY
    door.hold()
    for (let k = 0; k < 5; k += 1) visit(door, `/${k}`)
    door.goOn()
    for (let turn = 0; turn < 10; turn += 1) {
      visit(door, '/new')
      clock.now += 20
      await new Promise(setImmediate)
    }
    assert.deepEqual(seen.slice(0, 5), ['served /0', 'served /1', 'served /2', 'served /3', 'served /4'])
  })

  it('accepts connections first, and serves for as long in between', async () => {
    const { clock, door, seen } = closedDoor()
    clock.room = Number.POSITIVE_INFINITY
    const begun = clock.now
    const served: number[] = []
    for (let turn = 0; turn < 600; turn += 1) {
      door.connected()
      visit(door)
      clock.now += 1
      await new Promise(setImmediate)
      if (seen.splice(0).some(what => what.startsWith('served'))) served.push(clock.now - begun)
    }
    const within = (from: number, to: number) => served.filter(at => at > from && at <= to).length
    for (const start of [0, 150, 300, 450]) {
      assert.ok(within(start + 5, start + 75) === 0, `served while accepting: ${served}`)
      assert.ok(within(start + 75, start + 150) > 50, `not served after accepting: ${served}`)
    }
  })

  it('lets a line be too long for a moment, and not for good', async () => {
    let clock = 1000
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
    onTestFinished(() => now.mockRestore())
    let refused = 0
    let served = 0
    let entered = 0
    const enter = () => {
      entered += 1
      visit(door)
    }
    const door: Door = new Door({
      maxDelay: 1000,
      serve: () => {
        clock += 5
        served += 1
        // As many come as are served: the line stays as long as it is.
        if (served > 40 && refused === 0) enter()
      },
      refuse: () => {
        refused += 1
      },
      isCrowded: () => false,
    })
    // Twelve hundred milliseconds of work.
    for (let count = 0; count < 260; count += 1) enter()
    while (served + refused < entered) await new Promise(setImmediate)
    // The last one to enter is the first that is refused, behind a second of work of five milliseconds.
    assert.equal(refused, 1)
    assert.ok(entered - 260 > 150 && entered - 260 < 250, `refused after ${entered - 260}`)
  })
})

describe('how long a line may be', () => {
  /** It has been longer than a second for two turns, since the first one. */
  const late = () => {
    const tolerance = new Tolerance(1000)
    tolerance.turned(10, 1500, 0)
    tolerance.turned(10, 1500, 10)
    return tolerance
  }
  const refuse = (tolerance: Tolerance, count: number, now: number) => {
    for (let k = 0; k < count; k += 1) assert.ok(tolerance.isTooLong(100, 5000, now))
  }
  /** More than half as many were refused as were served. */
  const exhausted = () => {
    const tolerance = late()
    refuse(tolerance, 26, 900)
    tolerance.turned(40, 1500, 1000)
    return tolerance
  }

  it('is twice the limit for a second, and then the limit', () => {
    const tolerance = late()
    assert.ok(!tolerance.isTooLong(100, 2000, 1000))
    assert.ok(tolerance.isTooLong(100, 2001, 1000))
    assert.ok(tolerance.isTooLong(100, 1001, 1001))
    assert.ok(!tolerance.isTooLong(100, 1000, 1001))
  })

  it('says nothing before it has been too long for two turns', () => {
    const tolerance = new Tolerance(1000)
    tolerance.turned(10, 1500, 0)
    assert.ok(!tolerance.isTooLong(100, 5000, 1500))
    tolerance.emptied()
    tolerance.turned(10, 1500, 2000)
    assert.ok(!tolerance.isTooLong(100, 5000, 2000))
  })

  it('begins anew when it was half as long as it may be', () => {
    const tolerance = late()
    tolerance.turned(10, 500, 20)
    tolerance.turned(10, 1500, 800)
    tolerance.turned(10, 1500, 810)
    assert.ok(!tolerance.isTooLong(100, 1100, 1700))
    assert.ok(tolerance.isTooLong(100, 1100, 1801))
  })

  it('is an eighth of the limit where more than half as many are refused as are served, or a few', () => {
    const tolerance = exhausted()
    assert.ok(tolerance.isExhausted(1001))
    assert.ok(tolerance.isTooLong(5, 126, 1002))
    assert.ok(!tolerance.isTooLong(5, 125, 1002))
    assert.ok(!tolerance.isTooLong(4, 900, 1002))
  })

  it('stays what it is where half as many are refused as are served', () => {
    const tolerance = late()
    refuse(tolerance, 25, 900)
    tolerance.turned(40, 1500, 1000)
    assert.ok(!tolerance.isExhausted(1001))
    assert.ok(!tolerance.isTooLong(100, 1000, 1001))
  })

  it('is what it was in the second after the one in which fewer are refused', () => {
    const tolerance = exhausted()
    refuse(tolerance, 51, 1100)
    tolerance.turned(100, 100, 2000)
    assert.ok(tolerance.isExhausted(2999))
    refuse(tolerance, 50, 2100)
    tolerance.turned(90, 100, 2999)
    assert.ok(tolerance.isExhausted(2999))
    tolerance.turned(10, 100, 3000)
    assert.ok(!tolerance.isExhausted(3000))
    assert.ok(!tolerance.isTooLong(100, 900, 3000))
  })

  it('is what it was when nobody has stood in it for two seconds', () => {
    const tolerance = exhausted()
    refuse(tolerance, 100, 1100)
    assert.ok(tolerance.isExhausted(2999))
    assert.ok(!tolerance.isExhausted(3000))
    assert.ok(!tolerance.isTooLong(100, 200, 3000))
    tolerance.turned(10, 100, 9000)
    assert.ok(!tolerance.isExhausted(9000))
  })
})

describe('what is written', () => {
  it('may wait as long as requests wait in line, and for the limit while the line is kept short', async () => {
    let clock = 1000
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
    onTestFinished(() => now.mockRestore())
    const seen: { readonly delay: number; readonly leeway: number; readonly refused: number }[] = []
    let refused = 0
    const visit = () => door.enter({ url: '/', socket: new Socket() } as IncomingMessage, {} as ServerResponse)
    const door: Door = new Door({
      maxDelay: 1000,
      serve: () => {
        clock += 5
        seen.push({ delay: door.delay, leeway: door.leeway, refused })
        // Twice as many come as are served.
        if (clock < 6000) for (let k = 0; k < 2; k += 1) visit()
      },
      refuse: () => {
        refused += 1
      },
      isCrowded: () => false,
    })
    visit()
    while (clock < 6000) await new Promise(setImmediate)
    const early = seen.filter(one => one.refused === 0 && one.delay > 100)
    assert.ok(early.length > 100)
    for (const { delay, leeway } of early) assert.equal(leeway, delay)
    const last = seen.slice(-100)
    for (const { delay, leeway } of last) {
      assert.equal(leeway, 1000)
      assert.ok(delay > 100 && delay < 150, String(delay))
    }
  })
})
