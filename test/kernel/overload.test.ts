import { strict as assert } from 'node:assert'
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, it, onTestFinished, vi } from 'vitest'
import { Door } from '../../core/http/door.js'
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
