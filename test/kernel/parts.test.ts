import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin, ForbiddenError, type Host } from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = { note: { attributes: { text: { type: 'string' } } } }

describe('middleware', () => {
  const order: string[] = []
  const plugin = definePlugin({
    name: 'around',
    register: () => ({ hits: 0 }),
    authenticate: () => {
      order.push('authenticate')
      return undefined
    },
    middleware: [
      {
        before: 'routing',
        run: service => async (ctx, next) => {
          order.push(`routing ${ctx.state.route}`)
          service.hits += 1
          ctx.path = ctx.path.replace(/^\/old/, '/api')
          await next()
          ctx.set('X-Hits', String(service.hits))
        },
      },
      {
        before: 'authentication',
        run: () => async (ctx, next) => {
          const { method, path, action } = ctx.state.route
          order.push(`authentication ${method} ${path} ${action}`)
          if (ctx.get('x-stop') === 'authentication') throw new ForbiddenError('stopped before authentication')
          await next()
        },
      },
      {
        before: 'handler',
        run: () => async (ctx, next) => {
          order.push(`handler ${ctx.state.caller?.scope}`)
          if (ctx.get('x-stop') === 'handler') throw new ForbiddenError('stopped before handler')
          await next()
        },
      },
    ],
    hooks: {
      serialize: entry => {
        order.push('serialize')
        entry.text = 'seen'
      },
    },
  })

  it('stands before the routing, before the authentication, and between the gate and the handler', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    await app.entries('api::note.note').create({ text: 'a' })
    order.length = 0
    const response = await app.inject('/api/notes')
    assert.equal(response.headers['x-hits'], '1')
    assert.equal(response.json().data[0].attributes.text, 'seen')
    assert.deepEqual(order, [
      'routing undefined',
      'authentication GET /notes find',
      'authenticate',
      'handler public',
      'serialize',
    ])
    await app.close()
  })
  it('runs before the routing for every request, and elsewhere only where there is a route', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    order.length = 0
    assert.equal((await app.inject('/api/nowhere')).statusCode, 404)
    assert.deepEqual(order, ['routing undefined'])
    await app.close()
  })
  it('runs for a path and those below it alone, where it says so, and leaves other responses as they are', async () => {
    const paths: string[] = []
    const below = definePlugin({
      name: 'below',
      middleware: [
        {
          before: 'routing',
          below: '/pages/api',
          run: () => async (ctx, next) => {
            paths.push(ctx.path)
            ctx.path = ctx.path.replace(/^\/pages/i, '')
            await next()
            ctx.set('X-Length', String((ctx.body as string).length))
          },
        },
      ],
    })
    const app = await createTestApp({ types, plugins: [below] })
    await app.entries('api::note.note').create({ text: 'a' })
    const [own, other] = [await app.inject('/Pages/api/notes'), await app.inject('/api/notes')]
    assert.equal(own.body, other.body)
    assert.equal(own.headers['x-length'], String(own.body.length), 'the body is there for the middleware')
    assert.equal(other.headers['x-length'], undefined)
    assert.equal((await app.inject('/pages/api')).statusCode, 404)
    assert.equal((await app.inject('/pages/apis')).statusCode, 404)
    assert.deepEqual(paths, ['/Pages/api/notes', '/pages/api'])
    await app.close()
  })
  for (const [says, placed] of [
    ['no path', { before: 'routing', below: 'pages/' }],
    ['capital letters', { before: 'routing', below: '/Pages' }],
    ['a place without paths', { before: 'handler', below: '/pages' }],
    ['nothing, which would open the whole server', { before: 'cors' }],
  ] as const)
    it(`is refused below ${says}`, async () => {
      const plugin = definePlugin({
        name: 'below',
        middleware: [{ ...placed, run: () => (_: unknown, next: () => Promise<void>) => next() }],
      })
      await assert.rejects(createTestApp({ types, plugins: [plugin] }), {
        message:
          /plugin below: its middleware before \w+ is below ("[/\w]+"|missing); expected a path in small letters such as "\/pages", which only those/,
      })
    })
  it('can change what is routed, before the routing', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    await app.entries('api::note.note').create({ text: 'a' })
    assert.equal((await app.inject('/old/notes/1')).json().data.id, 1)
    await app.close()
  })
  it('can refuse, in the one form of all errors', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    for (const place of ['authentication', 'handler']) {
      order.length = 0
      const response = await app.inject({ url: '/api/notes', headers: { 'x-stop': place } })
      assert.equal(response.statusCode, 403)
      assert.equal(response.json().error.message, `stopped before ${place}`)
      assert.equal(order.includes('authenticate'), place === 'handler')
    }
    await app.close()
  })
  it('before the handler is not reached by who may not go there', async () => {
    const app = await createTestApp({ types, plugins: [plugin], config: { api: { rest: { public: [] } } } })
    order.length = 0
    assert.equal((await app.inject('/api/notes')).statusCode, 403)
    assert.deepEqual(order, ['routing undefined', 'authentication GET /notes find', 'authenticate'])
    await app.close()
  })
  it('at a place that does not exist, or without a function, stops the start', async () => {
    const start = (middleware: object) =>
      createTestApp({ plugins: [{ name: 'clumsy', middleware: [middleware] } as never] })
    const run = () => () => undefined
    await assert.rejects(
      start({ before: 'route', run }),
      /plugin clumsy: its middleware stands before "route"; expected one of cors, routing, authentication, handler/,
    )
    await assert.rejects(
      start({ before: 'handler' }),
      /the "run" of its middleware before handler is null; expected a f/,
    )
    await assert.rejects(
      start({ before: 'routing', run: () => undefined }),
      /"run" of its middleware before routing gives undefined; expected a function \(ctx, next\)/,
    )
  })
})

