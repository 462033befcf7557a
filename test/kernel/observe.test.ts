import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { refusal } from '../../core/http/sockets/refusal.js'
import {
  createTestApp,
  definePlugin,
  type Host,
  type JobSeen,
  type RequestSeen,
  type ResponseCost,
  type StatementSeen,
} from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { nameOperation } from '../../core/plugin-kit.js'
import { assertCached } from '../support/cached.js'
import { type Server, startOn } from '../support/contract.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { worksAndFails } from '../support/works-and-fails.js'

const types = { note: { attributes: { text: { type: 'string' } } } }

/** Keeps what it is told. */
const watching = () => {
  const requests: RequestSeen[] = []
  const statements: StatementSeen[] = []
  const jobs: JobSeen[] = []
  const plugin = definePlugin({
    name: 'watching',
    register: (host: Host) => host,
    authenticate: ({ headers }) => (headers['x-key'] ? { scope: 'key', id: 7, can: () => true } : undefined),
    observe: {
      request: seen => void requests.push(seen),
      statement: seen => void statements.push(seen),
      job: seen => void jobs.push(seen),
    },
    jobs: worksAndFails,
    routes: [
      { method: 'GET', path: '/own/:name', at: 'root', action: 'look', run: ({ params }) => params },
      {
        method: 'GET',
        path: '/fails',
        action: null,
        run: () => {
          throw new Error('on purpose')
        },
      },
      {
        method: 'GET',
        path: '/runs',
        action: null,
        run: ({ ctx }) => {
          for (const name of (ctx.querystring || 'none').split('&')) nameOperation(ctx, { kind: 'query', name })
          return {}
        },
      },
      {
        method: 'GET',
        path: '/streams',
        action: null,
        run: ({ ctx }) => {
          ctx.body = new PassThrough().end('some bytes')
        },
      },
    ],
  })
  return { requests, statements, jobs, plugin }
}

onEveryEngine('what observers are told', engine => {
  let fresh: FreshDatabase
  let server: Server
  const { requests, statements, plugin } = watching()
  beforeAll(async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { types, plugins: [plugin] })
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })
  const seenOf = async (ask: () => Promise<unknown>) => {
    requests.length = 0
    statements.length = 0
    await ask()
    assert.equal(requests.length, 1)
    return requests[0] as RequestSeen
  }

  it('of a read: route, action, caller, status, size, statements and rows', async () => {
    for (const text of ['a', 'b', 'c']) await server.post('/notes', { text })
    const answer = await server.get('/notes?sort=id', { 'x-key': 'secret' })
    const seen = await seenOf(() => server.get('/notes?sort=id&filters[text]=b', { 'x-key': 'secret' }))
    const { ms, bytes, requestId, ...rest } = seen
    assert.deepEqual(rest, {
      ...{ method: 'GET', path: '/api/notes', route: '/api/notes', plugin: undefined, action: 'find' },
      ...{ uid: 'api::note.note', status: 200, caller: { scope: 'key', id: 7, by: 'watching', actor: undefined } },
      // The total and the page.
      ...{ statements: 2, rows: 2, cached: engine.name === 'sqlite' ? 'miss' : undefined },
      ...{ refused: false, aborted: false, error: undefined, traceparent: undefined, operation: undefined },
    })
    assert.ok(ms > 0 && requestId.length > 0)
    assert.ok(bytes !== undefined && bytes < Buffer.byteLength(answer.text))
    assert.ok(!JSON.stringify(seen).includes('secret'))
  })

  it('of a write: all statements of its transaction', async () => {
    const seen = await seenOf(() => server.put('/notes/1', { text: 'changed' }))
    assert.deepEqual([seen.action, seen.status, seen.route], ['update', 200, '/api/notes/:id'])
    const inTransaction = statements.filter(({ session }) => session === 'write')
    assert.equal(seen.statements, inTransaction.length)
    assert.ok(inTransaction.some(({ kind, rows }) => kind === 'update' && rows === 1))
  })

  it('of a statement: its kind and text without values, its rows, and where it ran', async () => {
    await seenOf(() => server.get('/notes?filters[text]=needle&sort=text'))
    assert.equal(statements.length, 2)
    for (const { kind, sql, ms, session, error } of statements) {
      assert.deepEqual([kind, session, error], ['select', 'read', undefined])
      assert.ok(ms >= 0 && /where/i.test(sql) && !sql.includes('needle'), sql)
    }
    statements.length = 0
    await assert.rejects(async () => server.app.engine.reader.all('select nothing from nowhere', []))
    assert.equal(statements.length, 1)
    assert.ok(statements[0]?.error instanceof Error)
  })

  it('of requests that are refused, fail or find no route', async () => {
    const missing = await seenOf(() => server.get('/nowhere?token=secret'))
    assert.deepEqual([missing.status, missing.route, missing.path], [404, undefined, '/api/nowhere'])
    const none = await seenOf(() => server.get('/notes/99'))
    assert.deepEqual([none.status, none.route, none.action], [404, '/api/notes/:id', 'findOne'])
    const failed = await seenOf(() => server.get('/fails'))
    assert.deepEqual([failed.status, failed.plugin, (failed.error as Error).message], [500, 'watching', 'on purpose'])
    const own = await seenOf(() => server.app.inject('/own/x'))
    assert.deepEqual(
      [own.route, own.plugin, own.uid, own.action],
      ['/own/:name', 'watching', 'plugin::watching', 'look'],
    )
    assert.equal(own.caller?.by, undefined)
    const stream = await seenOf(() => server.get('/streams'))
    assert.deepEqual([stream.status, stream.bytes], [200, undefined])
  })
})

