import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import { type SmallCode, smallApp } from './support.js'

const types = {
  note: {
    attributes: {
      text: { type: 'string' },
      secret: { type: 'string', private: true },
      owner: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner' },
    },
  },
  owner: { attributes: { name: { type: 'string' } } },
  home: { kind: 'singleType', attributes: { title: { type: 'string' } } },
}
const uid = 'api::note.note'

type Parts = { factories: Bag; utils: Bag; strapi: Loose }

/** An app with three notes whose API has a router of the factory and these parts. */
async function notes(
  parts: (given: Parts) => Partial<Record<'routes' | 'controllers' | 'services', Bag>>,
  more: SmallCode = {},
) {
  const small = await smallApp(
    {
      ...more,
      apis: given => ({
        note: {
          routes: { note: given.factories.createCoreRouter(uid) },
          controllers: { note: given.factories.createCoreController(uid) },
          services: { note: given.factories.createCoreService(uid) },
          ...parts(given),
        },
      }),
    },
    { types },
  )
  const owner = await small.app.entries('api::owner.owner').create({ name: 'Ada' })
  for (const text of ['one', 'two', 'three'])
    await small.app.entries(uid).create({ text, secret: 's', owner: owner.id })
  return small
}

const texts = (body: Loose) => body.data.map((entry: Loose) => entry.attributes.text)

