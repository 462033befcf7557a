import { strict as assert } from 'node:assert'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { byField } from './by-field.js'
import { documents } from './documents.js'
import { smallOpenapi } from './small-openapi.js'
import { type DeliveredEvent, signatureOf, webhooks } from './webhooks.js'

const localized = { pluginOptions: { i18n: { localized: true } } }
const article = {
  ...localized,
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', ...localized }, slug: { type: 'uid', ...localized } },
}
const note = {
  attributes: {
    title: { type: 'string', required: true },
    article: { type: 'relation', relation: 'manyToOne', target: 'api::article.article' },
  },
}
const secret = 'a secret of this test'

onEveryEngine('plugins that were written with the guide alone', engine => {
  let app: TestApp
  let end: () => Promise<void>
  const received: { text: string; signature: unknown; isAccepted: boolean }[] = []
  let isAccepting = true
  beforeAll(async () => {
    const receiver = createServer(async (request, response) => {
      const text = (await request.toArray()).join('')
      received.push({ text, signature: request.headers['x-signature'], isAccepted: isAccepting })
      response.writeHead(isAccepting ? 204 : 500).end()
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    const { database, drop } = await engine.fresh()
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    app = await createTestApp({
      types: { article, note },
      plugins: [
        draftAndPublish,
        [i18n, { defaultLocale: 'en', locales: ['en', 'de'] }],
        byField,
        documents,
        smallOpenapi,
        [webhooks, { url, secret }],
      ],
      config: { database },
    })
    end = async () => {
      await app.close()
      await drop()
      receiver.close()
    }
  })
  afterAll(() => end())

  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers = {}) => {
    const response = await app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  const create = async (path: string, data: object) => {
    const { status, body } = await send('POST', path, path.endsWith('localizations') ? data : { data })
    assert.ok(status < 300, JSON.stringify(body))
    return body.data ?? body
  }
  const flat = { 'x-format': 'flat' }
  const delivered = () => received.splice(0).map(({ text }) => JSON.parse(text) as DeliveredEvent)

  it('gives each of several creates at once a slug of its own, one for each locale', async () => {
    const made = await Promise.all([1, 2, 3].map(() => create('/articles', { title: 'Same Title', publishedAt: null })))
    assert.deepEqual(made.map(({ attributes }) => attributes.slug).sort(), [
      'same-title',
      'same-title-2',
      'same-title-3',
    ])
    const german = await create('/articles', { title: 'Same Title', locale: 'de' })
    assert.equal(german.attributes.slug, 'same-title')
  })

  it('finds an entry by a value, as far as the caller sees it, with the parameters of the request', async () => {
    const { id } = await create('/articles', { title: 'By Value' })
    await create('/notes', { title: 'A note', article: id })
    const found = await send('GET', '/articles/with/slug/by-value?fields=title')
    assert.deepEqual([found.status, found.body.data.id, found.body.data.attributes], [200, id, { title: 'By Value' }])
    // The slug belongs to two entries, of which the one in English is a draft.
    assert.equal((await send('GET', '/articles/with/slug/same-title')).status, 404)
    assert.equal((await send('GET', '/articles/with/slug/same-title?locale=de')).body.data.attributes.locale, 'de')
    assert.equal(
      (await send('GET', '/articles/with/slug/same-title?publicationState=preview')).body.data.attributes.locale,
      'en',
    )
    assert.equal((await send('GET', `/articles/with/slug/by-value?filters[id][$ne]=${id}`)).status, 404)
    const wrong = await send('GET', '/articles/with/colour/red')
    assert.deepEqual(
      [wrong.status, wrong.body.error.message],
      [400, 'Field: api::article.article has no attribute "colour"'],
    )
  })

  it('answers flat where that is asked for, and lets a documentId address all localizations of an entry', async () => {
    const { id, attributes } = await create('/articles', { title: 'Documents' })
    const german = await create(`/articles/${id}/localizations`, {
      title: 'Dokumente',
      locale: 'de',
      publishedAt: new Date(),
    })
    const { documentId } = attributes
    assert.match(documentId, /^[\da-f-]{36}$/)
    assert.equal((await send('GET', `/articles/${german.id}`, undefined, flat)).body.data.documentId, documentId)
    const english = await send('GET', `/articles/${documentId}?fields[0]=title`, undefined, flat)
    assert.deepEqual(english.body, { data: { id, title: 'Documents' }, meta: {} })
    assert.equal((await send('GET', `/articles/${documentId}?locale=de`, undefined, flat)).body.data.title, 'Dokumente')
    await send('PUT', `/articles/${documentId}`, { data: { title: 'Papers', documentId: 'mine' } })
    assert.deepEqual(
      (await send('GET', `/articles/${id}?fields[0]=title&fields[1]=documentId`, undefined, flat)).body.data,
      { id, title: 'Papers', documentId },
    )
    assert.equal((await send('GET', '/articles/00000000-0000-0000-0000-000000000000')).status, 404)
  })

  it('delivers every write in order, signed, with the entry as it is or was, until it is accepted', async () => {
    await app.runJob('webhooks/deliver')
    received.length = 0
    const { id } = await create('/notes', { title: 'First' })
    await send('PUT', `/notes/${id}`, { data: { title: 'Second' } })
    assert.equal((await send('POST', '/notes', { data: {} })).status, 400)
    isAccepting = false
    await app.runJob('webhooks/deliver')
    assert.equal(received.splice(0).length, 2)
    isAccepting = true
    await send('DELETE', `/notes/${id}`)
    const [pending, retry] = ['webhooks pending', 'webhooks retry'].map(name =>
      app.commands.find(one => one.name === name),
    )
    const rows: unknown[] = []
    const call = {
      args: [],
      options: {},
      json: false,
      interactive: false,
      print: () => undefined,
      table: (all: readonly object[]) => rows.push(...all),
    }
    await pending?.run(call)
    assert.equal(rows.length, 3)
    await retry?.run(call)
    await app.runJob('webhooks/deliver')
    for (const { text, signature } of received) assert.equal(signature, signatureOf(secret, text))
    assert.deepEqual(
      delivered().map(({ event, model, entry }) => [event, model, entry.title]),
      [
        ['entry.create', 'note', 'First'],
        ['entry.update', 'note', 'Second'],
        ['entry.delete', 'note', 'Second'],
      ],
    )
    await app.runJob('webhooks/deliver')
    assert.deepEqual(received, [])
  })

  it('describes the whole API, the routes and parameters of all of these plugins included', async () => {
    let text = ''
    const command = app.commands.find(({ name }) => name === 'small-openapi')
    await command?.run({
      args: [],
      options: {},
      json: false,
      interactive: false,
      print: line => {
        text += line
      },
      table: () => undefined,
    })
    const { paths, components } = JSON.parse(text)
    const list = paths['/api/articles'].get.parameters.map(({ name }: { name: string }) => name)
    for (const name of ['fields', 'filters', 'pagination', 'locale', 'publicationState'])
      assert.ok(list.includes(name), name)
    const { get } = paths['/api/articles/with/{field}/{value}']
    assert.equal(get['x-permission'], 'api::article.article.findBy')
    assert.ok(
      get.parameters.some(({ name, in: where }: { name: string; in: string }) => name === 'field' && where === 'path'),
    )
    assert.deepEqual(
      paths['/api/notes'].post.requestBody.content['application/json'].schema.properties.data.properties.title,
      { type: 'string' },
    )
    for (const [, ref = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      assert.ok(Object.hasOwn(components.schemas, ref), ref)
    assert.ok(components.schemas['api.article.article'].properties.attributes.properties.documentId)
  })
})
