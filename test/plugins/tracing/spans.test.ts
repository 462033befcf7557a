import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../core/index.js'
import { events } from '../../../plugins/events/index.js'
import { tracing } from '../../../plugins/tracing/index.js'
import { stele } from '../../support/command.js'
import type { FreshDatabase } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { folderOf } from '../../support/terminal.js'
import { worksAndFails } from '../../support/works-and-fails.js'
import { Receiver } from '../events/receiver.js'

/** A span as the SDK hands it to an exporter. */
interface EndedSpan {
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: number; readonly message?: string }
  readonly parentSpanContext?: { readonly spanId: string; readonly traceId: string }
  readonly links?: readonly { readonly context: { readonly spanId: string; readonly traceId: string } }[]
  readonly startTime: readonly [number, number]
  readonly endTime: readonly [number, number]
  spanContext(): { readonly spanId: string; readonly traceId: string }
}

// biome-ignore lint/suspicious/noExplicitAny: a checkout whose packages are older has no types of these, and skips the tests
const optional = (name: string): Promise<any> => import(name).catch(() => undefined)
const [api, sdk, hooks] = await Promise.all(
  ['api', 'sdk-trace-base', 'context-async-hooks'].map(name => optional(`@opentelemetry/${name}`)),
)
const exporter = sdk && new sdk.InMemorySpanExporter()

const waiting: (() => void)[] = []

