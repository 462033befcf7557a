import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../core/index.js'

const read: unknown[] = []

/** Reads every body before its route is looked up, twice, and changes what it finds. */
const early = definePlugin({
  name: 'early',
  register: host => host,
  bodies: [{ type: 'text/csv', read: async ({ ctx }) => ({ body: { csv: await textOf(ctx.req) } }) }],
  middleware: [
    {
      before: 'routing',
      run: host => async (ctx, next) => {
        if (ctx.get('x-early') === '') return next()
        const body = (await host.readBody(ctx)) as { data?: { text?: string } } | undefined
        assert.equal(await host.readBody(ctx), body)
        read.push(body)
        if (body?.data) body.data.text = `${body.data.text}!`
        if (ctx.get('x-early') === 'other') (ctx.request as { body?: unknown }).body = { data: { text: 'another' } }
        await next()
      },
    },
  ],
  routes: [
    {
      method: 'POST',
      path: '/plain',
      action: null,
      body: 'plain',
      run: async ({ body, ctx }) => ({ body: body ?? 'left', ...(ctx.is('csv') && { text: await textOf(ctx.req) }) }),
    },
    { method: 'POST', path: '/echo', action: null, run: ({ body }) => ({ body: body ?? 'none' }) },
  ],
})

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a body that middleware reads before the routing', () => {
  let app: TestApp
  beforeAll(async () => {
    const types = { note: { attributes: { text: { type: 'string' } } } }
    const config = { server: { body: { json: 1000 } } }
    app = await createTestApp({ types, plugins: [early], config })
  })
  afterAll(() => app.close())

  const send = async (url: string, payload: unknown, headers = {}) => {
    read.length = 0
    const request = {
      method: 'POST',
      url,
      payload: payload as never,
      headers: { 'x-early': 'yes', ...headers },
    } as const
    const { statusCode, body } = await app.inject(request)
    return [statusCode, JSON.parse(body)] as const
  }

  it('is what the route takes, as it was changed', async () => {
    const [status, { data }] = await send('/api/notes', { data: { text: 'a' } })
    assert.deepEqual([status, data.attributes.text], [200, 'a!'])
    const [, other] = await send('/api/notes', { data: { text: 'a' } }, { 'x-early': 'other' })
    assert.equal(other.data.attributes.text, 'another')
  })

  it('is JSON, a form or a text, or there is none', async () => {
    assert.deepEqual(await send('/api/echo', [1]), [200, { body: [1] }])
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.deepEqual(await send('/api/echo', 'a=1&b=2', form), [200, { body: { a: '1', b: '2' } }])
    await send('/api/echo', 'words', { 'content-type': 'text/plain' })
    assert.deepEqual(read, ['words'])
    assert.equal((await app.inject({ url: '/api/notes', headers: { 'x-early': 'yes' } })).statusCode, 200)
    assert.equal(read.at(-1), undefined)
  })

  it('stays with the route where plugins read its kind', async () => {
    assert.deepEqual(await send('/api/echo', 'a,b', { 'content-type': 'text/csv' }), [200, { body: { csv: 'a,b' } }])
    assert.deepEqual(read, [undefined])
  })

  it('is not read by plugins for a route that leaves it to itself', async () => {
    const csv = { 'content-type': 'text/csv' }
    assert.deepEqual(await send('/api/plain', 'a,b', csv), [200, { body: 'left', text: 'a,b' }])
    assert.deepEqual(await send('/api/plain', { a: 1 }, { 'x-early': '' }), [200, { body: { a: 1 } }])
    assert.equal((await send('/api/plain', 'x', { 'content-type': 'image/png', 'x-early': '' }))[0], 415)
  })

  it('is refused as the route would refuse it', async () => {
    const json = { 'content-type': 'application/json' }
    const late = { 'x-early': '' }
    for (const [payload, status] of [
      ['{"a":', 400],
      [JSON.stringify({ a: 'x'.repeat(2000) }), 413],
    ] as const) {
      const refused = await send('/api/notes', payload, json)
      assert.equal(refused[0], status)
      assert.deepEqual(refused, await send('/api/notes', payload, { ...json, ...late }))
    }
  })
})

it('JSON to which a plugin gives another shape is read early, and reaches plain routes in that shape', async () => {
  const shaping = definePlugin({
    name: 'shaping',
    bodies: [{ type: 'application/json', read: async ({ parsed }) => ({ body: { data: await parsed() } }) }],
  })
  const app = await createTestApp({ types: {}, plugins: [early, shaping] })
  onTestFinished(() => app.close())
  read.length = 0
  const headers = { 'x-early': 'yes' }
  const { body } = await app.inject({ method: 'POST', url: '/api/plain', payload: { text: 'a' }, headers })
  assert.deepEqual(JSON.parse(body), { body: { data: { text: 'a' } } })
  assert.deepEqual(read, [{ text: 'a' }])
})
