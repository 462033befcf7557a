import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, ForbiddenError, type TestApp, type TestAppOptions } from '../../core/index.js'
import { readableLine } from '../../core/kit/readable-log.js'
import { safePath } from '../../core/kit/safe-path.js'
import { createLog } from '../../core/log.js'
import { type Server, startOn } from '../support/contract.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'

interface Line {
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

const types = { note: { attributes: { text: { type: 'string' } } } }

const failing = definePlugin({
  name: 'failing',
  register: host => host,
  authenticate: ({ headers }) =>
    headers['x-key']
      ? { scope: 'key', id: 7, actor: 'key 7', can: uid => uid !== 'never' }
      : headers['x-guest']
        ? { scope: 'guest', can: () => true }
        : undefined,
  routes: [
    {
      method: 'GET',
      path: '/breaks/:id',
      action: null,
      run: () => {
        throw new Error('on purpose')
      },
    },
    {
      method: 'GET',
      path: '/refuses',
      action: null,
      run: () => {
        throw new ForbiddenError().because('it is closed today')
      },
    },
  ],
})

const dist = (file: string): string => new URL(`../../dist/core/${file}`, import.meta.url).href

/** The lines that a log has written, and a function that empties them. */
function lined(level: string) {
  const lines: Line[] = []
  const log = createLog(level, { destination: { write: line => void lines.push(JSON.parse(line)) } })
  return { log, take: (msg: string) => lines.splice(0).filter(line => line.msg === msg) }
}

describe('the line of a request', () => {
  let app: TestApp
  const { log, take } = lined('info')
  beforeAll(async () => {
    app = await createTestApp({ types, plugins: [failing], log })
  })
  afterAll(() => app?.close())
  const linesOf = async (request: Parameters<TestApp['inject']>[0]) => {
    take('')
    await app.inject(request)
    return take('request').map(({ time, pid, requestId, ms, ...rest }) => {
      assert.ok(typeof ms === 'number' && ms >= 0 && typeof requestId === 'string' && pid === process.pid)
      assert.equal(time, new Date(String(time)).toISOString())
      return rest
    })
  }

  it('says which trace the request belongs to, if its header is valid', async () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traced = async (url: string, traceparent: string) => {
      const [line] = await linesOf({ url, headers: { 'x-key': 'k', traceparent } })
      return line?.traceId
    }
    assert.equal(await traced('/api/notes', `00-${id}-00f067aa0ba902b7-01`), id)
    assert.equal(await traced('/api/nothing', `00-${id}-00f067aa0ba902b7-00`), id)
    for (const wrong of [
      `00-${id}-00f067aa0ba902b7`,
      `ff-${id}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${id}-${'0'.repeat(16)}-01`,
      `00-${id.toUpperCase()}-00f067aa0ba902b7-01`,
      `00-${id}-00f067aa0ba902b7-01","forged":"1`,
    ])
      assert.equal(await traced('/api/notes', wrong), undefined, wrong)
    take('')
    await app.inject({ url: '/api/breaks/1', headers: { traceparent: `00-${id}-00f067aa0ba902b7-01` } })
    assert.equal(take('a request failed')[0]?.traceId, id)
  })

  it('says method, route, status, size, caller, statements and whether the cache had it', async () => {
    const asked = { url: '/api/notes?filters[text]=x&pagination[withCount]=false', headers: { 'x-key': 'k' } }
    const line = { level: 'info', method: 'GET', route: '/api/notes', status: 200, caller: 'key 7', msg: 'request' }
    const [first] = await linesOf(asked)
    const bytes = first?.bytes as number
    assert.ok(bytes > 10)
    assert.deepEqual(first, { ...line, bytes, statements: 1, cached: 'miss' })
    await linesOf(asked)
    assert.deepEqual(await linesOf(asked), [{ ...line, bytes, statements: 0, cached: 'hit' }])
  })

  it('says who asks without credentials, and the path where there is no route', async () => {
    const [visitor] = await linesOf('/api/notes/1')
    assert.deepEqual([visitor?.caller, visitor?.route, visitor?.status], ['visitor', '/api/notes/:id', 404])
    const [guest] = await linesOf({ url: '/api/notes/1', headers: { 'x-guest': 'yes' } })
    assert.equal(guest?.caller, 'visitor')
    const [missing] = await linesOf('/nowhere/"here"?token=hidden')
    assert.deepEqual(
      [missing?.path, missing?.route, missing?.status, missing?.caller],
      ['/nowhere/%22here%22', undefined, 404, 'unknown'],
    )
  })

  it('is written for a request that fails', async () => {
    assert.deepEqual(
      (await linesOf('/api/breaks/5')).map(({ route, status }) => [route, status]),
      [['/api/breaks/:id', 500]],
    )
  })
})

