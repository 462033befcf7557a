import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { bulk } from '../../../plugins/bulk/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { nestedCreate } from '../../../plugins/nested-create/index.js'
import { openapi } from '../../../plugins/openapi/index.js'
import { patch } from '../../../plugins/patch/index.js'
import { compiled } from '../../client/compiled.js'
import { typesOf } from '../../client/world.js'
import { type Answer, type Api, contract, refused } from '../../support/contract.js'

const types = {
  article: {
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.seo', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      any: { type: 'relation', relation: 'morphToMany' },
    },
  },
  author: {
    attributes: {
      name: { type: 'string', unique: true, required: true },
      owner: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      team: { type: 'relation', relation: 'manyToOne', target: 'api::team.team' },
    },
  },
  team: { attributes: { name: { type: 'string', required: true } } },
  tag: {
    pluginOptions: { i18n: { localized: true } },
    attributes: { name: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
  },
}
const components = {
  'shared.seo': {
    attributes: {
      about: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
      note: { type: 'string' },
    },
  },
  'shared.quote': { attributes: { by: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' } } },
}

/** `x-owner` writes its own authors only, and creates no teams. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const owner = headers['x-owner']
    if (owner === undefined) return { scope: 'all', can: () => true }
    return {
      scope: `owner ${owner}`,
      can: (action, uid) => !(action === 'create' && uid === 'api::team.team'),
      rows: (action, uid) =>
        uid === 'api::author.author' && action === 'create' ? { owner: { $eq: String(owner) } } : undefined,
    }
  },
})

const all =
  'populate[author][populate]=team&populate[tags][sort]=id&populate[seo][populate]=about&populate[slides][populate]=about&populate[blocks][populate]=*'

const counts = async (api: Api) => {
  const of = (table: string) => api.app.store.reader.all(`select count(*) from ${table}`, [])
  const found = await Promise.all(['articles', 'authors', 'tags', 'teams'].map(of))
  return found.map(rows => Number(rows[0]?.[0]))
}

contract(
  'relations that create what they lead to',
  { types, components, plugins: [callers, draftAndPublish, i18n, bulk, patch, nestedCreate] },
  api => {
    const post = (data: object, headers: Record<string, string> = {}, path = `/articles?${all}`): Promise<Answer> =>
      api.send('POST', path, { data }, headers)
    const created = async (data: object) => {
      const answer = await post(data)
      assert.equal(answer.status, 200, answer.text)
      return { id: answer.body.data.id, ...answer.body.data.attributes }
    }
    const names = ({ data }: { data: { attributes: { name: string } }[] }) =>
      data.map(({ attributes }) => attributes.name)

    it('work for one, for several, and below each other', async () => {
      const article = await created({
        title: 'one',
        author: { create: { name: 'Ada', team: { create: { name: 'red' } } } },
        tags: { create: [{ name: 'a' }, { name: 'b', locale: 'en' }] },
      })
      assert.equal(article.author.data.attributes.name, 'Ada')
      assert.equal(article.author.data.attributes.team.data.attributes.name, 'red')
      assert.deepEqual(names(article.tags), ['a', 'b'])
    })

    it('go along with entries that are there', async () => {
      const { id: tag } = (await api.send('POST', '/tags', { data: { name: 'there' } })).body.data
      const article = await created({ title: 'two', tags: { connect: [tag], create: [{ name: 'new' }] } })
      assert.deepEqual(names(article.tags), ['there', 'new'])
      const change = async (tags: object) =>
        (await api.send('PUT', `/articles/${article.id}?${all}`, { data: { tags } })).body.data.attributes.tags
      assert.deepEqual(names(await change({ disconnect: [tag], create: { name: 'newer' } })), ['new', 'newer'])
      assert.deepEqual(names(await change({ set: [tag], create: { name: 'last' } })), ['there', 'last'])
    })

    it('work in components, lists of them and zones', async () => {
      const article = await created({
        title: 'three',
        seo: { note: 'n', about: { create: { name: 'in seo' } } },
        slides: [{ note: 'plain' }, { about: { create: { name: 'in slides' } } }],
        blocks: [{ __component: 'shared.quote', by: { create: { name: 'Quoted' } } }],
      })
      assert.equal(article.seo.about.data.attributes.name, 'in seo')
      assert.deepEqual(
        article.slides.map(
          ({ about }: { about: { data: { attributes: { name: string } } | null } }) => about.data?.attributes.name,
        ),
        [undefined, 'in slides'],
      )
      assert.equal(article.blocks[0].by.data.attributes.name, 'Quoted')
    })

    it('work from the side that is led to, in bulk, and in a patch', async () => {
      const author = await post(
        { name: 'Ben', articles: { create: [{ title: 'x' }, { title: 'y' }] } },
        {},
        '/authors?populate=articles&publicationState=preview',
      )
      assert.equal(author.body.data.attributes.articles.data.length, 2)
      const answer = await api.send('POST', '/articles/bulk?populate=tags', {
        operations: [{ create: { title: 'in bulk', tags: { create: [{ name: 'bulk' }] } } }],
      })
      assert.deepEqual(names(answer.body.results[0].data.attributes.tags), ['bulk'])
      const { id } = answer.body.results[0].data
      const patched = await api.send('PATCH', `/articles/${id}?${all}`, {
        data: { tags: { create: [{ name: 'patch' }] } },
      })
      assert.equal(patched.status, 200, patched.text)
      assert.deepEqual(names(patched.body.data.attributes.tags), ['bulk', 'patch'])
    })

    it('are written with the entry, or not at all', async () => {
      const before = await counts(api)
      refused(await post({ author: { create: { name: 'Lost' } }, tags: { create: [{ name: 'lost' }] } }), {
        status: 400,
        message: /title must be defined/,
      })
      refused(await post({ title: 'x', tags: { create: [{ name: 'lost' }] }, author: { create: { owner: 'me' } } }), {
        status: 400,
        message: /^author\[create\]: name must be defined/,
      })
      const taken = await post({
        title: 'x',
        tags: { create: [{ name: 'lost' }] },
        author: { create: { name: 'Ada' } },
      })
      refused(taken, { status: 400, message: /^author\[create\]: name must be unique/ })
      assert.deepEqual(taken.body.error.details.errors[0].path, ['author', 'create', 'name'])
      assert.deepEqual(await counts(api), before)
    })

    it('need the permission to create, and keep the rules of the caller', async () => {
      const before = await counts(api)
      const as = { 'x-owner': 'ann' }
      const team = { name: 'Cleo', owner: 'ann', team: { create: { name: 'blue' } } }
      refused(await post({ title: 'x', author: { create: team } }, as), { status: 403 })
      assert.equal((await post({ title: 'x', author: { create: { name: 'Dan', owner: 'bob' } } }, as)).status, 403)
      assert.deepEqual(await counts(api), before)
      const answer = await post({ title: 'x', author: { create: { name: 'Eve', owner: 'ann' } } }, as)
      assert.equal(answer.status, 200, answer.text)
    })

    it('are refused by name where their form is wrong', async () => {
      const before = await counts(api)
      for (const [data, message] of [
        [{ author: { create: [{ name: 'a' }, { name: 'b' }] } }, /^author\[create\] must be one entry/],
        [{ author: { create: 1 } }, /^author\[create\] must be an object/],
        [{ author: { create: { name: 'a' }, connect: [1] } }, /^author leads to one entry/],
        [{ tags: { create: [{ name: 'a' }, 'b'] } }, /^tags\[create\]\[1\] must be an object/],
        [{ tags: { create: [], conect: [] } }, /^tags\[conect\] does not belong/],
        [{ tags: { create: [{ nmae: 'a' }] } }, /^tags\[create\]\[0\]: .*nmae/],
        [{ any: { create: [{ name: 'a' }] } }, /^any\[create\] is not possible here/],
        [{ seo: { about: { create: 'a' } } }, /^seo\[about\]\[create\] must be an object/],
        [{ slides: [{}, { about: { create: 'a' } }] }, /^slides\[1\]\[about\]\[create\] must be an object/],
        [{ author: { create: { name: 'a', team: { create: 'b' } } } }, /^author\[create\]\[team\]\[create\] must be/],
        [{ tags: { create: Array.from({ length: 101 }, () => ({})) } }, /^tags\[create\]\[100\] are more than the 100/],
      ] as const)
        refused(await post({ title: 'x', ...data }), { status: 400, message })
      assert.deepEqual(await counts(api), before)
    })

    it('leave what creates nothing as it was', async () => {
      const article = await created({ title: 'plain', tags: [], author: null, seo: { note: 'x' } })
      assert.deepEqual([article.tags.data, article.author.data, article.seo.note], [[], null, 'x'])
    })
  },
)

describe('what describes the API', () => {
  it('names new entries in relations, in the document and in the types', async () => {
    const app = await createTestApp({ types, components, plugins: [draftAndPublish, i18n, nestedCreate, openapi] })
    onTestFinished(app.close)
    const {
      components: { schemas },
    } = (await app.inject('/openapi.json')).json()
    const { author, tags } = schemas.ArticleCreate.properties
    const [, one] = author.anyOf
    const [, many] = tags.anyOf
    assert.deepEqual(one.properties, { create: { $ref: '#/components/schemas/AuthorCreate' } })
    assert.deepEqual(Object.keys(many.properties), ['create', 'set', 'connect', 'disconnect'])
    const schema = typesOf(app)
    const code = `
      import { createClient } from 'stele/client'
      import type { Schema } from './schema.js'
      const api = createClient<Schema>({ url: '' })
      api.articles.create({ title: 'a', author: { create: { name: 'b' } }, tags: { create: [{ name: 'c' }], connect: [1] } })
      // @ts-expect-error a name is missing
      api.articles.create({ title: 'a', author: { create: {} } })
      // @ts-expect-error a relation to one entry connects nothing beside it
      api.articles.create({ title: 'a', author: { create: { name: 'b' }, connnect: [1] } })
    `
    assert.deepEqual((await compiled({ 'schema.ts': schema, 'calls.ts': code })).errors, [])
  })
})
