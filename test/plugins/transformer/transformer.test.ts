import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../core/index.js'
import { openapi } from '../../../plugins/openapi/index.js'
import { patch } from '../../../plugins/patch/index.js'
import { queryBody } from '../../../plugins/query-body/index.js'
import { transformer } from '../../../plugins/transformer/index.js'
import { v5Format } from '../../../plugins/v5-format/index.js'

const string = { type: 'string' }
const types = {
  author: {
    attributes: {
      name: string,
      items: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'author' },
    },
  },
  item: {
    attributes: {
      title: string,
      data: string,
      facts: { type: 'json' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'items' },
      seo: { type: 'component', component: 'shared.seo' },
      zone: { type: 'dynamiczone', components: ['shared.seo'] },
    },
  },
  front: { kind: 'singleType', attributes: { title: string } },
  plain: { attributes: { title: string }, options: { format: 'v5' } },
}
const components = {
  'shared.seo': {
    attributes: { about: string, by: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' } },
  },
}
const facts = { data: { attributes: { kept: true } } }
const both = { responseTransforms: { removeAttributesKey: true, removeDataKey: true } }
const wrapping = { ...both, requestTransforms: { wrapBodyWithDataKey: true } }
const ignoring = { 'strapi-transformer-ignore': 'true' }

async function serve(settings: object, config: object = {}): Promise<TestApp> {
  const app = await createTestApp({
    ...{ types, components, config },
    plugins: [openapi, queryBody, patch, v5Format, [transformer, settings as Record<string, unknown>]],
  })
  onTestFinished(() => app.close())
  const author = await app.entries('api::author.author').create({ name: 'Ann' })
  await app.entries('api::item.item').create({
    ...{ title: 'first', facts, author: author.id, seo: { about: 's', by: author.id } },
    zone: [{ __component: 'shared.seo', about: 'z', by: author.id }],
  })
  await app.entries('api::item.item').create({ title: 'second' })
  await app.entries('api::front.front').create({ title: 'front' })
  await app.entries('api::plain.plain').create({ title: 'plain' })
  return app
}

const ask = async (app: TestApp, url: string, headers = {}) => (await app.inject({ url: `/api${url}`, headers })).json()
const chosen =
  'fields[0]=title&fields[1]=facts&populate[author][fields][0]=name&populate[seo][populate][by][fields]=name&populate[zone][on][shared.seo][populate][by][fields]=name'
const one = `/items/1?${chosen}`

describe('responses', () => {
  it('have no attributes and no data around relations where both are removed', async () => {
    const app = await serve(both)
    const { data, meta } = await ask(app, one)
    const ann = { id: 1, name: 'Ann' }
    assert.deepEqual([data.id, data.title, data.author, meta], [1, 'first', ann, {}])
    assert.deepEqual(data.facts, facts, 'the JSON of an attribute stays as it is')
    assert.deepEqual(data.seo, { id: data.seo.id, about: 's', by: ann })
    assert.deepEqual([data.zone[0].__component, data.zone[0].by.name], ['shared.seo', 'Ann'])
    const list = await ask(app, '/items?populate=author&sort=title:desc')
    assert.deepEqual(
      list.data.map(({ title, author }: { title: string; author: unknown }) => [title, author]),
      [
        ['second', null],
        ['first', { ...ann, createdAt: list.data[1].author.createdAt, updatedAt: list.data[1].author.updatedAt }],
      ],
    )
    assert.deepEqual(list.meta.pagination.total, 2)
    const [author] = (await ask(app, '/authors?populate=items')).data
    assert.deepEqual(
      author.items.map(({ id }: { id: number }) => id),
      [1],
    )
    const counted = await ask(app, '/authors?populate[items][count]=true')
    assert.deepEqual(counted.data[0].items, { count: 1 })
    assert.equal((await ask(app, '/front')).data.title, 'front')
  })

  it('have no attributes where these alone are removed', async () => {
    const app = await serve({ responseTransforms: { removeAttributesKey: true } })
    const { data } = await ask(app, one)
    const ann = { data: { id: 1, name: 'Ann' } }
    assert.deepEqual([data.id, data.title, data.author, data.seo.by, data.facts], [1, 'first', ann, ann, facts])
    assert.deepEqual((await ask(app, '/items/2?populate=author')).data.author, { data: null })
    const [author] = (await ask(app, '/authors?populate[items][fields]=title')).data
    assert.deepEqual(author.items, { data: [{ id: 1, title: 'first' }] })
    assert.deepEqual((await ask(app, '/authors?populate[items][count]=true')).data[0].items, { data: { count: 1 } })
  })

  it('have no data around relations where that alone is removed', async () => {
    const app = await serve({ responseTransforms: { removeDataKey: true } })
    const { data } = await ask(app, one)
    const ann = { id: 1, attributes: { name: 'Ann' } }
    assert.deepEqual(Object.keys(data), ['id', 'attributes'])
    const { attributes } = data
    assert.deepEqual(
      [attributes.title, attributes.author, attributes.seo.by, attributes.facts],
      ['first', ann, ann, facts],
    )
    assert.deepEqual((await ask(app, '/items/2?populate=author')).data.attributes.author, null)
    const [author] = (await ask(app, '/authors?populate[items][fields]=title')).data
    assert.deepEqual(author.attributes.items, [{ id: 1, attributes: { title: 'first' } }])
  })

  it('are the usual ones without settings, and where the request says so', async () => {
    const usual = await ask(await serve({}), one)
    assert.equal(usual.data.attributes.author.data.attributes.name, 'Ann')
    const app = await serve(both)
    const { headers } = await app.inject(`/api${one}`)
    assert.match(String(headers.vary), /Strapi-Transformer-Ignore/)
    assert.deepEqual((await ask(app, one, ignoring)).data, usual.data)
    assert.equal((await ask(app, one, { 'strapi-transformer-ignore': 'false' })).data.title, 'first')
    assert.equal((await ask(app, one, { 'strapi-response-format': 'v5' })).data.documentId, '1')
    assert.equal((await ask(app, '/plains/1')).data.documentId, '1', 'a type whose schema names a format keeps it')
  })

  it('leave errors as they are', async () => {
    const app = await serve(both)
    const { data, error } = await ask(app, '/items/9')
    assert.deepEqual([data, error.status, error.name], [null, 404, 'NotFoundError'])
  })

  it('are cached like others, each form by itself', async () => {
    const app = await serve(both)
    const tag = async (headers = {}) => (await app.inject({ url: `/api${one}`, headers })).headers.etag
    assert.equal(await tag(), await tag())
    assert.notEqual(await tag(), await tag(ignoring))
    const answer = await app.inject({ url: `/api${one}`, headers: { 'if-none-match': String(await tag()) } })
    assert.equal(answer.statusCode, 304)
  })

  it('are those of writes and of the routes of plugins as well', async () => {
    const app = await serve(both)
    const send = async (method: 'POST' | 'PUT' | 'PATCH' | 'QUERY' | 'DELETE', url: string, payload?: object) =>
      (await app.inject({ method, url: `/api${url}`, ...(payload && { payload }) })).json().data
    assert.equal((await send('POST', '/items?fields=title', { data: { title: 'third' } })).title, 'third')
    assert.equal((await send('PUT', '/items/3?fields=title', { data: { title: 'again' } })).title, 'again')
    assert.equal((await send('PATCH', '/items/3', { data: { title: 'more' } })).title, 'more')
    assert.equal((await send('QUERY', '/items', { filters: { title: 'more' } }))[0].title, 'more')
    assert.equal((await send('DELETE', '/items/3')).title, 'more')
  })
})

describe('bodies', () => {
  const send = async (app: TestApp, method: 'POST' | 'PUT', url: string, payload: object | string, headers = {}) => {
    const answer = await app.inject({ method, url: `/api${url}`, payload, headers })
    return { status: answer.statusCode, body: answer.json() }
  }

  it('may be the data themselves where the settings say so', async () => {
    const app = await serve(wrapping)
    const made = await send(app, 'POST', '/items?populate=author', { title: 'new', author: 1 })
    assert.deepEqual([made.status, made.body.data.title, made.body.data.author.name], [200, 'new', 'Ann'])
    assert.equal((await send(app, 'POST', '/items', { data: { title: 'old' } })).body.data.title, 'old')
    const both = await send(app, 'PUT', '/items/1', { title: 'changed', data: 'an attribute' })
    assert.deepEqual([both.body.data.title, both.body.data.data], ['changed', 'an attribute'])
    assert.equal((await send(app, 'PUT', '/front', { title: 'changed' })).body.data.title, 'changed')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await send(app, 'POST', '/items', 'title=form', form)).body.data.title, 'form')
    const key = { 'idempotency-key': 'k1' }
    const [first, again] = [
      await send(app, 'POST', '/items', { title: 'k' }, key),
      await send(app, 'POST', '/items', { title: 'k' }, key),
    ]
    assert.equal(first?.body.data.id, again?.body.data.id)
  })

  it('are read as ever without that, for other routes, and where the request says so', async () => {
    const plain = await serve(both)
    assert.equal((await send(plain, 'POST', '/items', { title: 'new' })).status, 400)
    assert.equal((await send(plain, 'POST', '/items', { data: { title: 'new' } })).status, 200)
    const app = await serve(wrapping)
    assert.equal((await send(app, 'POST', '/items', { title: 'new' }, ignoring)).status, 400)
    assert.equal((await send(app, 'POST', '/items', { titel: 'new' })).status, 400)
    assert.equal((await send(app, 'POST', '/items/query', { filters: { title: 'first' } })).body.data.length, 1)
    const wrong = await send(app, 'POST', '/items', '{ "title": ', { 'content-type': 'application/json' })
    assert.deepEqual([wrong.status, wrong.body.error.message], [400, 'The body is not valid JSON: it ends too early'])
  })

  it('of another media type get the same refusal', async () => {
    const app = await serve(wrapping)
    const { status, body } = await send(app, 'POST', '/items', 'title', { 'content-type': 'text/plain' })
    assert.equal(status, 415)
    assert.match(body.error.message, /send application\/json/)
    assert.equal(body.error.message.match(/application\/json/g).length, 1, body.error.message)
  })
})

