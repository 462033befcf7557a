import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { openapi } from '../../../plugins/openapi/index.js'
import { v5Format } from '../../../plugins/v5-format/index.js'
import { assertPrinted, examplesOf } from '../../readme/examples.js'
import { Shell } from '../../readme/shell.js'
import { bootSample, root } from '../../sample/sample.js'
import { onEveryEngine } from '../../support/every-engine.js'

const string = { type: 'string' }
const types = {
  author: {
    attributes: {
      name: string,
      items: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'author' },
    },
  },
  item: {
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: string,
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'items' },
      seo: { type: 'component', component: 'shared.seo' },
      zone: { type: 'dynamiczone', components: ['shared.seo'] },
    },
  },
}
const components = { 'shared.seo': { attributes: { about: string } } }
const plugins = [i18n, draftAndPublish, openapi, v5Format]
const v5 = { 'strapi-response-format': 'v5' }

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
  readonly body: any
}
const asking =
  (app: TestApp, headers: Record<string, string> = v5) =>
  async (url: string): Promise<Answer> => {
    const answer = await app.inject({ url: `/api${url}`, headers })
    return { status: answer.statusCode, body: answer.json() }
  }

async function fill(app: TestApp) {
  const author = await app.entries('api::author.author').create({ name: 'Ann' })
  const make = (title: string, more = {}) =>
    app.entries('api::item.item').create({
      ...{ title, author: author.id, seo: { about: title }, publishedAt: new Date().toISOString() },
      zone: [{ __component: 'shared.seo', about: 'z' }],
      ...more,
    })
  await make('first')
  await make('second')
  await make('draft', { publishedAt: null })
}

onEveryEngine('responses in the shape of Strapi 5', engine => {
  let app: TestApp
  let drop: () => Promise<void>
  beforeAll(async () => {
    const fresh = await engine.fresh()
    drop = async () => await fresh.drop()
    app = await createTestApp({ types, components, plugins, config: { database: fresh.database as never } })
    await fill(app)
  })
  afterAll(async () => {
    await app.close()
    await drop()
  })

  it('are flat, with a documentId for entries and none for components', async () => {
    const { status, body } = await asking(app)('/items?sort=title&populate=*')
    assert.equal(status, 200)
    const [first] = body.data
    assert.deepEqual(
      [first.id, first.documentId, first.title, first.author.name, first.author.documentId, first.localizations],
      [1, '1', 'first', 'Ann', '1', []],
    )
    assert.deepEqual(Object.keys(first.seo), ['id', 'about'])
    assert.deepEqual(Object.keys(first.zone[0]), ['id', '__component', 'about'])
    assert.deepEqual(body.meta.pagination, { page: 1, pageSize: 25, pageCount: 1, total: 2 })
  })

  it('are found by documentId, in the path and in filters of any depth', async () => {
    const ask = asking(app)
    const { body } = await ask('/items/2')
    assert.deepEqual([body.data.documentId, body.data.title, body.meta], ['2', 'second', {}])
    const titles = async (query: string) =>
      (await ask(`/items?${query}`)).body.data?.map(({ title }: { title: string }) => title)
    assert.deepEqual(await titles('filters[documentId][$eq]=2'), ['second'])
    assert.deepEqual(await titles('filters[documentId]=2'), ['second'])
    assert.deepEqual(await titles('filters%5Bauthor%5D%5BdocumentId%5D%5B%24eq%5D=1&sort=documentId:desc'), [
      'second',
      'first',
    ])
    assert.deepEqual(await titles('filters[$or][0][documentId]=1&filters[$or][1][author][documentId]=9'), ['first'])
    assert.deepEqual(await titles('sort[0]=author.documentId&sort[1]=documentId:asc'), ['first', 'second'])
    const chosen = await ask('/items/1?fields[0]=documentId&fields[1]=title&populate[author][fields][0]=documentId')
    assert.deepEqual(chosen.body.data, { id: 1, documentId: '1', title: 'first', author: { id: 1, documentId: '1' } })
  })

  it('show drafts where `status` says so, and all locales for `*`', async () => {
    const count = async (query: string) => (await asking(app)(`/items?${query}`)).body.meta.pagination.total
    assert.deepEqual(await Promise.all(['', 'status=published', 'status=draft', 'locale=*'].map(count)), [2, 2, 3, 2])
  })

  it('name what is wrong in the words that were sent, but for the id', async () => {
    const ask = asking(app)
    const { status, body } = await ask('/items?status=later')
    assert.deepEqual([status, body.data, body.error.name], [400, null, 'ValidationError'])
    assert.match(body.error.message, /status/)
    assert.equal((await ask('/items/9')).status, 404)
    const odd = await ask('/items?filters[documentId][$eq]=abc')
    assert.equal(odd.status, 400)
    assert.match(odd.body.error.message, /^filters\[id\]\[\$eq\]: "abc" is not an id/)
    assert.equal((await ask('/items?filters[nothing]=documentId')).status, 400)
    assert.equal((await ask('/items?filters[title]=%E0%A4%A')).status, 400)
    assert.equal((await ask('/items?filters[title]=documentId')).body.data.length, 0)
  })

  it('do not touch requests that do not ask for them', async () => {
    const ask = asking(app, {})
    const { body } = await ask('/items/1')
    assert.equal(body.data.attributes.title, 'first')
    assert.equal((await ask('/items?filters[documentId]=1')).status, 400)
    assert.equal((await ask('/items?status=draft')).status, 400)
    assert.match((await app.inject('/api/items')).headers.vary as string, /Strapi-Response-Format/)
  })

  it('are shared by all who ask the same', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => app.inject({ url: '/api/items/1', headers: v5 })))
    const plain = await app.inject('/api/items/1')
    assert.equal(one?.headers.etag, two?.headers.etag)
    assert.notEqual(one?.headers.etag, plain.headers.etag)
  })
})

