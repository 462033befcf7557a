import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import { smallApp } from './support.js'

const types = { tag: { attributes: { name: { type: 'string' } } }, item: { attributes: { name: { type: 'string' } } } }
const says = (text: string) => () => ({ says: text })
const open = { auth: false }

const one = async (routes: Bag, more: Bag = {}) =>
  smallApp({ apis: () => ({ pipe: { routes, controllers: { pipe: { show: says('show') } } } }), ...more }, { types })

describe('routes of the code', () => {
  it('are below the prefix of the API and of their file; a plain list is at the root', async () => {
    const { ask } = await one({
      a: {
        type: 'admin',
        routes: [{ method: 'GET', path: '/plain', handler: says('plain'), config: { ...open, prefix: '/no' } }],
      },
      b: { prefix: '/pre', routes: [{ method: 'GET', path: '/x', handler: 'pipe.show', config: open }] },
      c: [{ method: 'GET', path: '/fifth', handler: 'api::pipe.pipe.show', config: open }],
      d: {},
    })
    for (const [url, found] of [
      ['/api/plain', 'plain'],
      ['/api/pre/x', 'show'],
      ['/fifth', 'show'],
    ])
      assert.deepEqual((await ask(url as string)).body, { says: found })
    for (const url of ['/api/x', '/api/fifth', '/api/no/plain']) assert.equal((await ask(url)).status, 404)
  })

  it('answer in the order of APIs, files and lists', async () => {
    const { ask } = await smallApp(
      {
        apis: ({ factories }) => ({
          item: {
            routes: { item: factories.createCoreRouter('api::item.item') },
            controllers: { item: factories.createCoreController('api::item.item') },
          },
          pipe: {
            routes: {
              pipe: {
                routes: [
                  { method: 'GET', path: '/tags', handler: says('pipe'), config: open },
                  { method: 'GET', path: '/items/special', handler: says('never'), config: open },
                  { method: 'GET', path: '/items/:id(\\d+)/num', handler: says('number'), config: open },
                  { method: 'ALL', path: '/all', handler: (ctx: Loose) => ({ says: ctx.method }), config: open },
                ],
              },
            },
          },
          tag: {
            routes: {
              '01-own': { routes: [{ method: 'GET', path: '/tags/:name/own', handler: says('own'), config: open }] },
              tag: factories.createCoreRouter('api::tag.tag', { except: ['delete', 'update'] }),
              'z-late': { routes: [{ method: 'GET', path: '/tags/late', handler: says('late'), config: open }] },
            },
            controllers: { tag: factories.createCoreController('api::tag.tag') },
          },
        }),
      },
      { types },
    )
    const read = async (url: string, method = 'GET') => {
      const { status, body, headers } = await ask(url, { method })
      return status === 405 ? headers.allow : (body.says ?? status)
    }
    assert.equal(await read('/api/tags'), 'pipe')
    assert.equal(await read('/api/tags/x/own'), 'own')
    assert.equal(await read('/api/tags/late'), 404)
    assert.equal(await read('/api/items/special'), 404)
    assert.equal(await read('/api/items/12/num'), 'number')
    assert.equal(await read('/api/items/x/num'), 404)
    assert.equal(await read('/api/all', 'PATCH'), 'PATCH')
    assert.equal(await read('/api/tags/1', 'PUT'), 'HEAD, GET')
    assert.equal(await read('/api/tags/1', 'DELETE'), 'HEAD, GET')
  })

  it('may be a router with getters around one of a factory', async () => {
    const { ask } = await smallApp(
      {
        apis: ({ factories }) => {
          const inner = factories.createCoreRouter('api::tag.tag', { prefix: '/in', only: ['find'] })
          const extra = [{ method: 'GET', path: '/more', handler: 'tag.more', config: open }]
          return {
            tag: {
              routes: {
                tag: {
                  get prefix() {
                    return inner.prefix
                  },
                  get routes() {
                    return extra.concat(inner.routes)
                  },
                },
              },
              controllers: { tag: factories.createCoreController('api::tag.tag', { more: says('more') }) },
            },
          }
        },
      },
      { types },
    )
    assert.deepEqual((await ask('/api/in/more')).body, { says: 'more' })
    assert.equal((await ask('/api/in/tags')).status, 200)
    assert.equal((await ask('/api/tags')).status, 404)
  })

  it('run middlewares of the handler list before the handler', async () => {
    const first = (ctx: Loose, next: Loose) => {
      ctx.state.steps = ['first']
      return next()
    }
    const { ask } = await one({
      a: {
        routes: [{ method: 'GET', path: '/list', handler: [first, (ctx: Loose) => ctx.state.steps], config: open }],
      },
    })
    assert.deepEqual((await ask('/api/list')).body, ['first'])
  })

  it('tell the code what they are', async () => {
    const { ask } = await one(
      {
        a: {
          routes: [
            { method: 'GET', path: '/who', handler: 'pipe.who' },
            { method: 'GET', path: '/open', handler: 'pipe.who', config: open },
          ],
        },
      },
      {
        apis: () => ({
          pipe: {
            routes: {
              a: {
                routes: [
                  { method: 'GET', path: '/who/:id', handler: 'pipe.who', config: { own: 1 } },
                  { method: 'GET', path: '/open', handler: 'pipe.who', config: open },
                ],
              },
            },
            controllers: {
              pipe: {
                who: (ctx: Loose) => ({
                  route: ctx.state.route,
                  params: ctx.params,
                  is: ctx.state.isAuthenticated ?? null,
                  body: ctx.request.body,
                }),
              },
            },
          },
        }),
      },
    )
    assert.deepEqual((await ask('/api/who/3')).body, {
      route: {
        method: 'GET',
        path: '/who/:id',
        handler: 'pipe.who',
        config: { own: 1, auth: { scope: ['api::pipe.pipe.who'] } },
        info: { apiName: 'pipe', type: 'content-api' },
      },
      params: { id: '3' },
      is: true,
      body: {},
    })
    assert.deepEqual((await ask('/api/open')).body.is, null)
  })
})

