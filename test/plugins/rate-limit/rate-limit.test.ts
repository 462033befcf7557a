import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { rateLimit } from '../../../plugins/rate-limit/index.js'

/** Knows callers by a header. */
const known = definePlugin({
  name: 'known',
  authenticate: ctx => {
    const actor = ctx.get('x-actor')
    return actor === '' ? undefined : { scope: 'known', can: () => true, actor }
  },
})

async function serve(config: object) {
  const app = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: [known, [rateLimit, config as never]],
    config: { api: { rest: { public: { note: ['find'] } } } },
  })
  onTestFinished(() => app.close())
  return async (headers: Record<string, string> = {}, remoteAddress = '203.0.113.7', url = '/api/notes') => {
    const answer = await app.inject({ url, headers, remoteAddress })
    return { ...answer.headers, status: answer.statusCode, body: answer.json() } as Record<string, unknown> & {
      body: { error?: { name: string; message: string } }
    }
  }
}

const three = { max: 3, interval: 60 }

it('lets an address send as many requests as the settings say, and says how many are left', async () => {
  const ask = await serve({ address: three })
  const seen = []
  for (let count = 0; count < 4; count += 1) seen.push(await ask())
  assert.deepEqual(
    seen.map(({ status }) => status),
    [200, 200, 200, 429],
  )
  assert.deepEqual(
    seen.map(answer => String(answer.ratelimit).replace(/;t=\d+$/, '')),
    ['"address";r=2', '"address";r=1', '"address";r=0', '"address";r=0'],
  )
  const last = seen[3]
  assert.equal(last?.['ratelimit-policy'], '"address";q=3;w=60')
  assert.ok(Number(last?.['retry-after']) > 50 && Number(last?.['retry-after']) <= 60)
  assert.deepEqual(
    [last?.body.error?.name, last?.body.error?.message],
    ['RateLimitError', 'More than 3 requests in 60 seconds; try again later'],
  )
  assert.equal((await ask({}, '203.0.113.8')).status, 200)
})

it('counts an IPv6 network as one address', async () => {
  const ask = await serve({ address: three })
  for (const end of ['1', '2', '3']) assert.equal((await ask({}, `2001:db8::${end}`)).status, 200)
  assert.equal((await ask({}, '2001:db8::4')).status, 429)
  assert.equal((await ask({}, '2001:db8:0:1::4')).status, 200)
})

it('counts callers of two plugins apart, whose ids are all that is known of them', async () => {
  const knows = (name: string) =>
    definePlugin({
      name,
      authenticate: ctx => (ctx.get('x-by') === name ? { scope: name, id: 1, can: () => true } : undefined),
    })
  const plugins = [knows('panel'), knows('shop'), [rateLimit, { address: { max: 1 }, caller: three }]] as const
  const app = await createTestApp({ types: { note: { attributes: {} } }, plugins })
  onTestFinished(() => app.close())
  const ask = async (by: string) => {
    const { statusCode, headers } = await app.inject({ url: '/api/notes', headers: { 'x-by': by } })
    return [statusCode, String(headers.ratelimit).replace(/;t=\d+$/, '')]
  }
  assert.deepEqual(await ask('panel'), [200, '"caller";r=2'])
  assert.deepEqual(await ask('panel'), [200, '"caller";r=1'])
  assert.deepEqual(await ask('shop'), [200, '"caller";r=2'])
})

it('counts callers by who they are, wherever they send from', async () => {
  const ask = await serve({
    address: { max: 1, interval: 60 },
    caller: three,
    callers: { 'token 1': false, 'user 2': { max: 1 } },
  })
  for (const place of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
    assert.equal((await ask({ 'x-actor': 'user 1' }, place)).status, 200)
  const refused = await ask({ 'x-actor': 'user 1' })
  assert.deepEqual([refused.status, refused['ratelimit-policy']], [429, '"caller";q=3;w=60'])
  const free = await ask({ 'x-actor': 'token 1' })
  assert.deepEqual([free.status, free.ratelimit], [200, undefined])
  assert.equal((await ask({ 'x-actor': 'user 2' })).status, 200)
  assert.equal((await ask({ 'x-actor': 'user 2' })).status, 429)
  assert.equal((await ask()).status, 200)
})

it('begins anew when the interval is over', async () => {
  const ask = await serve({ address: { max: 1, interval: 1 } })
  assert.equal((await ask()).status, 200)
  assert.equal((await ask()).status, 429)
  let answer = await ask()
  const deadline = Date.now() + 10_000
  while (answer.status === 429 && Date.now() < deadline) answer = await ask()
  assert.equal(answer.status, 200)
})

it('can be read by pages of other origins, and does not stand in responses of others', async () => {
  const ask = await serve({ address: three })
  const { 'access-control-expose-headers': exposed } = await ask({ origin: 'https://example.org' })
  assert.match(String(exposed), /RateLimit,RateLimit-Policy/)
  assert.equal((await ask({}, '203.0.113.9', '/api/nothing')).ratelimit, undefined)
})

it('refuses settings that mean nothing', async () => {
  for (const config of [
    { address: { max: 0 } },
    { caller: { interval: 60 } },
    { callers: { 'user 1': true } },
    { adress: three },
  ])
    await assert.rejects(serve(config), { name: 'BootError' })
})

it('has intervals of a minute where the settings say none', async () => {
  const ask = await serve({ address: { max: 2 }, caller: { max: 3 }, callers: { 'user 2': { max: 1 } } })
  const policy = async (actor?: string) =>
    (await ask(actor === undefined ? {} : { 'x-actor': actor }))['ratelimit-policy']
  assert.deepEqual(
    [await policy(), await policy('user 1'), await policy('user 2')],
    ['"address";q=2;w=60', '"caller";q=3;w=60', '"caller";q=1;w=60'],
  )
  assert.match(String((await ask()).ratelimit), /^"address";r=0;t=(60|59)$/)
})