describe('an app in the shape of Strapi 5', () => {
  it('needs no header, and is described with it', async () => {
    const app = await createTestApp({ types, components, plugins, config: { api: { rest: { format: 'v5' } } } })
    await fill(app)
    const { body } = await asking(app, {})('/items?filters[documentId]=2&populate=author')
    assert.deepEqual([body.data[0].documentId, body.data[0].author.documentId], ['2', '1'])
    const { components: described } = (await app.inject('/openapi.json')).json()
    const entry = Object.entries(described.schemas as Record<string, { properties?: Record<string, unknown> }>)
    const [, item] = entry.find(([name]) => /^Item.*Plain/.test(name)) ?? []
    assert.deepEqual(item?.properties?.documentId, { type: 'string', description: 'the id as a text' })
    const [, seo] = entry.find(([name]) => /Seo.*Plain/.test(name)) ?? []
    assert.ok(seo && !('documentId' in (seo.properties ?? {})))
    await app.close()
  })

  it('leaves attributes of this name alone', async () => {
    const own = { note: { attributes: { documentId: string, text: string } } }
    const app = await createTestApp({ types: own, plugins: [v5Format] })
    await app.entries('api::note.note').create({ documentId: 'abc', text: 'a' })
    const { body } = await asking(app)('/notes?filters[documentId][$eq]=abc')
    assert.deepEqual([body.data[0].documentId, body.data[0].id], ['abc', 1])
    await app.close()
  })
})

it('answers as its page says', async () => {
  const memory = { env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' } }
  const app = await bootSample(memory, { with: [v5Format] })
  const shell = new Shell(app, root, {})
  const examples = examplesOf(readFileSync(path.join(root, 'plugins/v5-format/README.md'), 'utf8'))
  assert.equal(examples.length, 2)
  for (const { command, answer } of examples)
    assertPrinted(JSON.parse((await shell.run(command)).text), JSON.parse(answer))
  await app.close()
})
