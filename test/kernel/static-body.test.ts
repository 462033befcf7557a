import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, ForbiddenError } from '../../core/index.js'
import { StaticBody } from '../../core/plugin-kit.js'

const page = new StaticBody('text/html; charset=utf-8', '<h1>Ä</h1>', { gzip: gzipSync('<h1>Ä</h1>') })
const policy = "default-src 'self'"
const headers = { 'content-security-policy': policy, 'Cache-Control': 'no-cache' }

const pages = definePlugin({
  name: 'pages',
  routes: [
    { method: 'GET', path: '/', at: 'root', action: null, headers, run: () => page },
    { method: 'GET', path: '/data', action: null, headers, run: () => ({ a: 1 }) },
    { method: 'POST', path: '/data', action: null, run: () => new StaticBody('text/csv', 'a,b') },
    {
      method: 'GET',
      path: '/fails',
      action: null,
      headers,
      run: () => {
        throw new ForbiddenError()
      },
    },
  ],
})

/** Headers that follow from the service, which is there when they are made. */
const told = definePlugin({
  name: 'told',
  register: ({ app }) => ({ policy: `img-src ${app.api.prefix}` }),
  routes: [
    {
      ...{ method: 'GET', path: '/told', action: null, run: () => page },
      headers: ({ policy }) => ({ 'Content-Security-Policy': policy }),
    },
    {
      ...{ method: 'GET', path: '/generated', action: 'find', run: 'generated', uid: 'api::note.note' },
      headers: ({ policy }) => ({ 'Content-Security-Policy': policy }),
    },
  ],
})

it('a route has headers that its plugin makes of the service', async () => {
  const started = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: [told],
    config: { api: { rest: { public: { note: ['find'] } } } },
  })
  onTestFinished(() => started.close())
  for (const path of ['/api/told', '/api/generated']) {
    const { statusCode, headers } = await started.inject(path)
    assert.deepEqual([statusCode, headers['content-security-policy']], [200, 'img-src /api'], path)
  }
})

it('a start names the route whose headers are none', async () => {
  const route = { method: 'GET', path: '/told', action: null, headers: () => 'no-cache', run: () => page } as const
  const wrong = definePlugin({ name: 'wrong', routes: [route as never] })
  await assert.rejects(createTestApp({ plugins: [wrong] }), {
    name: 'BootError',
    message: 'plugin wrong: "headers" of the route GET /told gives string; expected an object',
  })
})

/** Middleware makes responses go through koa; without it JSON goes straight to the socket. */
const around = definePlugin({ name: 'around', middleware: [{ before: 'routing', run: () => (_, next) => next() }] })

for (const plugins of [[pages], [pages, around]]) {
  const app = async () => {
    const started = await createTestApp({ plugins })
    onTestFinished(() => started.close())
    return started
  }
  const whose = plugins.length === 1 ? 'alone' : 'with middleware'

  it(`a page has its own headers in place of those of the API: ${whose}`, async () => {
    const server = await app()
    const found = await server.inject('/')
    assert.deepEqual([found.statusCode, found.payload], [200, '<h1>Ä</h1>'])
    assert.equal(found.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(found.headers['content-security-policy'], policy)
    assert.equal(found.headers['cache-control'], 'no-cache')
    assert.equal(found.headers['x-content-type-options'], 'nosniff')
    assert.ok(found.headers['x-request-id'])
    const json = await server.inject('/api/data')
    assert.deepEqual(json.json(), { a: 1 })
    assert.equal(json.headers['content-security-policy'], policy)
    assert.equal((await server.inject({ method: 'POST', url: '/api/data' })).headers['content-type'], 'text/csv')
  })

  it(`errors keep the headers of the API: ${whose}`, async () => {
    const server = await app()
    const refused = await server.inject('/api/fails')
    assert.equal(refused.statusCode, 403)
    assert.notEqual(refused.headers['content-security-policy'], policy)
    assert.equal(refused.headers['cache-control'], undefined)
  })

  it(`a static body is compressed as the client takes it, and not sent again: ${whose}`, async () => {
    const server = await app()
    const found = await server.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })
    assert.equal(found.headers['content-encoding'], 'gzip')
    assert.match(String(found.headers.vary), /Accept-Encoding/)
    assert.match(String(found.headers.vary), /Origin/)
    const { etag } = found.headers
    const again = await server.inject({ url: '/', headers: { 'if-none-match': String(etag) } })
    assert.deepEqual([again.statusCode, again.payload, again.headers.etag], [304, '', etag])
    const head = await server.inject({ method: 'HEAD', url: '/' })
    assert.deepEqual([head.statusCode, head.payload, head.headers['content-length']], [200, '', '11'])
  })
}