describe('routes', () => {
  const plugin = definePlugin({
    name: 'extras',
    register: () => ({ sum: (a: number, b: number) => a + b }),
    authenticate: ({ headers }) =>
      headers['x-key']
        ? { scope: 'key', can: (action, uid) => `${uid}.${action}` === String(headers['x-key']) }
        : undefined,
    formats: {
      bare: {
        entry: 'plain',
        one: entry => entry,
        many: entries => entries,
        error: ({ message }) => ({ oops: message }),
      },
    },
    routes: [
      {
        method: 'GET',
        path: '/sum/:a',
        action: 'sum',
        run: ({ params, query, service }) => ({ sum: service.sum(Number(params.a), Number(query.b)) }),
      },
      { method: 'POST', path: '/echo', action: null, run: ({ body }) => body },
      { method: 'GET', path: '/notes/count', action: 'find', uid: 'api::note.note', run: () => ({ count: 0 }) },
      {
        method: 'GET',
        path: '/fails',
        action: null,
        format: 'bare',
        run: () => {
          throw new ForbiddenError('no')
        },
      },
      {
        method: 'GET',
        path: '/breaks',
        action: null,
        run: () => {
          throw new Error('inside')
        },
      },
      { method: 'DELETE', path: '/nothing', action: null, run: () => undefined },
      {
        method: 'GET',
        path: '/raw',
        action: null,
        run: ({ ctx }) => {
          ctx.body = 'text'
          ctx.type = 'text/plain'
        },
      },
    ],
  })
  const app = () => createTestApp({ types, plugins: [plugin], config: { api: { rest: { public: [] } } } })

  it('pass the gate under their own action name', async () => {
    const server = await app()
    const status = async (url: string, key: string) =>
      (await server.inject({ url, headers: { 'x-key': key } })).statusCode
    assert.equal(await status('/api/sum/1?b=2', 'plugin::extras.sum'), 200)
    assert.equal(await status('/api/sum/1?b=2', 'plugin::extras.other'), 403)
    assert.equal((await server.inject('/api/sum/1')).statusCode, 403)
    assert.equal(await status('/api/notes/count', 'api::note.note.find'), 200)
    await server.close()
  })
  it('get their parameters, query, body and service', async () => {
    const server = await app()
    assert.deepEqual(
      (await server.inject({ url: '/api/sum/1?b=2', headers: { 'x-key': 'plugin::extras.sum' } })).json(),
      { sum: 3 },
    )
    assert.deepEqual((await server.inject({ method: 'POST', url: '/api/echo', payload: { a: [1] } })).json(), {
      a: [1],
    })
    await server.close()
  })
  it('answer nothing, text, or an error in the format they choose', async () => {
    const server = await app()
    assert.equal((await server.inject({ method: 'DELETE', url: '/api/nothing' })).statusCode, 204)
    const raw = await server.inject('/api/raw')
    assert.deepEqual([raw.payload, raw.statusCode], ['text', 200])
    assert.deepEqual((await server.inject('/api/fails')).json(), { oops: 'no' })
    const broken = await server.inject('/api/breaks')
    assert.equal(broken.statusCode, 500)
    assert.doesNotMatch(broken.payload, /inside/)
    await server.close()
  })
  it('stand before those of the content types', async () => {
    const server = await createTestApp({ types, plugins: [plugin] })
    assert.deepEqual((await server.inject('/api/notes/count')).json(), { count: 0 })
    assert.equal((await server.inject('/api/notes/1')).statusCode, 404)
    await server.close()
  })
})

