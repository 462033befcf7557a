import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { contract, refused, type World } from '../../support/contract.js'
import { asUser, world } from '../users-permissions/people.js'
import { titles } from './world.js'

const drafts = { options: { draftAndPublish: true } }
const types: NonNullable<World['types']> = {
  article: {
    ...drafts,
    attributes: {
      title: { type: 'string' },
      category: { type: 'relation', relation: 'manyToOne', target: 'api::category.category', inversedBy: 'articles' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    },
  },
  category: {
    ...drafts,
    pluralName: 'categories',
    attributes: {
      title: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'category' },
    },
  },
  author: {
    attributes: {
      title: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
  frontpage: { kind: 'singleType', ...drafts, attributes: { title: { type: 'string' } } },
}
const read = ['find', 'findOne']
const permissions = {
  roles: {
    public: { article: read, category: read, author: read, frontpage: ['find'] },
    editor: {
      inherits: 'public',
      article: [...read, 'preview', 'create', 'update', 'publish'],
      frontpage: ['find', 'preview'],
      author: read,
    },
  },
}
const people = world({
  types,
  permissions,
  accounts: { edith: { role: 'editor' } },
  async rows({ entries }) {
    await entries('api::author.author').create({ title: 'ann' })
    await entries('api::category.category').create({ title: 'hidden', publishedAt: null })
    await entries('api::category.category').create({ title: 'shown' })
    const articles = entries('api::article.article')
    await articles.create({ title: 'live', author: 1, category: 1 })
    await articles.create({ title: 'draft', author: 1, category: 2, publishedAt: null })
    await entries('api::frontpage.frontpage').create({ title: 'front', publishedAt: null })
  },
})
const restricted = {
  ...people,
  plugins: [...(people.plugins ?? []), [draftAndPublish, { restrictPreview: true }] as never],
} satisfies World
const preview = 'publicationState=preview'

contract('a preview that needs a permission', restricted, api => {
  const ed = asUser(1)
  const forbidden = (uid: string) => ({
    status: 403,
    name: 'ForbiddenError',
    message: `publicationState: The drafts of ${uid} are shown to callers with the permission "preview" on it; ask for what is live, or have the permission granted`,
    parameter: 'publicationState',
  })

  it('is refused to visitors, in lists, by id and of single types, and given to who may', async () => {
    for (const path of ['/articles', '/articles/1', '/articles/2'])
      refused(await api.get(`${path}?${preview}`), forbidden('api::article.article'))
    refused(await api.get(`/frontpage?${preview}`), forbidden('api::frontpage.frontpage'))
    assert.deepEqual(titles((await api.get(`/articles?${preview}`, ed)).body), ['live', 'draft'])
    assert.equal((await api.get(`/articles/2?${preview}`, ed)).status, 200)
    assert.equal((await api.get(`/frontpage?${preview}`, ed)).status, 200)
  })
  it('leaves alone who asks for what is live', async () => {
    for (const query of ['', '?publicationState=live', '?sort=title']) {
      const { status, body } = await api.get(`/articles${query}`)
      assert.equal(status, 200)
      assert.deepEqual(titles(body), ['live'])
    }
    refused(await api.get('/articles/2'), { status: 404 })
  })
  it('is one for each type that is shown: a populate is refused, a filter goes through what is live', async () => {
    refused(await api.get(`/authors?populate=articles&${preview}`), forbidden('api::article.article'))
    refused(await api.get('/authors?populate[articles][publicationState]=preview'), forbidden('api::article.article'))
    refused(await api.get(`/articles?populate=category&${preview}`, ed), forbidden('api::category.category'))
    const allowed = `/articles?populate[category][publicationState]=live&${preview}`
    assert.deepEqual(titles((await api.get(allowed, ed)).body), ['live', 'draft'])
    assert.deepEqual(titles((await api.get(`/articles?filters[category][title]=hidden&${preview}`, ed)).body), [])
    assert.deepEqual(titles((await api.get(`/articles?filters[category][title]=shown&${preview}`, ed)).body), ['draft'])
    assert.equal((await api.get(`/authors?${preview}`)).status, 200)
  })
  it('does not stand in the way of writing drafts', async () => {
    const made = await api.send('POST', '/articles', { data: { title: 'mine', publishedAt: null } }, ed)
    assert.equal(made.status, 200)
    const id = made.body.data.id
    assert.equal((await api.send('PUT', `/articles/${id}`, { data: { title: 'ours' } }, ed)).status, 200)
    assert.equal((await api.send('POST', `/articles/${id}/actions/publish`, undefined, ed)).status, 200)
  })
})

contract(
  'a preview without the setting',
  {
    ...people,
    plugins: [...(people.plugins ?? []), draftAndPublish] as never,
    config: { ...people.config, permissions: { roles: { public: { article: read }, editor: {} } } },
  },
  api => {
    it('is for everyone who may find the entries', async () => {
      assert.deepEqual(titles((await api.get(`/articles?${preview}`)).body), ['live', 'draft'])
    })
  },
)

describe('the setting restrictPreview', () => {
  it('needs strict drafts, as an id shows every draft without', async () => {
    const plugins = [[draftAndPublish, { restrictPreview: true, strict: false }]] as never
    await assert.rejects(createTestApp({ types, plugins }), /restrictPreview needs strict/)
  })
  it('makes no action where it is off', async () => {
    const config = { permissions: { roles: { public: { article: ['preview'] } } } }
    const plugins = [...(people.plugins ?? []), draftAndPublish] as never
    await assert.rejects(createTestApp({ types, plugins, config }), /no action "preview"/)
  })
})