describe('a core controller', () => {
  it('answers as the engine does where no code stands between', async () => {
    const { ask } = await notes(() => ({}))
    const { status, body } = await ask('/api/notes?sort=text&pagination[pageSize]=2&filters[text][$ne]=one')
    assert.equal(status, 200)
    assert.deepEqual(texts(body), ['three', 'two'])
    assert.deepEqual(body.meta.pagination, { page: 1, pageSize: 2, pageCount: 1, total: 2 })
    assert.equal((await ask('/api/notes/2')).body.data.attributes.text, 'two')
    assert.equal((await ask('/api/notes/9')).status, 404)
    assert.equal((await ask('/api/notes?filters[nope]=1')).body.error.message, 'Invalid parameter nope')
  })

  it('gives what super gives as objects that may be changed', async () => {
    const { ask } = await notes(({ factories }) => ({
      controllers: {
        note: factories.createCoreController(uid, () => ({
          async find(ctx: Loose) {
            const first = await super.find(ctx)
            const { data, meta } = await super.find(ctx)
            data[0].attributes.text = 'changed'
            return { data, meta: { ...meta, same: first.data[0].attributes.text } }
          },
          async findOne(this: Loose, ctx: Loose) {
            return { found: await super.findOne(ctx), own: Object.keys(this).sort() }
          },
        })),
      },
    }))
    const { body } = await ask('/api/notes?sort=id')
    assert.deepEqual(texts(body), ['changed', 'two', 'three'])
    assert.equal(body.meta.same, 'one')
    assert.deepEqual((await ask('/api/notes/9')).body, {
      found: null,
      own: ['create', 'delete', 'find', 'findOne', 'update'],
    })
  })

  it('asks what the code has made of the query', async () => {
    const { ask } = await notes(({ factories }) => ({
      controllers: {
        note: factories.createCoreController(uid, () => ({
          async find(ctx: Loose) {
            if (ctx.query.how === 'set')
              ctx.query = { ...ctx.query, filters: { id: 2 }, n: 1, yes: true, no: null, none: [] }
            else if (ctx.query.how === 'in place') ctx.query.filters = { id: { $in: [1, 3] } }
            else ctx.request.query = { sort: ['text:desc'] }
            const { data } = await super.find(ctx)
            return { ids: data.map(({ id }: Bag) => id), query: ctx.query, text: ctx.querystring }
          },
        })),
      },
    }))
    const set = (await ask('/api/notes?how=set')).body
    assert.deepEqual(set.ids, [2])
    assert.deepEqual(set.query, { how: 'set', filters: { id: '2' }, n: '1', yes: 'true', no: '' })
    assert.match(set.text, /filters%5Bid%5D=2&n=1/)
    const inPlace = (await ask('/api/notes?how=in%20place')).body
    assert.deepEqual([inPlace.ids, inPlace.text], [[1, 3], 'how=in%20place'])
    assert.deepEqual(inPlace.query.filters, { id: { $in: [1, 3] } })
    assert.deepEqual((await ask('/api/notes')).body.ids, [2, 3, 1])
  })

  it('calls a service that the code has overridden', async () => {
    const calls: Loose[] = []
    const entityService = {
      findMany: async (...given: Loose[]) => {
        calls.push(given)
        return [{ id: 7, text: 'from the service', secret: 's', owner: { id: 1, name: 'Ada' }, extra: 1 }]
      },
      count: async () => 31,
    }
    const { ask } = await notes(
      ({ factories }) => ({
        services: {
          note: factories.createCoreService(uid, () => ({
            async find(params: Bag) {
              const { results, pagination } = await super.find(params)
              return { results: results.map((one: Bag) => ({ ...one, more: true })), pagination }
            },
          })),
        },
      }),
      { entityService },
    )
    const { body } = await ask('/api/notes?filters[text]=x&filters[secret]=s&populate=owner&pagination[start]=10')
    assert.equal(body.error.message, 'Invalid parameter secret')
    const { body: found } = await ask('/api/notes?filters[text]=x&populate=owner&pagination[start]=10')
    assert.deepEqual(found, {
      data: [
        {
          id: 7,
          attributes: {
            text: 'from the service',
            owner: { data: { id: 1, attributes: { name: 'Ada' } } },
            extra: 1,
            more: true,
          },
        },
      ],
      meta: { pagination: { start: 10, limit: 25, total: 31 } },
    })
    assert.deepEqual(calls[0], [
      uid,
      {
        publicationState: 'live',
        filters: { text: 'x' },
        populate: 'owner',
        pagination: { start: '10' },
        start: 10,
        limit: 25,
      },
    ])
  })

  it('goes the way of the code where an event is heard', async () => {
    const entityService = { findOne: async () => ({ id: 1, text: 'heard' }) }
    const { ask } = await notes(() => ({}), { entityService, heard: [`${uid} findOne`] })
    assert.equal((await ask('/api/notes/1')).body.data.attributes.text, 'heard')
  })

  it('serves a single type', async () => {
    const home = 'api::home.home'
    const small = await smallApp(
      {
        apis: ({ factories }) => ({
          home: {
            routes: { home: factories.createCoreRouter(home) },
            controllers: {
              home: factories.createCoreController(home, () => ({
                async find(ctx: Loose) {
                  return (await super.find(ctx)) ?? { empty: true }
                },
              })),
            },
          },
        }),
      },
      { types },
    )
    assert.deepEqual((await small.ask('/api/home')).body, { empty: true })
    await small.app.entries(home).create({ title: 'Welcome' })
    assert.equal((await small.ask('/api/home')).body.data.attributes.title, 'Welcome')
  })

  it('refuses a query that is too much for the engine as the engine does', async () => {
    const { ask } = await notes(() => ({}))
    assert.equal((await ask('/api/notes?pagination[page]=x')).status, 400)
  })
})

describe('routes without a caller', () => {
  it('show no relations, whatever visitors may find', async () => {
    const { ask } = await notes(({ factories, strapi }) => ({
      routes: { note: factories.createCoreRouter(uid, { config: { find: { auth: false } } }) },
      controllers: {
        note: factories.createCoreController(uid, () => ({
          async findOne(this: Loose, ctx: Loose) {
            return {
              user: ctx.state.user ?? null,
              auth: ctx.state.auth.strategy.name,
              in: strapi.requestContext.get() === ctx,
            }
          },
        })),
      },
    }))
    const { body } = await ask('/api/notes?populate=owner&sort=id', { headers: { authorization: 'Bearer garbage' } })
    assert.deepEqual(Object.keys(body.data[0].attributes), ['text', 'createdAt', 'updatedAt'])
    assert.equal((await ask('/api/notes?filters[owner][name]=Ada')).body.error.message, 'Invalid parameter owner')
    assert.deepEqual((await ask('/api/notes/1')).body, { user: null, auth: 'users-permissions', in: true })
  })
})
