import { strict as assert } from 'node:assert'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { assertDiscreet, assertUnharmed, type World, world } from './world.js'

interface Raw {
  readonly status: number
  readonly head: string
  readonly body: string
}

let app: World
let port: number
let before: Record<string, number>
beforeAll(async () => {
  app = await world({
    config: { server: { host: '127.0.0.1', port: 0, headersTimeout: 500, requestTimeout: 500, keepAliveTimeout: 200 } },
  })
  port = (await app.listen()).port
  before = await app.rows()
})
afterAll(() => app.close())

/** Sends bytes as they are and reads until the server ends the connection: no client library mends anything. */
function raw(text: string): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      answer += part
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...rest] = answer.split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') })
    })
  })
}

const get = (path: string, headers: readonly string[] = [], method = 'GET'): Promise<Raw> =>
  raw([`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join('\r\n'))

function assertPlainError({ status, head, body }: Raw, statuses: readonly number[]): void {
  assert.ok(statuses.includes(status), `${status}: ${head} ${body.slice(0, 200)}`)
  assertDiscreet({ statusCode: status, payload: body } as never)
  if (body !== '') assert.equal(JSON.parse(body).error.status, status)
}

describe('tricks with paths', () => {
  const paths: readonly (readonly [path: string, statuses: readonly number[]])[] = [
    ['//api/articles', [400, 404]],
    ['/api//articles', [400, 404]],
    ['/api/articles//1', [400, 404]],
    ['/api/articles/1//', [400, 404]],
    ['//', [400, 404]],
    ['///etc/passwd', [400, 404]],
    ['/api/../api/vaults', [404, 403]],
    ['/api/articles/../vaults', [404]],
    ['/api/articles/%2e%2e/vaults', [404]],
    ['/api/articles/%2E%2E%2Fvaults', [404]],
    ['/api/articles/..%2fvaults/1', [404]],
    ['/api/%2e%2e/%2e%2e/etc/passwd', [404]],
    ['/%2e%2e/%2e%2e/package.json', [404]],
    ['/..%5c..%5cpackage.json', [404]],
    ['/api/.', [404]],
    ['/api/./articles', [404]],
    ['/./api/articles', [404]],
    ['/api/articles%2F1', [404]],
    ['/api%2Farticles', [404]],
    ['/api%2farticles/1', [404]],
    ['/api/articles%00', [404]],
    ['/api/articles/%00', [404]],
    ['/api/articles/1%00.json', [404]],
    ['/api/articles/1%0d%0aX-Injected:%201', [404]],
    ['/api/articles/1%20', [404]],
    ['/api/articles%20/1', [404]],
    ['/api/articles.json', [404]],
    ['/api/articles/1.json', [404]],
    ['/api/articles;jsessionid=1', [404]],
    ['/api/articles/1;a=b', [404]],
    ['/api/articles/1/2', [404]],
    ['/api/articles/1/author', [404]],
    ['/api/article', [404]],
    ['/api/homepages', [404]],
    ['/api/homepage/1', [404]],
    ['/api/%E0%A4%A', [400]],
    ['/api/articles/%', [400]],
    ['/%FF', [400, 404]],
    ['/api/articles/%C0%AE%C0%AE', [400, 404]],
    ['/api/__proto__', [404]],
    ['/api/constructor', [404]],
    ['/api/toString/1', [404]],
    ['/__proto__', [404]],
    ['/api/hasOwnProperty', [404]],
    ['/admin/users', [404]],
    ['/api/admin-users', [404]],
    ['/api/admin::user', [404]],
    ['/api/shared.seo', [404]],
    ['/api/seos', [404]],
    ['/', [404]],
    ['/api', [404]],
    ['/api/', [404]],
    ['*', [400, 404]],
    ['/.env', [404]],
    ['/package.json', [404]],
    ['/config/database.js', [404]],
    ['/node_modules/koa/package.json', [404]],
    ['/uploads/../package.json', [404]],
    [`/${'a'.repeat(8000)}`, [404]],
    [`/api/articles/${'1'.repeat(8000)}`, [404]],
    [`/api/articles?${'a'.repeat(20_000)}`, [431]],
    ['http://evil.example/api/vaults', [400, 403, 404]],
    ['http://evil.example/', [404]],
  ]
  for (const [path, statuses] of paths)
    it(path.slice(0, 60), async () => {
      assertPlainError(await get(path), statuses)
      await assertUnharmed(app, before)
    })

  it('letter case and a slash at the end lead to the same route, and to the same gate', async () => {
    for (const path of ['/api/articles/', '/API/articles', '/api/ARTICLES', '/Api/Articles/1/', '/api/articles/1'])
      assert.equal((await get(path)).status, 200, path)
    for (const path of [
      '/api/vaults/',
      '/API/vaults',
      '/api/VAULTS',
      '/Api/Vaults/1/',
      '/api/%76aults',
      '/api/vault%73',
    ])
      assert.ok([403, 404].includes((await get(path)).status), path)
  })
})

describe('tricks with headers and methods', () => {
  const overrides = [
    'X-HTTP-Method-Override: DELETE',
    'X-HTTP-Method: DELETE',
    'X-Method-Override: DELETE',
    '_method: DELETE',
    'X-Original-URL: /api/vaults',
    'X-Rewrite-URL: /api/vaults',
    'X-Forwarded-Path: /api/vaults',
    'X-Forwarded-Prefix: /api/vaults',
    'X-Original-Method: DELETE',
    'X-Forwarded-Method: DELETE',
  ]
  for (const header of overrides)
    it(`${header} changes nothing`, async () => {
      assert.equal((await get('/api/articles/1', [header])).status, 200)
      const posted = await get('/api/articles/1', [header, 'Content-Length: 0'], 'POST')
      assert.equal(posted.status, 405)
      await assertUnharmed(app, before)
    })

  it('_method in the query or the body changes nothing', async () => {
    assert.equal((await get('/api/articles/1?_method=DELETE')).status, 400)
    const response = await app.send('POST', '/api/articles/1', { _method: 'DELETE', data: {} })
    assert.equal(response.statusCode, 405)
    await assertUnharmed(app, before)
  })

  it('what the client says of hosts and addresses appears nowhere', async () => {
    const headers = [
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: gopher',
      'X-Forwarded-For: 6.6.6.6',
      'X-Real-IP: 6.6.6.6',
      'Forwarded: for=6.6.6.6;host=evil.example',
      'Referer: http://evil.example',
      'User-Agent: evil.example',
    ]
    for (const path of [
      '/api/articles',
      '/api/articles/1',
      '/api/nosuch',
      '/api/articles?nosuch=1',
      '/_health',
      '/_health/ready',
      '/api/vaults',
    ]) {
      const { head, body } = await raw(
        [`GET ${path} HTTP/1.1`, 'Host: evil.example', 'Connection: close', ...headers, '', ''].join('\r\n'),
      )
      assert.doesNotMatch(`${head}${body}`, /evil|6\.6\.6\.6|gopher/, path)
    }
  })

  it('a request id is taken over only where it is harmless', async () => {
    for (const [sent, kept] of [
      ['abc-1.2:3_4', true],
      ['x'.repeat(64), true],
      ['x'.repeat(65), false],
      ['<script>', false],
      ['a b', false],
      ['é', false],
      ['', false],
    ] as const) {
      const { head } = await get('/api/articles', [`X-Request-Id: ${sent}`])
      const given = /x-request-id: (.*)/i.exec(head)?.[1] ?? ''
      assert.match(given, /^[\w.:-]{1,64}$/)
      assert.equal(given === sent, kept, sent)
    }
  })

  it('an origin is not mirrored together with credentials', async () => {
    for (const origin of ['http://evil.example', 'null', 'file://', 'http://127.0.0.1.evil.example']) {
      const { head } = await get('/api/articles', [`Origin: ${origin}`, 'Cookie: a=b'])
      assert.doesNotMatch(head, /allow-credentials: true/i)
      assert.doesNotMatch(head, /evil/)
    }
  })

  it('every response forbids sniffing and framing, errors too', async () => {
    for (const path of [
      '/api/articles',
      '/api/articles/1',
      '/api/nosuch',
      '/api/vaults',
      '/api/articles?nosuch=1',
      '//',
      '/_health',
      '/_health/ready',
    ]) {
      const { head } = await get(path)
      assert.match(head, /x-content-type-options: nosniff/i, path)
      assert.match(head, /content-security-policy: default-src 'none'/i, path)
      assert.match(head, /x-request-id: /i, path)
      assert.doesNotMatch(head, /x-powered-by|set-cookie|^server:/im, path)
    }
  })

  it('an address that is not percent-encoded is refused, and the response says what to do', async () => {
    for (const path of ['/api/articles?_q=älp', '/api/älp', '/api/articles?_q=a b']) {
      const answer = await get(path)
      assertPlainError(answer, [400])
      assert.match(JSON.parse(answer.body).error.message, /percent-encode/, path)
    }
  })

  it('a method that is none is refused', async () => {
    for (const method of [
      'PATCH',
      'TRACE',
      'PROPFIND',
      'SEARCH',
      'PURGE',
      'LINK',
      'MKCOL',
      'LOCK',
      'COPY',
      'MOVE',
      'QUERY',
    ]) {
      const answer = await get('/api/articles/1', [], method)
      assert.ok([400, 405, 404, 501].includes(answer.status), `${method} ${answer.status}`)
      assert.doesNotMatch(answer.body, /article 1/)
    }
    for (const method of ['get', 'FOO', 'GET\0', 'DELETE /api/articles/1 HTTP/1.1\r\n\r\nGET'])
      assert.ok([200, 400, 404, 405].includes((await get('/api/nosuch', [], method)).status))
    const { status } = await raw('CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.ok([0, 400, 404, 405].includes(status))
    assert.equal((await app.ask('/api/articles/1')).statusCode, 200)
    // A trick above sends a real DELETE behind a line break: that is a second request, and it was allowed.
    assert.ok((await app.rows()).articles)
  })

  it('HEAD answers as GET without a body, and passes the same gate', async () => {
    for (const [path, status] of [
      ['/api/articles', 200],
      ['/api/articles/99', 404],
      ['/api/vaults', 403],
      ['/api/articles?nosuch=1', 400],
    ] as const) {
      const answer = await get(path, [], 'HEAD')
      assert.equal(answer.status, status)
      assert.equal(answer.body, '')
    }
  })
})

describe('broken messages', () => {
  const messages: readonly (readonly [says: string, text: string])[] = [
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['no host', 'GET /api/articles HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /api/articles HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['an unknown version', 'GET /api/articles HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a space in a header name', 'GET /api/articles HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n'],
    ['a null byte in a header', 'GET /api/articles HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['a bare line feed', 'GET /api/articles HTTP/1.1\nHost: x\n\n'],
    ['headers over the limit', `GET /api/articles HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['thousands of headers', `GET /api/articles HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`],
    ['two lengths', 'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'length and chunks',
      'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    [
      'a chunk of a wrong size',
      'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n',
    ],
    [
      'a body that never comes',
      'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"data":',
    ],
    ['headers that never end', 'GET /api/articles HTTP/1.1\r\nHost: x\r\nA: b\r\n'],
    ['an unknown expectation', 'GET /api/articles HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n'],
    ['an upgrade', 'GET /api/articles HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'],
  ]
  for (const [says, text] of messages)
    it(says, async () => {
      const answer = await raw(text)
      assert.ok(answer.status < 500, `${answer.head} ${answer.body}`)
      assertDiscreet({ statusCode: answer.status || 400, payload: answer.body } as never)
      assert.equal((await app.rows()).articles, before.articles)
      assert.equal((await get('/api/articles/2')).status, 200)
    })
})