describe('what a route names and the project lacks', () => {
  const cases: readonly { says: string; route: Bag; error: RegExp }[] = [
    {
      says: 'a handler',
      route: { handler: 'pipe.nope' },
      error: /Error creating endpoint GET \/x: Handler not found "pipe.nope"/,
    },
    {
      says: 'a controller',
      route: { handler: 'other.a' },
      error: /GET \/x: Cannot read properties of undefined \(reading 'a'\)/,
    },
    { says: 'a policy', route: { config: { policies: ['nope'] } }, error: /GET \/x: Could not find policy "nope"/ },
    {
      says: 'a middleware',
      route: { config: { middlewares: ['global::nope'] } },
      error: /GET \/x: Middleware global::nope not found\./,
    },
    { says: 'a method', route: { method: 'get' }, error: /GET, POST, PUT, PATCH, DELETE, ALL/ },
  ]
  for (const { says, route, error } of cases)
    it(`${says} stops the start`, async () => {
      const given = { method: 'GET', path: '/x', handler: 'pipe.show', ...route }
      await assert.rejects(one({ a: { routes: [given] } }), error)
    })

  it('a global middleware does', async () => {
    await assert.rejects(
      one({}, { config: { middlewares: ['strapi::errors', 'global::not-there'] } }),
      /Middleware global::not-there not found\./,
    )
  })
})

describe('policies and middlewares of a route', () => {
  const guarded = (config: Bag, more: Bag = {}) =>
    one(
      {
        a: {
          routes: [
            {
              method: 'GET',
              path: '/x',
              handler: (ctx: Loose) => ({ steps: ctx.state.steps }),
              config: { ...open, ...config },
            },
          ],
        },
      },
      more,
    )
  const forbidden = { data: null, error: { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} } }

  for (const value of [true, undefined])
    it(`a policy that returns ${value} lets the request pass`, async () => {
      const { ask } = await guarded({ policies: [() => value] })
      assert.equal((await ask('/api/x')).status, 200)
    })
  for (const value of [false, null, 0, 1, 'x', {}])
    it(`a policy that returns ${JSON.stringify(value)} refuses it`, async () => {
      const { ask } = await guarded({ policies: [() => value] })
      const { status, body } = await ask('/api/x')
      assert.deepEqual([status, body], [403, forbidden])
    })

  it('policies see the parts of ctx alone', async () => {
    let seen: Loose
    const { ask } = await guarded({
      policies: [
        (policyContext: Loose, config: Loose) => {
          const { query, body, method, throw: thrown, request, type, params, state } = policyContext
          seen = {
            query,
            body,
            method,
            thrown,
            asked: request.query,
            type,
            params,
            config,
            is: policyContext.is('koa'),
          }
          state.steps = ['policy']
        },
      ],
    })
    assert.deepEqual((await ask('/api/x?a[b]=1')).body, { steps: ['policy'] })
    assert.deepEqual(seen, {
      query: undefined,
      body: undefined,
      method: undefined,
      thrown: undefined,
      asked: { a: { b: '1' } },
      type: 'koa',
      params: {},
      config: {},
      is: true,
    })
  })

  it('are found by their names, with their settings', async () => {
    const step = (name: string) => (config: Loose) => (ctx: Loose, next: Loose) => {
      ctx.state.steps = [...(ctx.state.steps ?? []), name, config]
      return next()
    }
    const { ask } = await guarded(
      {
        policies: ['global::yes', { name: 'global::yes', config: { a: 1 } }],
        middlewares: ['global::step', { name: 'global::step', config: { b: 2 } }],
      },
      {
        policies: {
          yes: (ctx: Loose, config: Loose) =>
            void Object.assign(ctx.state, { steps: [...(ctx.state.steps ?? []), 'yes', config] }),
        },
        middlewares: { step: step('step') },
      },
    )
    assert.deepEqual((await ask('/api/x')).body.steps, ['yes', {}, 'yes', { a: 1 }, 'step', {}, 'step', { b: 2 }])
  })
})

