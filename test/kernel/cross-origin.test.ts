import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { refusal } from '../../core/http/sockets/refusal.js'
import { type AnyPlugin, createTestApp, definePlugin, ForbiddenError } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { events } from '../../plugins/events/index.js'
import { upload } from '../../plugins/upload/index.js'
import { v5Format } from '../../plugins/v5-format/index.js'
import { pluginNames } from '../support/plugin-names.js'

const keyed = definePlugin({
  name: 'keyed',
  config: { type: 'object', properties: { header: { type: 'string', default: 'X-Key' } } },
  words: { headers: ({ header }) => [header, 'If-Match'] },
})

interface Origins {
  readonly plugins?: readonly (AnyPlugin | [AnyPlugin, object])[]
  readonly cors?: object
  readonly origin?: string
}

/** Headers that a browser blocks for a page of another origin: it sends a preflight first. */
async function blocked(headers: readonly string[], { plugins = [], cors = {}, origin }: Origins = {}) {
  const app = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: plugins as AnyPlugin[],
    config: { server: { host: '127.0.0.1', port: 0, cors } },
  })
  onTestFinished(() => app.close())
  const { port } = await app.listen()
  const { status, headers: found } = await fetch(`http://127.0.0.1:${port}/api/notes`, {
    method: 'OPTIONS',
    headers: {
      origin: origin ?? 'https://page.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': headers.map(name => name.toLowerCase()).join(','),
    },
  })
  assert.equal(status, 204)
  const names = (found.get('access-control-allow-headers') ?? '').toLowerCase().split(',')
  const allowed = new Set(names.map(name => name.trim()))
  assert.equal(allowed.size, names.length, 'a header is listed twice')
  return headers.filter(name => !allowed.has(name.toLowerCase()))
}

describe('pages of other origins may send the request headers', () => {
  it('that core reads', async () => {
    const own = ['Content-Type', 'Authorization', 'If-Match', 'If-None-Match', 'Idempotency-Key', 'X-Request-Id']
    assert.deepEqual(await blocked([...own, 'Cache-Control', 'traceparent', 'tracestate', 'X-Other']), ['X-Other'])
  })

  it('that an enabled plugin declares, by its settings where these decide', async () => {
    assert.deepEqual(await blocked(['X-Key']), ['X-Key'])
    assert.deepEqual(await blocked(['X-Key', 'If-Match'], { plugins: [keyed] }), [])
    const plugins = [[keyed, { header: 'X-Door' }]] as const
    assert.deepEqual(await blocked(['X-Key', 'X-Door'], { plugins: plugins as never }), ['X-Key'])
  })

  it('by which a format is chosen, from which a feed resumes, and that ask for a part of a file', async () => {
    const sent = ['Strapi-Response-Format', 'Last-Event-ID', 'Range']
    assert.deepEqual(await blocked(sent), sent)
    assert.deepEqual(await blocked(sent, { plugins: [v5Format, events, upload] }), [])
  })

  it('that the operator lists, and no others where there is a list', async () => {
    const cors = { headers: ['X-Mine'], origin: ['https://page.example'] }
    assert.deepEqual(await blocked(['X-Mine', 'X-Key', 'Authorization'], { plugins: [keyed], cors }), [
      'X-Key',
      'Authorization',
    ])
  })
})

