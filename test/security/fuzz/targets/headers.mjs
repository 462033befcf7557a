import assert from 'node:assert/strict'
import { join } from 'node:path'
import { apiTokens } from '../../../../dist/plugins/api-tokens/index.js'
import { usersPermissions } from '../../../../dist/plugins/users-permissions/index.js'
import { smallApp } from '../small-app.mjs'

const tokens = [
  ...[
    'authorization: ',
    'bearer ',
    'Basic ',
    'eyJhbGciOiJub25lIn0.',
    'e30.',
    'range: ',
    'bytes=',
    '0-',
    '-1',
    '5-1',
    ',',
  ],
  ...['if-none-match: ', 'W/', '"', '*', 'if-modified-since: ', 'if-range: ', 'content-type: ', 'application/json'],
  ...['text/plain', 'multipart/form-data; boundary=', 'application/x-www-form-urlencoded', '; charset=utf-7', 'x'],
  ...['content-encoding: ', 'gzip', 'br', 'deflate', 'identity', 'content-length: ', 'transfer-encoding: chunked'],
  ...['accept: ', 'accept-language: ', ';q=', 'origin: ', 'http://x.test', 'null', 'access-control-request-method: '],
  ...[
    'access-control-request-headers: ',
    'x-forwarded-for: ',
    'x-forwarded-host: ',
    'host: ',
    'cookie: ',
    'x-request-id: ',
  ],
  ...[
    'x-http-method-override: ',
    'idempotency-key: ',
    'expect: 100-continue',
    '\n',
    ' ',
    '\t',
    '%',
    '0',
    '=',
    ';',
    '-',
  ],
]
const seeds = [
  'authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.x\naccept: application/json',
  'range: bytes=0-4,6-7\nif-range: "x"\nif-none-match: W/"x", "y"\nif-modified-since: Tue, 01 Jan 2030 00:00:00 GMT',
  'content-type: application/json; charset=utf-8\ncontent-encoding: gzip\nidempotency-key: a',
  'content-type: multipart/form-data; boundary=x\nx-request-id: a\ncookie: jwt=a',
  'origin: http://x.test\naccess-control-request-method: PUT\naccess-control-request-headers: a, b',
  'x-forwarded-for: 1.2.3.4, 5.6.7.8\nx-forwarded-host: x.test\nhost: x.test\nx-http-method-override: DELETE',
]
const requests = [
  { method: 'GET', url: '/api/articles' },
  { method: 'GET', url: '/api/tags/1' },
  { method: 'POST', url: '/api/tags', payload: '{"data":{"name":"x"}}' },
  { method: 'POST', url: '/api/auth/local', payload: '{"identifier":"a","password":"b"}' },
  { method: 'OPTIONS', url: '/api/articles/1' },
  { method: 'DELETE', url: '/api/articles/1' },
]
const open = new Set(['GET /api/articles', 'OPTIONS /api/articles/1'])
const file = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\na text\r\n--x--\r\n'

/** No header opens what is closed, fails the server, or comes back as a header of the answer. */
export async function headers({ folder }) {
  const plugins = [
    [usersPermissions, { jwtSecret: 'a secret of the fuzzer', ratelimit: { enabled: false } }],
    [apiTokens, { salt: 'a salt of the fuzzer' }],
  ]
  const permissions = { roles: { public: { article: ['find'], 'plugin::upload.content-api': ['upload'] } } }
  const app = await smallApp('spec', join(folder, 'headers'), { more: plugins, permissions })
  const type = 'multipart/form-data; boundary=x'
  const sent = await app.inject({
    method: 'POST',
    url: '/api/upload',
    payload: file,
    headers: { 'content-type': type },
  })
  const all = [...requests, { method: 'GET', url: sent.json()[0].url }, { method: 'HEAD', url: sent.json()[0].url }]
  return {
    seeds,
    tokens,
    async run(input) {
      const request = all[input.length % all.length]
      const { statusCode, headers, payload } = await app.inject({ ...request, headers: headersOf(input) })
      const what = `${request.method} ${request.url}: ${statusCode} ${payload}`
      assert.ok(statusCode >= 200 && statusCode < 500, what)
      assert.ok(!('injected' in headers), what)
      const isOpen = open.has(`${request.method} ${request.url}`) || request.url.startsWith('/uploads/')
      if (!isOpen) assert.ok(statusCode >= 400, what)
      if (statusCode >= 400) assert.doesNotMatch(payload, /sqlite|node_modules|\.js:\d/i)
    },
    close: () => app.close(),
  }
}

/** Lines become headers as Node would hand them over: names in small letters, no line breaks, the first of two. */
function headersOf(input) {
  const found = Object.create(null)
  for (const line of input.toString('latin1').split('\n')) {
    const cut = line.indexOf(':')
    const name = line.slice(0, cut).trim().toLowerCase()
    const value = line
      .slice(cut + 1)
      .replace(/[^\t -~\u0080-\u00ff]/g, '')
      .trim()
    if (cut > 0 && /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) found[name] ??= value
  }
  return { ...found }
}