describe('lines of requests', () => {
  const counts: { says: string; config: TestAppOptions['config']; level?: string; reads: number; failures: number }[] =
    [
      { says: 'are left out where the setting says so', config: { log: { requests: 0 } }, reads: 0, failures: 0 },
      { says: 'are left out above the level info', config: {}, level: 'warn', reads: 0, failures: 0 },
      {
        says: 'of a share are those, and all that fail',
        config: { log: { requests: 1e-9 } },
        reads: 0,
        failures: 3,
      },
      { says: 'are there for all by default', config: {}, reads: 3, failures: 3 },
    ]
  for (const { says, config, level = 'info', reads, failures } of counts)
    it(says, async () => {
      const { log, take } = lined(level)
      const app = await createTestApp({ types, plugins: [failing], config, log })
      onTestFinished(() => app.close())
      for (let count = 0; count < 3; count += 1) {
        await app.inject('/api/notes')
        await app.inject('/api/breaks/5')
      }
      const statuses = take('request').map(({ status }) => status)
      assert.deepEqual(
        [200, 500].map(status => statuses.filter(one => one === status).length),
        [reads, failures],
      )
    })

  it('follow the level of the log while the server runs', async () => {
    const { log, take } = lined('warn')
    const app = await createTestApp({ types, log })
    onTestFinished(() => app.close())
    await app.inject('/api/notes')
    log.level = 'info'
    await app.inject('/api/notes')
    assert.equal(take('request').length, 1)
  })

  it('are all written before the process exits, in the order of all lines', async () => {
    const script = `
      const { createLog, plainLinesOf } = await import(${JSON.stringify(dist('log.js'))})
      const { standardOutput } = await import(${JSON.stringify(dist('tools/cli/log-to.js'))})
      const log = createLog('info', { destination: standardOutput() })
      const add = index => plainLinesOf(log)({ index, text: 'é'.repeat(index) }, 'request')
      for (let index = 0; index < 1000; index += 1) add(index)
      log.warn({ index: 1000 }, 'between')
      add(1001)
      process.exit(3)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const code = new Promise(resolve => child.once('exit', resolve))
    const text = (await child.stdout.setEncoding('utf8').toArray()).join('')
    assert.equal(await code, 3)
    const written = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { index: number; text?: string })
    assert.deepEqual(
      written.map(({ index, text }) => [index, text?.length]),
      [...Array(1002).keys()].map(index => [index, index === 1000 ? undefined : index]),
    )
  })

  it('are text for people where the log is', () => {
    const line = '{"level":"info","time":"2026-01-02T03:04:05.678Z","pid":1,"requestId":"a-1","method":"GET",'
    assert.equal(
      readableLine(`${line}"route":"/api/notes/:id","status":404,"ms":1.5,"caller":"user 3","msg":"request"}`, false),
      '03:04:05 info  GET /api/notes/:id 404 in 1.5 ms requestId=a-1 caller="user 3"',
    )
  })
})

describe('the reason of a refusal', () => {
  const reasons = [
    { url: '/api/refuses', status: 403, reason: 'it is closed today' },
    { url: '/nowhere', status: 404, reason: 'there is no route GET /nowhere' },
    { url: '/api/notes/5', status: 404, reason: /./ },
    {
      url: '/api/notes',
      headers: { authorization: 'Bearer abc' },
      status: 401,
      reason: 'no plugin knows the token of the Authorization header',
    },
  ]
  for (const { status, reason, ...request } of reasons)
    it(`${status} ${request.url} is logged at debug`, async () => {
      const { log, take } = lined('debug')
      const app = await createTestApp({ types, plugins: [failing], log })
      onTestFinished(() => app.close())
      assert.equal((await app.inject(request)).statusCode, status)
      const [line] = take('refused')
      assert.deepEqual([line?.level, line?.status, line?.method, line?.path], ['debug', status, 'GET', request.url])
      if (typeof reason === 'string') assert.equal(line?.reason, reason)
      else assert.match(String(line?.reason), reason)
    })
})

onEveryEngine('a request that fails', engine => {
  let fresh: FreshDatabase
  let server: Server
  beforeAll(async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { types, plugins: [failing] })
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })

  it('is logged with its place, its caller and the statement without values', async () => {
    const { log, take } = lined('error')
    const app = await createTestApp({ types, plugins: [failing], config: { database: fresh.database }, log })
    onTestFinished(() => app.close())
    await app.inject('/api/notes?filters[text]=needle')
    await app.store.transaction(async session => void (await session.run('drop table notes', [])))
    const { statusCode } = await app.inject({
      url: '/api/notes?filters[text]=needle&sort=text',
      headers: { 'x-key': 'k' },
    })
    assert.equal(statusCode, 500)
    const [line] = take('a request failed')
    assert.deepEqual(
      [line?.level, line?.method, line?.path, line?.route, line?.caller],
      ['error', 'GET', '/api/notes', '/api/notes', 'key 7'],
    )
    assert.match(String(line?.sql), /^select .*notes/)
    assert.ok(!JSON.stringify(line).includes('needle'))
  })

  it('is logged with the plugin of its route', async () => {
    const { log, take } = lined('error')
    const app = await createTestApp({ plugins: [failing], log })
    onTestFinished(() => app.close())
    await app.inject('/api/breaks/5')
    const [line] = take('a request failed')
    assert.deepEqual(
      [line?.plugin, line?.path, line?.route, line?.sql],
      ['failing', '/api/breaks/5', '/api/breaks/:id', undefined],
    )
  })
})

describe('a path in the log', () => {
  const kept = [
    '/api/articles/12',
    '/uploads/thumbnail_the-shortwave-at-night.jpg',
    '/api/articles/by/slug/the-shortwave-at-night-and-the-morning-after',
    '/api/auth/local/register',
    '/api/things/8f14e45f-ceea-467f-a0e6-3f2b1c0d9e8a',
    '/content-type-builder/content-types',
  ]
  for (const path of kept) it(`stays as it is: ${path}`, () => assert.equal(safePath(path), path))
  const masked: readonly [string, string][] = [
    ['/confirm/9f86d081884c7d659a2feaa0c55ad015', '/confirm/***'],
    ['/x/eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.abc/y', '/x/***/y'],
    ['/reset/Zm9vYmFyYmF6-cXV4_cXV1eA8aB', '/reset/***'],
    ['/reset/q1W2-e3R4-t5Y6-u7I8-o9P0-a1S2', '/reset/***'],
  ]
  for (const [path, gives] of masked)
    it(`loses what may be a secret: ${path}`, () => assert.equal(safePath(path), gives))
  it('is never long', () => assert.ok(safePath(`/${'a/'.repeat(5000)}`).length <= 200))
})
