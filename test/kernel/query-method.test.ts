import assert from 'node:assert/strict'
import { request } from 'node:http'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, Finished } from '../../core/index.js'

const asking = definePlugin({
  name: 'asking',
  routes: [
    { method: 'QUERY', path: '/notes', action: 'ask', run: ({ body, query }) => ({ asked: body, query }) },
    {
      method: 'QUERY',
      path: '/tagged',
      action: 'ask',
      run: () => new Finished({ text: '{"same":true}', tag: undefined }),
    },
  ],
})

async function listening() {
  const app = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: [asking],
    config: { server: { host: '127.0.0.1', port: 0, cors: { origin: ['https://example.com'] } } },
  })
  onTestFinished(() => app.close())
  const { port } = await app.listen()
  return (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<TextResponse>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, async response => {
        let text = ''
        for await (const part of response.setEncoding('utf8')) text += part
        const { statusCode: status = 0, headers: found } = response
        resolve({ status, headers: new Headers(found as Record<string, string>), text })
      })
      sent.on('error', reject)
      sent.end(body)
    })
}

interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const json = { 'content-type': 'application/json' }

it('a QUERY arrives over the network with its body', async () => {
  const ask = await listening()
  const { status, text } = await ask('QUERY', '/api/notes?a=1', json, '{"filters":{"text":"x"}}')
  assert.deepEqual([status, JSON.parse(text)], [200, { asked: { filters: { text: 'x' } }, query: { a: '1' } }])
  const broken = await ask('QUERY', '/api/notes', json, '{')
  assert.equal(broken.status, 400)
})

it('stands behind GET where methods are listed, and may be used from other origins', async () => {
  const ask = await listening()
  const wrong = await ask('PATCH', '/api/notes', json, '{}')
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'HEAD, GET, QUERY, POST'])
  assert.equal((await ask('OPTIONS', '/api/notes')).headers.get('allow'), 'HEAD, GET, QUERY, POST')
  const preflight = await ask('OPTIONS', '/api/notes', {
    origin: 'https://example.com',
    'access-control-request-method': 'QUERY',
  })
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /\bQUERY\b/)
  const none = await ask('QUERY', '/api/notes/1', json, '{}')
  assert.deepEqual([none.status, none.headers.get('allow')], [405, 'HEAD, GET, PUT, DELETE'])
})

it('is answered with 304 where the client has the response already', async () => {
  const ask = await listening()
  const first = await ask('QUERY', '/api/tagged', json, '{}')
  const tag = first.headers.get('etag')
  assert.ok(tag)
  const again = await ask('QUERY', '/api/tagged', { ...json, 'if-none-match': tag }, '{}')
  assert.deepEqual([again.status, again.text], [304, ''])
})

it('is sent by tests without a socket as well', async () => {
  const app = await createTestApp({ plugins: [asking] })
  onTestFinished(() => app.close())
  const response = await app.inject({ method: 'QUERY', url: '/api/notes', payload: { page: 2 } })
  assert.deepEqual(response.json(), { asked: { page: 2 }, query: {} })
})
