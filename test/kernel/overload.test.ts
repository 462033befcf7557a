import { strict as assert } from 'node:assert'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, it, vi } from 'vitest'
import { type AnyPlugin, createTestApp, definePlugin, type TestApp } from '../../core/index.js'

/** Milliseconds by which the clock of the process is ahead: slow work and waiting take no time here. */
let ahead = 0
const turn = () => new Promise(setImmediate)
beforeAll(() => {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
})
afterAll(() => vi.restoreAllMocks())

/** Work that keeps all others waiting. */
const slow = definePlugin({
  name: 'slow',
  routes: [
    {
      method: 'GET',
      path: '/slow',
      action: null,
      run: () => {
        ahead += 20
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
  overload?: { readonly maxDelay: number; readonly maxBurstDelay?: number },
  plugins: readonly AnyPlugin[] = [slow],
): Promise<(path: string, origin?: string) => Promise<Answer>> {
  running = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins,
    config: {
      server: { host: '127.0.0.1', port: 0, ...(overload && { overload }) },
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
    const ask = await serving({ maxDelay: 100, maxBurstDelay: 1_000 })
    const asked: Promise<Answer>[] = []
    let isRefusing = false
    let waiting = 0
    // Ten in the time of one, until the server has said that it is too much: it sends and serves in one event loop. No more
    // wait than the system takes connections for.
    for (let count = 0; !isRefusing && count < 5_000; count += 1, await turn())
      for (const answer of several(Math.min(10, 300 - waiting), () => ask('/api/slow', 'http://pages.test'))) {
        asked.push(answer)
        waiting += 1
        answer.then(({ status }) => {
          waiting -= 1
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
    const ask = await serving({ maxDelay: 100 })
    const waiting = several(60, () => ask('/api/slow'))
    await Promise.race(waiting)
    const [alive, ready] = await Promise.all([ask('/_health'), ask('/_health/ready')])
    const last = Math.max(...(await Promise.all(waiting)).map(({ at }) => at))
    assert.deepEqual([alive.status, ready.status], [204, 200])
    assert.ok(alive.at < last)
  })

  it('refuses no caller when it is told so', async () => {
    const ask = await serving({ maxDelay: 0 })
    const first = several(20, () => ask('/api/slow'))
    await Promise.race(first)
    const all = await Promise.all([...first, ...several(20, () => ask('/api/slow'))])
    assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  })
})

describe('what plugins keep of the database', () => {
  it('is waited for at the queue, by all but the one that brings it up to date', async () => {
    let goOn = () => {}
    const looked = new Promise<void>(done => {
      goOn = done
    })
    let begun = () => {}
    const isLooking = new Promise<void>(done => {
      begun = done
    })
    let isSlow = false
    const keeper = definePlugin({
      name: 'keeper',
      register: () => ({
        refresh() {
          if (!isSlow) return undefined
          begun()
          return looked
        },
      }),
    })
    const ask = await serving({ maxDelay: 50, maxBurstDelay: 0 }, [slow, keeper])
    isSlow = true
    // A write makes the plugin's data outdated.
    await running?.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'new' } } })
    // The data is checked again a second after the last time.
    ahead += 1100
    const first = ask('/api/slow')
    await isLooking
    let isAnswered = false
    const second = ask('/api/slow').finally(() => {
      isAnswered = true
    })
    for (; !isAnswered; await turn()) ahead += 1
    assert.equal((await second).status, 503)
    goOn()
    assert.equal((await first).status, 200)
    assert.equal((await ask('/api/slow')).status, 200)
  })
})