const failing = definePlugin({
  name: 'failing',
  authenticate: ({ headers }) =>
    headers['x-key'] ? { scope: 'key', id: 7, actor: 'key 7', can: () => true } : undefined,
  jobs: worksAndFails,
  hooks: {
    /** Two of these are served at the same time. */
    async beforeWrite(write) {
      if (write.data.text !== 'meets') return write
      await new Promise<void>(resolve => {
        waiting.push(resolve)
        if (waiting.length === 2) for (const go of waiting.splice(0)) go()
      })
      return write
    },
  },
  routes: [
    {
      method: 'GET',
      path: '/breaks',
      action: null,
      run: () => {
        throw new TypeError('dontsayme')
      },
    },
  ],
})
const types = {
  note: {
    attributes: {
      text: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
}

const taken = (): EndedSpan[] => {
  const spans = [...exporter.getFinishedSpans()] as EndedSpan[]
  exporter.reset()
  return spans
}
const idOf = (span: EndedSpan | undefined) => span?.spanContext().spanId

beforeAll(() => {
  if (!api || !sdk || !hooks) return
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new W3CPropagator())
  api.trace.setGlobalTracerProvider(
    new sdk.BasicTracerProvider({ spanProcessors: [new sdk.SimpleSpanProcessor(exporter)] }),
  )
})
afterAll(() => {
  for (const part of ['context', 'propagation', 'trace']) api?.[part].disable()
})

/** The one of the SDK's core package, as far as it matters here. */
class W3CPropagator {
  extract(context: unknown, carrier: Readonly<Record<string, string>>) {
    const [, traceId, spanId, flags] = (carrier.traceparent ?? '').split('-')
    if (!traceId || !spanId) return context
    return api.trace.setSpanContext(context, { traceId, spanId, traceFlags: Number(flags), isRemote: true })
  }
  inject() {}
  fields() {
    return ['traceparent']
  }
}

onEveryEngine('spans', engine => {
  let app: TestApp
  let fresh: FreshDatabase
  beforeAll(async () => {
    fresh = await engine.fresh()
    app = await createTestApp({ types, plugins: [failing, tracing], config: { database: fresh.database } as never })
  })
  afterAll(async () => {
    await app?.close()
    await fresh?.drop()
  })

  it.skipIf(!exporter)('are those of a request with its statements inside, in the trace of the client', async () => {
    await app.inject({
      method: 'POST',
      url: '/api/notes',
      headers: { 'x-key': 'k' },
      payload: { data: { text: 'dontsayme' } },
    })
    taken()
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { 'x-key': 'k', traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-request-id': 'mine' }
    const url = '/api/notes?populate=tags&filters[text]=dontsayme'
    assert.equal((await app.inject({ url, headers })).statusCode, 200)
    const spans = taken()
    const request = spans.find(({ kind }) => kind === 1)
    assert.equal(request?.name, 'GET /api/notes')
    assert.deepEqual(request?.parentSpanContext?.spanId, '00f067aa0ba902b7')
    const {
      'stele.rows': rows,
      'stele.statements': count,
      'stele.cached': cached,
      ...attributes
    } = request?.attributes ?? {}
    assert.deepEqual(attributes, {
      'http.request.method': 'GET',
      'http.route': '/api/notes',
      'http.response.status_code': 200,
      'stele.request_id': 'mine',
      'stele.caller': 'key 7',
    })
    assert.ok(Number(count) >= 2 && Number(rows) >= 1)
    if (engine.name === 'sqlite') assert.equal(cached, 'miss')
    const inside = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === idOf(request))
    assert.ok(inside.length >= 2, JSON.stringify(spans.map(({ name }) => name)))
    for (const span of inside) {
      assert.equal(span.kind, 2)
      assert.equal(span.spanContext().traceId, traceId)
      assert.ok(['sqlite', 'mysql', 'mariadb', 'postgresql'].includes(String(span.attributes['db.system.name'])))
      assert.match(String(span.attributes['db.query.text']), /select/i)
    }
    assert.doesNotMatch(JSON.stringify(spans.map(({ attributes }) => attributes)), /dontsayme/)
  })

  it.skipIf(!exporter)('belong to their own request where several run at once, whatever ids clients send', async () => {
    taken()
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        app.inject({ url: `/api/tags?filters[id]=${at}`, headers: { 'x-key': 'k', 'x-request-id': 'same' } }),
      ),
    )
    const spans = taken()
    const requests = spans.filter(({ kind }) => kind === 1)
    assert.equal(requests.length, 8)
    const ids = new Set(requests.map(idOf))
    assert.equal(ids.size, 8)
    for (const span of spans.filter(({ kind }) => kind === 2))
      assert.ok(ids.has(span.parentSpanContext?.spanId), span.name)
  })

  it.skipIf(!exporter)('tell of failures by their names alone, and of jobs', async () => {
    taken()
    await app.inject('/api/breaks')
    await app.runJob('failing/works')
    await app.runJob('failing/fails').catch(() => undefined)
    const spans = taken()
    const broken = spans.find(({ name }) => name === 'GET /api/breaks')
    assert.deepEqual(broken?.status, { code: 2, message: 'TypeError' })
    const jobs = spans.filter(({ name }) => name.startsWith('job '))
    assert.deepEqual(
      jobs.map(({ name, status }) => [name, status.code]),
      [
        ['job failing/works', 0],
        ['job failing/fails', 2],
      ],
    )
    for (const { startTime, endTime } of spans)
      assert.ok(endTime[0] * 1e9 + endTime[1] >= startTime[0] * 1e9 + startTime[1])
  })
})