describe('the types that it is about', () => {
  const flat = async (app: TestApp, url: string) => (await ask(app, url)).data.title !== undefined
  const writes = async (app: TestApp) => {
    const payload = { data: { title: 'w' } }
    return (await app.inject({ method: 'PUT', url: '/api/items/1', payload })).json().data.title !== undefined
  }
  const filtered = (mode: string, uids: object) => serve({ ...both, contentTypeFilter: { mode, uids } })

  it('are those that are allowed', async () => {
    const app = await filtered('allow', { 'api::item.item': true, 'api::front.front': false })
    assert.deepEqual([await flat(app, '/items/1'), await flat(app, '/front'), await writes(app)], [true, false, true])
    const reads = await filtered('allow', { 'api::item.item': { GET: true, PUT: false } })
    assert.deepEqual([await flat(reads, '/items/1'), await writes(reads)], [true, false])
  })

  it('are all but those that are denied', async () => {
    const app = await filtered('deny', { 'api::item.item': true })
    assert.deepEqual([await flat(app, '/items/1'), await flat(app, '/front'), await writes(app)], [false, true, false])
    const writesAlone = await filtered('deny', { 'api::item.item': { GET: true } })
    assert.deepEqual([await flat(writesAlone, '/items/1'), await writes(writesAlone)], [false, true])
  })

  it('are all without a mode or without uids', async () => {
    for (const app of [await filtered('allow', {}), await filtered('none', { 'api::item.item': false })])
      assert.equal(await flat(app, '/items/1'), true)
  })

  it('are those of plugins only where they are named', async () => {
    const notes = definePlugin({
      name: 'notes',
      contentTypes: [
        {
          uid: 'plugin::notes.note',
          source: 'notes',
          schema: {
            kind: 'collectionType',
            collectionName: 'notes',
            info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
            attributes: { title: string },
          },
        },
      ],
      routes: [
        { method: 'GET', path: '/notes', action: 'read', run: ({ content }) => content.find('plugin::notes.note') },
      ],
    })
    for (const [plugins, isFlat] of [
      [{}, false],
      [{ ids: { notes: true } }, true],
      [{ ids: { other: true } }, false],
      [{ mode: 'deny', ids: { other: true } }, true],
    ] as const) {
      const app = await createTestApp({ plugins: [notes, [transformer, { ...both, plugins }]] })
      onTestFinished(() => app.close())
      await app.entries('plugin::notes.note').create({ title: 'a' })
      assert.equal('title' in (await ask(app, '/notes')).data[0], isFlat)
    }
  })
})

describe('the settings', () => {
  it('have no hooks: their functions would see each request, and responses are cached', async () => {
    await assert.rejects(
      serve({ ...both, hooks: { preResponseTransform: () => undefined } }),
      /config\/plugins: transformer\.config\.hooks is not a setting of the plugin; there are responseTransforms/,
    )
  })

  it('are in the description of the API', async () => {
    const app = await serve(wrapping)
    const { paths, components: described } = (await app.inject('/openapi.json')).json()
    const { get, put } = paths['/api/items/{id}'] ?? paths['/items/{id}']
    const { data } = get.responses[200].content['application/json'].schema.properties
    const name = JSON.stringify(data).match(/schemas\/([^"]+)/)?.[1] ?? ''
    assert.ok('title' in described.schemas[name].properties, JSON.stringify(described.schemas[name]).slice(0, 300))
    const body = JSON.stringify(put.requestBody.content['application/json'].schema)
    assert.doesNotMatch(body, /"data":\{"\$ref/)
  })
})
