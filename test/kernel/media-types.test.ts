import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { BadRequestError, createTestApp, definePlugin, Finished } from '../../core/index.js'

const wished = 'application/vnd.greeting+json'

/** One text under two media types, of which the client chooses. */
const greeting = definePlugin({
  name: 'greeting',
  routes: [
    {
      method: 'GET',
      path: '/greeting',
      action: null,
      run({ ctx }) {
        ctx.vary('Accept')
        const isWished = ctx.req.headers.accept === wished
        return new Finished({ text: '{"hello":"you"}', ...(isWished && { type: wished }) })
      },
    },
    {
      method: 'GET',
      path: '/refusal',
      action: null,
      run({ ctx }) {
        ctx.vary('Accept')
        throw new BadRequestError('no')
      },
    },
  ],
})

/** Middleware makes responses go through koa; without it JSON goes straight to the socket. */
const around = definePlugin({ name: 'around', middleware: [{ before: 'routing', run: () => (_, next) => next() }] })

for (const plugins of [[greeting], [greeting, around]]) {
  const whose = plugins.length === 1 ? 'alone' : 'with middleware'
  const started = async () => {
    const app = await createTestApp({ plugins })
    onTestFinished(() => app.close())
    return (accept: string, more: Record<string, string> = {}, url = '/api/greeting') =>
      app.inject({ method: 'GET', url, headers: { accept, ...more } })
  }

  it(`a response varies by what its route says, and by what all vary by: ${whose}`, async () => {
    const get = await started()
    for (const origin of [{}, { origin: 'http://pages.test' }] as Record<string, string>[])
      for (const url of ['/api/greeting', '/api/refusal']) {
        const { headers } = await get(wished, origin, url)
        assert.deepEqual(String(headers.vary).split(', ').sort(), ['Accept', 'Origin'])
      }
  })

  it(`a response has a tag for each media type, and is not sent twice: ${whose}`, async () => {
    const get = await started()
    const [json, other] = [await get('*/*'), await get(wished)]
    assert.deepEqual([json.payload, other.payload], ['{"hello":"you"}', '{"hello":"you"}'])
    const tags = [json, other].map(({ headers }) => String(headers.etag))
    assert.notEqual(tags[0], tags[1])
    const again = async (accept: string, tag = '') => (await get(accept, { 'if-none-match': tag })).statusCode
    assert.deepEqual([await again('*/*', tags[0]), await again(wished, tags[1])], [304, 304])
    assert.deepEqual([await again('*/*', tags[1]), await again(wished, tags[0])], [200, 200])
    const { headers } = await get(wished, { 'if-none-match': String(tags[1]) })
    assert.deepEqual(String(headers.vary).split(', ').sort(), ['Accept', 'Origin'])
  })
}