onEveryEngine('spans of webhooks', engine => {
  let app: TestApp
  let fresh: FreshDatabase
  let receiver: Receiver
  beforeAll(async () => {
    ;[fresh, receiver] = await Promise.all([engine.fresh(), Receiver.start()])
    const hook = (types: string[], at: string) => ({ url: `${at}/secret/path?key=dontsayme`, types })
    app = await createTestApp({
      types,
      plugins: [[events, { privateAddresses: true, retries: [0] }], failing, tracing],
      config: {
        database: fresh.database,
        webhooks: {
          build: hook(['note'], receiver.url.replace('//', '//me:dontsayme@').replace('/hook', '')),
          closed: hook(['tag'], 'http://127.0.0.1:1'),
        },
      } as never,
    })
  })
  afterAll(async () => {
    await app?.close()
    await fresh?.drop()
    await receiver?.stop()
  })

  const post = (url: string, data: object, id: string) =>
    app.inject({ method: 'POST', url, headers: { 'x-key': 'k', 'x-request-id': id }, payload: { data } })
  /** The spans of so many tries, and of the requests before them. */
  const delivered = async (tries: number) => {
    const spans: EndedSpan[] = []
    const sent = () => spans.filter(({ attributes }) => attributes['stele.plugin'] === 'events')
    while (sent().length < tries) {
      await app.runJob('events/webhooks')
      spans.push(...taken())
    }
    return { requests: spans.filter(({ kind }) => kind === 1), sent: sent() }
  }

  it.skipIf(!exporter)('are linked to the requests that they tell of, and show no secrets', async () => {
    taken()
    receiver.answer = ({ body }, response) => {
      response.statusCode = body.entry.text === 'second' && receiver.got.length < 3 ? 503 : 200
      response.end('dontsayme')
    }
    await post('/api/notes', { text: 'first' }, 'one')
    const first = await delivered(1)
    await post('/api/notes', { text: 'second' }, 'two')
    const second = await delivered(2)
    const [requests, sent] = [first.requests.concat(second.requests), first.sent.concat(second.sent)]
    assert.equal(requests.length, 2)
    assert.deepEqual(
      sent.map(({ name, kind, attributes: { 'stele.plugin': plugin, ...attributes }, status }) => ({
        ...{ name, kind, plugin, status: status.code },
        attributes,
      })),
      [
        { status: 200, failed: false },
        { status: 503, failed: true },
        { status: 200, failed: false, again: 1 },
      ].map(({ status, failed, again }) => ({
        ...{ name: 'POST webhook build', kind: 2, plugin: 'events', status: failed ? 2 : 0 },
        attributes: {
          'http.request.method': 'POST',
          'http.response.status_code': status,
          'server.address': '127.0.0.1',
          'server.port': receiver.port,
          'url.scheme': 'http',
          ...(again && { 'http.request.resend_count': again }),
          ...(failed && { 'error.type': '503' }),
        },
      })),
    )
    const of = (id: string) => requests.find(({ attributes }) => attributes['stele.request_id'] === id)?.spanContext()
    for (const [index, id] of ['one', 'two', 'two'].entries()) {
      const { traceId, spanId } = of(id) ?? {}
      const [link, ...others] = sent[index]?.links ?? []
      assert.deepEqual([link?.context.traceId, link?.context.spanId, others], [traceId, spanId, []])
      assert.equal(sent[index]?.parentSpanContext, undefined)
    }
    assert.doesNotMatch(
      JSON.stringify(sent.map(({ name, attributes, status }) => [name, attributes, status])),
      /dontsayme|secret/,
    )
  })

  it.skipIf(!exporter)('tell why no response came', async () => {
    taken()
    await post('/api/tags', { name: 'a' }, 'three')
    const { sent } = await delivered(2)
    assert.equal(sent[0]?.name, 'POST webhook closed')
    assert.deepEqual(sent[0]?.status, { code: 2 })
    assert.equal(sent[0]?.attributes['error.type'], 'ECONNREFUSED')
    assert.equal(sent[0]?.attributes['http.response.status_code'], undefined)
  })

  it.skipIf(!exporter)('have no link where code wrote, or where several requests have the same id', async () => {
    taken()
    await app.entries('api::note.note').create({ text: 'by code' })
    await Promise.all([post('/api/notes', { text: 'meets' }, 'same'), post('/api/notes', { text: 'meets' }, 'same')])
    const { requests, sent } = await delivered(3)
    assert.equal(requests.length, 2)
    assert.deepEqual(
      sent.map(({ links = [] }) => links.length),
      [0, 0, 0],
    )
  })
})

describe('the plugin tracing', () => {
  it.skipIf(!api)('does nothing without an SDK', async () => {
    for (const part of ['context', 'propagation', 'trace']) api[part].disable()
    const app = await createTestApp({ types, plugins: [tracing] })
    onTestFinished(() => app.close())
    assert.equal((await app.inject('/api/notes')).statusCode, 200)
  })

  it('is disabled unless it is named', async () => {
    const folder = folderOf({ 'config/log.json': '{"level":"error"}' })
    const { stdout } = await stele(['plugins', '--json', '--app', folder])
    const [row] = JSON.parse(stdout).filter(({ name }: { name: string }) => name === 'tracing')
    assert.equal(row.on, false)
  })
})