describe('observers', () => {
  it('are told whether a response came from the cache', async () => {
    const { requests, plugin } = watching()
    const app = await createTestApp({ types, plugins: [plugin] })
    onTestFinished(() => app.close())
    let etag = ''
    for (let count = 0; count < 3; count += 1) etag = String((await app.inject('/api/notes')).headers.etag)
    await app.inject({ url: '/api/notes', headers: { 'if-none-match': etag } })
    await app.inject('/api/own')
    assert.deepEqual(
      requests.map(({ status, cached, statements }) => [status, cached, statements]),
      [
        [200, 'miss', 2],
        [200, 'miss', 1],
        [200, 'hit', 0],
        [304, 'hit', 0],
        [404, undefined, 0],
      ],
    )
    assert.equal(requests[3]?.bytes, 0)
  })

  it('are told which operation a route has run, where it serves many', async () => {
    const { requests, plugin } = watching()
    const app = await createTestApp({ types, plugins: [plugin] })
    onTestFinished(() => app.close())
    for (const query of ['Titles', 'Titles&Titles', 'Titles&Names', 'x'.repeat(500)])
      await app.inject(`/api/runs?${query}`)
    assert.deepEqual(
      requests.map(({ operation }) => operation),
      [
        { kind: 'query', name: 'Titles' },
        { kind: 'query', name: 'Titles' },
        { kind: 'several', name: '' },
        { kind: 'query', name: 'x'.repeat(100) },
      ],
    )
  })

  it('are told the same where hooks see every response', async () => {
    const { requests, plugin } = watching()
    const seeing = definePlugin({ name: 'seeing', hooks: { afterFind: () => undefined } })
    const app = await createTestApp({ types, plugins: [plugin, seeing] })
    onTestFinished(() => app.close())
    for (let count = 0; count < 3; count += 1) await app.inject('/api/notes')
    assert.deepEqual(
      requests.map(({ cached }) => cached),
      ['miss', 'miss', 'hit'],
    )
  })

  it('are notified of requests that are rejected', () => {
    const seen: RequestSeen[] = []
    const refuse = refusal({
      server: {
        cors: { enabled: false },
        headers: { contentSecurityPolicy: false, referrerPolicy: false, strictTransportSecurity: false },
      } as never,
      closed: [],
      gate: { open: true },
      log: createLog('silent'),
      formatError: (_, error) => ({ body: { data: null, error } }),
      observe: one => void seen.push(one),
    })
    const request = new IncomingMessage(new Socket())
    Object.assign(request, { method: 'GET', url: '/api/notes?token=secret' })
    refuse(request, new ServerResponse(request))
    assert.deepEqual(
      seen.map(({ method, path, status, refused, statements, ms }) => [method, path, status, refused, statements, ms]),
      [['GET', '/api/notes', 503, true, 0, 0]],
    )
  })

  it('are told of runs of jobs, also of those that fail', async () => {
    const { jobs, plugin } = watching()
    const app = await createTestApp({ types, plugins: [plugin] })
    onTestFinished(() => app.close())
    await app.runJob('watching/works')
    await assert.rejects(app.runJob('watching/fails'))
    assert.deepEqual(
      jobs.map(({ plugin, job, missed, error }) => [plugin, job, missed, (error as Error | undefined)?.message]),
      [
        ['watching', 'works', false, undefined],
        ['watching', 'fails', false, 'on purpose'],
      ],
    )
  })

  it('are told when a client leaves before its response', async () => {
    const { requests, plugin } = watching()
    let arrived: () => void = () => undefined
    const isThere = new Promise<void>(resolve => {
      arrived = resolve
    })
    const slow = definePlugin({
      name: 'slow',
      routes: [
        {
          method: 'GET',
          path: '/slow',
          action: null,
          run: ({ ctx }) => {
            arrived()
            return new Promise<void>(resolve => ctx.res.once('close', resolve))
          },
        },
      ],
    })
    const config = { server: { host: '127.0.0.1', port: 0 } }
    const app = await createTestApp({ types, plugins: [plugin, slow], config })
    const { port } = await app.listen()
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /api/slow HTTP/1.1\r\nHost: here\r\n\r\n')
    await isThere
    socket.destroy()
    await app.close()
    assert.deepEqual(
      requests.map(({ route, aborted }) => [route, aborted]),
      [['/api/slow', true]],
    )
  })

  it('that fail are logged with their plugin, and change nothing', async () => {
    const lines: { plugin?: string; observe?: string; msg: string }[] = []
    const log = createLog('error', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
    const fails = () => {
      throw new Error('on purpose')
    }
    const plugin = definePlugin({ name: 'clumsy', observe: { request: fails, statement: async () => fails() } })
    const app = await createTestApp({ types, plugins: [plugin], log })
    onTestFinished(() => app.close())
    assert.equal((await app.inject('/api/notes')).statusCode, 200)
    assert.deepEqual([...new Set(lines.map(({ plugin, observe, msg }) => `${plugin} ${observe}: ${msg}`))].sort(), [
      'clumsy request: an observer failed',
      'clumsy statement: an observer failed',
    ])
  })

  it('of something that cannot be observed stop the start', async () => {
    const start = (observe: object) => createTestApp({ plugins: [{ name: 'clumsy', observe } as never] })
    await assert.rejects(
      start({ requests: () => 1 }),
      /plugin clumsy: "requests" cannot be observed; there are request, /,
    )
    await assert.rejects(start({ request: 1 }), /plugin clumsy: observe.request is of type number; expected a function/)
  })
})

onEveryEngine('headers of what a response has cost', engine => {
  let fresh: FreshDatabase
  let server: Server
  const costs: ResponseCost[] = []
  const counts = definePlugin({
    name: 'counts',
    observe: {
      headers: () => cost => {
        costs.push(cost)
        return { 'X-Cost': `${cost.statements} ${cost.rows} ${cost.cached}`, 'Content-Security-Policy': 'none' }
      },
    },
  })
  const counted = definePlugin({ name: 'counted', observe: { headers: () => () => ({ 'X-Cost': 'more' }) } })
  const silent = definePlugin({ name: 'silent', observe: { headers: () => undefined } })
  beforeAll(async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { types, plugins: [counts, counted, silent] })
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })

  it('are sent with reads, writes and errors, and never cached with a response', async () => {
    const cached = (word: 'hit' | 'miss') => (engine.name === 'sqlite' ? word : undefined)
    const made = await server.post('/notes', { text: 'a' })
    assert.match(String(made.headers['x-cost']), /^[1-9]\d* [1-9]\d* undefined, more$/)
    const asked = '/notes?sort=id'
    assert.equal((await server.get(asked)).headers['x-cost'], `2 2 ${cached('miss')}, more`)
    await server.get(asked)
    const again = await server.get(asked)
    assertCached(engine, again.headers['x-cost'] === '0 0 hit, more', String(again.headers['x-cost']))
    const known = await server.get(asked, { 'if-none-match': String(again.headers.etag) })
    assert.equal(known.status, 304)
    assertCached(engine, known.headers['x-cost'] === '0 0 hit, more', String(known.headers['x-cost']))
    if (engine.name === 'mysql') assert.equal(known.headers['x-cost'], '2 2 undefined, more')
    assert.match(String((await server.get('/notes/99')).headers['x-cost']), /, more$/)
    assert.equal((await server.get('/nowhere')).headers['x-cost'], '0 0 undefined, more')
    assert.notEqual(again.headers['content-security-policy'], 'none')
    for (const { ms, statementMs, statements } of costs) assert.ok(ms >= 0 && statementMs > 0 === statements > 0)
  })
})