describe('health', () => {
  it('is ready while every check is true; a sentence says what is wrong', async () => {
    let said: true | string = true
    const plugin = definePlugin({ name: 'mailer', checks: [{ ready: () => said }] })
    const failing = definePlugin({
      name: 'failing',
      register: () => ({ down: false }),
      checks: [
        {
          ready: ({ down }) => {
            if (down) throw new Error('unreachable')
            return true
          },
        },
      ],
    })
    const app = await createTestApp({ plugins: [plugin, failing] })
    assert.deepEqual((await app.inject('/_health/ready')).json(), { ready: true, problems: [] })
    said = 'the mail server does not answer'
    const response = await app.inject('/_health/ready')
    assert.equal(response.statusCode, 503)
    assert.deepEqual(response.json(), { ready: false, problems: ['mailer: the mail server does not answer'] })
    await app.close()
  })
  it('a check that throws is a problem, not an error of the server', async () => {
    const plugin = definePlugin({
      name: 'mailer',
      checks: [
        {
          ready: () => {
            throw new Error('secret host')
          },
        },
      ],
    })
    const app = await createTestApp({ plugins: [plugin] })
    const response = await app.inject('/_health/ready')
    assert.equal(response.statusCode, 503)
    assert.deepEqual(response.json().problems, ['mailer: its check failed'])
    await app.close()
  })
})

describe('commands', () => {
  it('are typed, and get what was written behind them and the service', async () => {
    const said: string[] = []
    const plugin = definePlugin({
      name: 'greeter',
      register: () => ({ greet: (name: string) => `hello ${name}` }),
      commands: [
        {
          name: 'greet',
          describe: 'says hello',
          run: ({ args: [name = 'nobody'] }, { greet }) => void said.push(greet(name)),
        },
      ],
    })
    const app = await createTestApp({ plugins: [plugin] })
    const [command] = app.commands
    const print = () => undefined
    command?.run({ args: ['you'], options: {}, json: false, interactive: false, print, table: print })
    await app.close()
    assert.deepEqual(said, ['hello you'])
  })
})

onEveryEngine('once', engine => {
  it('runs a step once in the life of a database, in a transaction with its record', async () => {
    const database = await engine.fresh()
    let runs = 0
    const plugin = (fail = false) =>
      definePlugin({
        name: 'filler',
        register: ({ entries }: Host) => ({ entries }),
        once: [
          {
            name: 'fill',
            run: async (session, { entries }) => {
              runs += 1
              await entries('api::note.note', session).create({ text: 'filled' })
              if (fail) throw new Error('half way')
            },
          },
        ],
      })
    const start = (fail?: boolean) =>
      createTestApp({ types, plugins: [plugin(fail)], config: { database: database.database as never } })
    await assert.rejects(start(true), /half way/)
    const first = await start()
    assert.equal(await first.entries('api::note.note').count(), 1)
    await first.close()
    const second = await start()
    assert.equal(await second.entries('api::note.note').count(), 1)
    await second.close()
    assert.equal(runs, 2)
    await database.drop()
  })
})