describe('global middlewares', () => {
  const steps: string[] = []
  const step = (config: Bag) => async (ctx: Loose, next: Loose) => {
    steps.push(`>${config.name}`)
    await next()
    steps.push(`<${config.name} ${ctx.status} ${ctx.body === undefined ? 'empty' : 'body'}`)
    if (ctx.body?.says) ctx.body.more = config.name
    if (ctx.body?.error) ctx.body.error.message += '!'
  }
  const app = (middlewares: Loose) =>
    smallApp(
      {
        config: { middlewares },
        middlewares: { step },
        apis: ({ factories, utils }) => ({
          pipe: {
            routes: {
              pipe: {
                routes: [
                  { method: 'GET', path: '/ok', handler: says('ok'), config: open },
                  { method: 'GET', path: '/none', handler: () => null, config: open },
                  { method: 'GET', path: '/no', handler: 'pipe.no' },
                  {
                    method: 'GET',
                    path: '/bad',
                    handler: () => {
                      throw new utils.errors.ApplicationError('bad', { d: 1 })
                    },
                    config: open,
                  },
                ],
              },
              tag: factories.createCoreRouter('api::tag.tag', { only: ['find'] }),
            },
            controllers: { pipe: { no: says('no') } },
          },
          tag: { controllers: { tag: factories.createCoreController('api::tag.tag') } },
        }),
      },
      { types, config: { api: { rest: { public: ['api::tag.tag.find'], dialect: 'strapi4' } } } },
    )
  const run = async (small: Loose, url: string) => {
    steps.splice(0)
    const { status, body } = await small.ask(url)
    return { status, body, steps: [...steps] }
  }
  const named = (name: string) => ({ name: 'global::step', config: { name } })

  it('see what the server answers, in their order, and may change it', async () => {
    const small = await app(['strapi::errors', named('a'), 'strapi::body', named('b')])
    const ok = await run(small, '/api/ok')
    assert.deepEqual(ok, {
      status: 200,
      body: { says: 'ok', more: 'a' },
      steps: ['>a', '>b', '<b 200 body', '<a 200 body'],
    })
    const none = await run(small, '/api/none')
    assert.deepEqual(
      [none.status, none.body.error.message, none.steps.slice(2)],
      [404, 'Not Found', ['<b 404 empty', '<a 404 empty']],
    )
    assert.deepEqual((await run(small, '/nowhere')).steps.slice(2), ['<b 404 empty', '<a 404 empty'])
    const no = await run(small, '/api/no')
    assert.deepEqual([no.status, no.body.error.message], [403, 'Forbidden!!'])
    const bad = await run(small, '/api/bad')
    assert.deepEqual([bad.status, bad.body.error.message, bad.steps], [400, 'bad', ['>a', '>b']])
    assert.deepEqual((await run(small, '/api/tags')).body.data, [])
  })

  it('before strapi::errors see errors as responses', async () => {
    const small = await app([named('a'), 'strapi::errors', named('b')])
    const bad = await run(small, '/api/bad')
    assert.deepEqual(
      [bad.status, bad.body.error, bad.steps],
      [400, { status: 400, name: 'ApplicationError', message: 'bad!', details: { d: 1 } }, ['>a', '>b', '<a 400 body']],
    )
  })
})