describe('headers of what a response has cost', () => {
  it('that fail or cannot be sent are logged, and the response is sent without them', async () => {
    const lines: { plugin?: string; msg: string }[] = []
    const log = createLog('error', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
    const headers: Record<string, () => never> = {
      throws: () => {
        throw new Error('on purpose')
      },
      splits: () => ({ 'X-Cost': 'a\r\nSet-Cookie: b' }) as never,
      unnamed: () => ({ 'X Cost': 'a' }) as never,
    }
    const plugins = Object.entries(headers).map(([name, tell]) =>
      definePlugin({ name, observe: { headers: () => tell } }),
    )
    const app = await createTestApp({ types, plugins, log })
    onTestFinished(() => app.close())
    const { statusCode, headers: sent } = await app.inject('/api/notes')
    assert.deepEqual([statusCode, sent['x-cost'], sent['set-cookie']], [200, undefined, undefined])
    assert.deepEqual(
      lines.map(({ plugin, msg }) => `${plugin}: ${msg}`),
      Object.keys(headers).map(name => `${name}: headers of a response failed`),
    )
  })

  it('that are not a function stop the start', async () => {
    const start = (headers: unknown) => createTestApp({ plugins: [{ name: 'clumsy', observe: { headers } } as never] })
    await assert.rejects(start({}), /plugin clumsy: observe.headers is of type object; expected a function/)
    await assert.rejects(
      start(() => ({})),
      /plugin clumsy: "observe.headers" gives object; expected a function of the cost, or undefined/,
    )
  })
})

onEveryEngine('the gauges of a process', engine => {
  it('tell what waits and runs, the pool, the plans and the delay of the event loop', async () => {
    const fresh = await engine.fresh()
    const hosts: Host[] = []
    const plugin = definePlugin({ name: 'gauging', register: (host: Host) => void hosts.push(host) })
    const server = await startOn(fresh.database, { types, plugins: [plugin] })
    const gauges = () => (hosts[0] as Host).gauges()
    const first = gauges()
    assert.deepEqual([first.queue, first.refused, first.inFlight], [{ length: 0, delay: 0 }, 0, 0])
    await server.get('/notes?sort=id')
    await server.get('/notes?sort=id')
    const later = gauges()
    assert.equal(later.plans.made - first.plans.made, 1)
    assert.equal(later.plans.cached - first.plans.cached, 1)
    assert.equal(later.pool === undefined, engine.name === 'sqlite')
    assert.ok(!later.pool || (later.pool.most > 0 && later.pool.waiting === 0 && later.pool.used + later.pool.idle > 0))
    assert.equal(later.replicas, undefined)
    assert.ok(Object.values(later.eventLoopDelay).every(value => value >= 0))
    await server.app.close()
    await fresh.drop()
  })
})