describe('pages of other origins, below a path whose plugin decides about them,', () => {
  const origin = 'https://page.example'
  const guarded = definePlugin({
    name: 'guarded',
    middleware: [
      {
        before: 'cors',
        below: '/own',
        run: () => (ctx, next) => {
          if (ctx.get('x-key') === '') throw new ForbiddenError('no key')
          return next()
        },
      },
      { before: 'routing', run: () => (_, next) => next() },
    ],
    routes: [{ method: 'GET', at: 'root', path: '/own/data', action: null, run: () => ({ a: 1 }) }],
  })
  const corsOf = (headers: object) => Object.keys(headers).filter(name => name.startsWith('access-control'))

  it('are shown no header that lets them read, with a response, an error or a preflight', async () => {
    const app = await createTestApp({ plugins: [guarded] })
    onTestFinished(() => app.close())
    const ask = async (method: 'GET' | 'OPTIONS', url: string, headers = {}) => {
      const preflight = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-key' }
      const sent = { origin, ...(method === 'OPTIONS' && preflight), ...headers }
      const response = await app.inject({ method, url, headers: sent })
      return [response.statusCode, corsOf(response.headers)]
    }
    const key = { 'x-key': '1' }
    assert.deepEqual(await ask('GET', '/own/data'), [403, []])
    assert.deepEqual(await ask('OPTIONS', '/own/data'), [403, []])
    assert.deepEqual(await ask('GET', '/OWN/data', key), [200, []])
    assert.deepEqual(await ask('OPTIONS', '/own/data', key), [200, []])
    assert.deepEqual(await ask('GET', '/own/nowhere', key), [404, []])
    const [status, shown] = await ask('GET', '/own-not')
    assert.deepEqual([status, (shown as string[]).includes('access-control-allow-origin')], [404, true])
  })

  it('are shown none where the server is overloaded', () => {
    const refuse = refusal({
      server: {
        cors: { enabled: true, origin: '*', expose: ['Retry-After'] },
        headers: { contentSecurityPolicy: false, referrerPolicy: false, strictTransportSecurity: false },
      } as never,
      closed: ['/own'],
      gate: { open: true },
      log: createLog('silent'),
      formatError: (_, error) => ({ body: { data: null, error } }),
    })
    const headersOf = (url: string) => {
      const request = new IncomingMessage(new Socket())
      Object.assign(request, { method: 'GET', url, headers: { origin } })
      const response = new ServerResponse(request)
      let sent: string[] | undefined
      response.writeHead = ((_: number, headers: string[]) => {
        sent ??= headers
        return response
      }) as never
      refuse(request, response)
      return sent?.filter(text => text.startsWith('Access-Control'))
    }
    assert.deepEqual(headersOf('/own/data?a=1'), [])
    assert.deepEqual(headersOf('/owner'), ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'])
  })
})

it.each([
  ['a text', { words: { headers: 'X-Key' } }, 'words.headers is "X-Key"; expected a list or a function'],
  ['no header', { words: { headers: ['X Key'] } }, '"X Key" in words.headers is not the name of a header'],
  ['a number', { words: { headers: () => [7] } }, '7 in words.headers is not the name of a header'],
])('the server refuses to start with %s as the headers that a plugin reads', async (_, parts, message) => {
  const plugin = { name: 'clumsy', ...parts } as unknown as AnyPlugin
  await assert.rejects(createTestApp({ plugins: [plugin] }), {
    name: 'BootError',
    message: `plugin clumsy: ${message}`,
  })
})

/** Headers that browsers set themselves, that proxies add, or that need no preflight: a page cannot send or forge them. */
const notOfPages = new Set([
  ...['accept', 'accept-encoding', 'content-length', 'host', 'origin', 'forwarded', 'x-forwarded-for'],
  ...['x-forwarded-proto', 'x-forwarded-host', 'cookie', 'referer', 'user-agent'],
])

describe('the request headers that sources read', () => {
  /** `ctx.get('Name')`, `ctx.get(name)` is not found; `headers['name']` and `headers: { name }` are. */
  const reading =
    /\b(?:ctx|request)\.get\('(?<a>[\w-]+)'\)|\b(?:req|request|ctx)\.headers(?:\['(?<b>[\w-]+)'\]|\.(?<c>\w+))|headers: \{ (?<d>\w+) \} \}/g
  const read = (folder: string) =>
    (readdirSync(folder, { recursive: true }) as string[])
      .filter(file => file.endsWith('.ts') && !file.includes('page/'))
      .flatMap(file => [...readFileSync(join(folder, file), 'utf8').matchAll(reading)])
      .flatMap(({ groups = {} }) => Object.values(groups).filter(name => name !== undefined))
      .map(name => name.toLowerCase())
      .filter(name => !notOfPages.has(name))
  const root = new URL('../../', import.meta.url).pathname

  it('are those of core by default', async () => {
    const names = [...new Set(read(join(root, 'core/http')))]
    assert.ok(names.includes('if-match') && names.includes('traceparent'), names.join())
    assert.deepEqual(await blocked(names), [])
  })

  const readers = pluginNames().flatMap(name => {
    const names = [...new Set(read(join(root, 'plugins', name)))]
    return names.length > 0 ? [{ name, names }] : []
  })
  it('are found', () => assert.ok(readers.some(({ name }) => name === 'events')))
  for (const { name, names } of readers)
    it(`of the plugin ${name} are declared by it`, async () => {
      const module = await import(join(root, 'plugins', name, 'index.ts'))
      const plugin = Object.values(module).find(value => (value as AnyPlugin)?.name === name) as AnyPlugin
      const declared = (plugin as { words?: { headers?: readonly string[] } }).words?.headers ?? []
      const missing = await blocked(names)
      assert.deepEqual(
        missing.filter(header => !declared.some(one => one.toLowerCase() === header)),
        [],
      )
    })
})