describe('bodies', () => {
  const echo = (ctx: Loose) => ({ body: ctx.request.body, files: ctx.request.files ?? null })
  const routes = ['POST', 'GET', 'DELETE'].map(method => ({ method, path: '/echo', handler: echo, config: open }))
  const form = (parts: readonly string[]) => ({
    method: 'POST',
    payload: `${parts.map(part => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })

  it('are objects, texts or forms', async () => {
    const { ask } = await one({ a: { routes } })
    const body = async (options: Loose) => (await ask('/api/echo', options)).body.body
    assert.deepEqual(await body({ method: 'POST', payload: { a: 1 } }), { a: 1 })
    const typed = (type: string, payload: string) => ({ method: 'POST', payload, headers: { 'content-type': type } })
    assert.deepEqual(await body(typed('application/x-www-form-urlencoded', 'a=1&b=2')), { a: '1', b: '2' })
    assert.equal(await body(typed('text/plain', 'hello')), 'hello')
    assert.deepEqual(await body({ method: 'POST' }), {})
    assert.deepEqual(await body({ method: 'GET' }), {})
    assert.deepEqual(await body({ method: 'DELETE' }), {})
    assert.equal((await ask('/api/echo', typed('application/json', '{'))).status, 400)
  })

  it('of forms have fields as texts and files by their names', async () => {
    const { ask } = await one({ a: { routes } })
    const { body } = await ask(
      '/api/echo',
      form([
        'name="data"\r\n\r\n{"a":1}',
        'name="n"\r\n\r\n1',
        'name="n"\r\n\r\n2',
        'name="files.x"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello',
        'name="files.y"; filename="b.txt"\r\nContent-Type: text/plain\r\n\r\nb',
        'name="files.y"; filename="c.txt"\r\nContent-Type: text/plain\r\n\r\nc',
      ]),
    )
    assert.deepEqual(body.body, { data: '{"a":1}', n: ['1', '2'] })
    const { name, type, size, path } = body.files['files.x']
    assert.deepEqual([name, type, size, typeof path], ['a.txt', 'text/plain', 5, 'string'])
    assert.deepEqual(
      body.files['files.y'].map((file: Bag) => file.name),
      ['c.txt', 'b.txt'],
    )
    assert.equal((await ask('/api/echo', form(['name="n"\r\n\r\n1']))).body.files, null)
  })

  it('are there for global middlewares from strapi::body on, and what those make of them for every route', async () => {
    const seen: Loose[] = []
    const look = (config: Bag) => (ctx: Loose, next: Loose) => {
      seen.push(ctx.request.body)
      if (config.set) ctx.request.body = { data: { name: 'set' } }
      return next()
    }
    const named = (config: Bag) => ({ name: 'global::look', config })
    const small = await smallApp(
      {
        config: { middlewares: ['strapi::errors', named({}), 'strapi::body', named({ set: true })] },
        middlewares: { look },
        apis: ({ factories }) => ({
          pipe: { routes: { pipe: { routes } } },
          tag: {
            routes: { tag: factories.createCoreRouter('api::tag.tag') },
            controllers: { tag: factories.createCoreController('api::tag.tag') },
          },
        }),
      },
      { types },
    )
    assert.deepEqual((await small.ask('/api/echo', { method: 'POST', payload: { sent: 1 } })).body.body, {
      data: { name: 'set' },
    })
    assert.deepEqual(seen, [undefined, { sent: 1 }])
    const made = await small.ask('/api/tags', { method: 'POST', payload: { data: { name: 'sent' } } })
    assert.deepEqual([made.status, made.body.data.attributes.name], [200, 'set'])
  })

  it('keep their places and their permissions from what plugins of the server add to the type', async () => {
    const drafts = { attributes: { name: { type: 'string' } }, options: { draftAndPublish: true } }
    const served = async (routes: Bag[]) => {
      const controllers = { tag: { publish: says('own publish'), unpublish: says('own unpublish') } }
      const options = { types: { tag: drafts, pipe: { attributes: {} } }, plugins: [draftAndPublish] }
      const { app, ask } = await smallApp(
        { apis: () => ({ tag: { routes: { tag: { routes } }, controllers } }) },
        options,
      )
      const { id } = await app.entries('api::tag.tag').create({ name: 'a', publishedAt: null })
      return async (action: string) => {
        const { status, body } = await ask(`/api/tags/${id}/${action}`, { method: 'POST' })
        return body?.says ?? status
      }
    }
    const usual = await served([])
    assert.deepEqual([await usual('actions/publish'), await usual('actions/unpublish')], [200, 200])
    const placed = await served([{ method: 'POST', path: '/tags/:id/actions/publish', handler: 'tag.publish' }])
    assert.deepEqual([await placed('actions/publish'), await placed('actions/unpublish')], ['own publish', 200])
    const permitted = await served([{ method: 'POST', path: '/tags/:id/send', handler: 'tag.publish' }])
    assert.deepEqual([await permitted('send'), await permitted('actions/publish')], ['own publish', 405])
    assert.equal(await permitted('actions/unpublish'), 200)
  })
})
