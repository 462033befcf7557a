import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { rateLimit } from '../../../plugins/rate-limit/index.js'
import { onEveryEngine } from '../../support/every-engine.js'

/** Knows callers by a header, and has a route at the root. */
const known = definePlugin({
  name: 'known',
  authenticate: ctx => {
    const actor = ctx.get('x-actor')
    return actor === '' ? undefined : { scope: 'known', can: () => true, actor }
  },
  routes: [{ method: 'GET', path: '/status', at: 'root', action: null, run: () => 'fine' }],
})

const types = { comment: { attributes: { text: { type: 'string' } } } }

interface Boot {
  readonly database?: object
  readonly time?: () => number
}

async function serve(config: object, { database, time }: Boot = {}) {
  const app = await createTestApp({
    types,
    plugins: [known, [rateLimit, config as never]],
    config: {
      ...(database && { database }),
      api: { rest: { public: { comment: ['find', 'findOne', 'create', 'update'] } } },
    },
    ...(time && { time }),
  })
  onTestFinished(() => app.close())
  return async (route: string, actor = '', remoteAddress = '203.0.113.7') => {
    const [method = '', url = ''] = route.split(' ')
    const headers = actor === '' ? {} : { 'x-actor': actor }
    const payload = method === 'POST' || method === 'PUT' ? { data: { text: 'x' } } : undefined
    const {
      statusCode,
      headers: sent,
      body,
    } = await app.inject({
      ...{ method, url, headers, remoteAddress },
      ...(payload && { payload }),
    } as never)
    return {
      status: statusCode,
      left: sent.ratelimit === undefined ? undefined : String(sent.ratelimit).replaceAll(/;t=\d+/g, ''),
      policy: sent['ratelimit-policy'],
      after: Number(sent['retry-after']),
      body,
    }
  }
}

const statuses = async (ask: () => Promise<{ status: number }>, count: number) => {
  const seen: number[] = []
  for (let index = 0; index < count; index += 1) seen.push((await ask()).status)
  return seen
}

describe('a limit of a route', () => {
  const comments = { address: { max: 6, interval: 60 }, routes: { 'POST /comments': { max: 2, interval: 3600 } } }

  it('holds beside the limit of all requests, which counts them too', async () => {
    const ask = await serve(comments)
    const first = await ask('POST /api/comments')
    assert.deepEqual(
      [first.status, first.policy, first.left],
      [200, '"address";q=6;w=60, "POST /comments";q=2;w=3600', '"address";r=5, "POST /comments";r=1'],
    )
    assert.equal((await ask('POST /api/comments')).status, 200)
    const refused = await ask('POST /api/comments')
    assert.deepEqual([refused.status, refused.left], [429, '"address";r=3, "POST /comments";r=0'])
    assert.match(refused.body, /More than 2 requests of POST \/comments in 3600 seconds; try again later/)
    assert.ok(refused.after > 3500 && refused.after <= 3600)
    assert.deepEqual((await ask('GET /api/comments')).left, '"address";r=2')
    assert.deepEqual(await statuses(() => ask('GET /api/comments'), 3), [200, 200, 429])
    const both = await ask('POST /api/comments')
    assert.match(both.body, /More than 6 requests in 60 seconds/)
    assert.ok(both.after > 3500, 'the client may come again when both limits let it')
  })

  it('is counted for each address, account and token', async () => {
    const ask = await serve({ ...comments, callers: { 'token 1': false, 'token 2': { max: 9 } } })
    for (const [actor, address] of [['', '203.0.113.1'], ['', '203.0.113.2'], ['user 1'], ['token 2']] as const)
      assert.deepEqual(await statuses(() => ask('POST /api/comments', actor, address), 3), [200, 200, 429], actor)
    assert.deepEqual(await statuses(() => ask('POST /api/comments', 'token 1'), 3), [200, 200, 200])
  })

  it('holds alone where there is no other, and a route can have none', async () => {
    const ask = await serve({
      address: { max: 1 },
      caller: false,
      routes: { 'PUT /comments/:id': { max: 1 }, 'GET /comments': false },
    })
    const put = await ask('PUT /api/comments/1', 'user 1')
    assert.deepEqual([put.status, put.left], [404, '"PUT /comments/:id";r=0'])
    assert.equal((await ask('PUT /api/comments/2', 'user 1')).status, 429)
    for (const route of ['GET /api/comments', 'GET /API/Comments/', 'HEAD /api/comments']) {
      const free = await ask(route)
      assert.deepEqual([free.status, free.left], [200, undefined], route)
    }
    assert.deepEqual(await statuses(() => ask('GET /api/comments/1'), 2), [404, 429])
  })

  it('names a route with or without the prefix of the API, and one at the root by its path', async () => {
    const ask = await serve({ routes: { 'GET /api/comments': { max: 1 }, 'GET /status': { max: 1 } } })
    assert.deepEqual(await statuses(() => ask('GET /api/comments'), 2), [200, 429])
    assert.equal((await ask('GET /status')).left, '"address";r=597, "GET /status";r=0')
    const other = await serve({ routes: { 'GET /comments/:id': { max: 1 } } })
    assert.equal((await other('GET /api/comments/1')).left, '"address";r=599, "GET /comments/:id";r=0')
  })

  const place = 'plugin rate-limit could not start: config/plugins: rate-limit.config.routes'
  it.each([
    ['POST /coments', `${place}: there is no route "POST /coments"; did you mean "POST /comments"?`],
    ['post /comments', `${place}: there is no route "post /comments"; did you mean "POST /comments"?`],
    ['POST /comments/:key', `${place}: there is no route "POST /comments/:key"; did you mean "POST /comments"?`],
    [
      'comment.create',
      `${place}: there is no route "comment.create"; a route is written "POST /comments", and "stele routes" lists them`,
    ],
  ])('stops the start where it is for %s', async (route, message) => {
    await assert.rejects(serve({ routes: { [route]: { max: 1 } } }), { name: 'BootError', message })
  })

  it('stops the start where two keys name the same route', async () => {
    await assert.rejects(serve({ routes: { 'POST /comments': { max: 1 }, 'POST /api/comments': false } }), {
      name: 'BootError',
      message: `${place}: "POST /comments" and "POST /api/comments" are the same route`,
    })
  })
})

onEveryEngine('a limit of a route, counted in the database', engine => {
  it('is the same on all machines, and apart from the limit of all requests', async () => {
    const fresh = await engine.fresh()
    onTestFinished(() => fresh.drop())
    const config = { store: 'database', address: { max: 40 }, routes: { 'POST /comments': { max: 3, interval: 30 } } }
    const boot = { database: fresh.database, time: () => 90_000 }
    const [one, other] = [await serve(config, boot), await serve(config, boot)]
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : other)('POST /api/comments')),
    )
    assert.equal(all.filter(({ status }) => status === 200).length, 3)
    assert.equal(all.filter(({ status }) => status === 429).length, 9)
    assert.equal((await one('GET /api/comments')).status, 200)
  })
})
