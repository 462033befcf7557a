import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { queryBody } from '../../../plugins/query-body/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { type Body, contract, refused, type World } from '../../support/contract.js'
import { asUser, secret, world } from './people.js'

const types = {
  article: {
    options: { draftAndPublish: true, scheduling: true },
    attributes: {
      title: { type: 'string' },
      slug: { type: 'uid', targetField: 'title' },
      note: { type: 'string', private: true },
      salary: { type: 'integer', default: 7 },
      code: { type: 'string', unique: true },
      pin: { type: 'password' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      patron: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'patronised' },
      parts: { type: 'component', component: 'shared.part', repeatable: true },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      wage: { type: 'integer' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      patronised: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'patron' },
    },
  },
  page: { kind: 'singleType', attributes: { title: { type: 'string' }, note: { type: 'string' } } },
} as const
const components = {
  'shared.part': {
    attributes: {
      text: { type: 'string' },
      author: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
    },
  },
} as const
const seen = ['title', 'slug', 'author', 'parts', 'updatedAt']
const permissions = {
  roles: {
    public: {
      article: { find: { fields: seen, where: { salary: { $gt: 1 } } }, findOne: { fields: ['*', 'note'] } },
      author: { find: { fields: ['name', 'articles'] }, findOne: true },
      page: { find: { fields: ['title'] } },
    },
    writer: {
      article: {
        find: { fields: seen },
        create: { fields: ['title', 'author'] },
        update: { fields: ['title', 'code'] },
      },
      author: { find: { fields: ['name', 'articles'] } },
      page: { find: { fields: ['title'] }, update: { fields: ['title'] } },
    },
    reader: { article: ['find', 'findOne'], author: ['find', 'findOne'] },
  },
}
const people = {
  ...world({
    types,
    permissions,
    accounts: { wendy: { role: 'writer' }, rita: { role: 'reader' } },
    async rows({ entries }) {
      const author = { name: 'ann', wage: 900 }
      await entries('api::author.author').create(author)
      const article = { title: 'one', note: 'whispered', salary: 5, code: 'c1', pin: '1234', author: 1, patron: 1 }
      await entries('api::article.article').create({ ...article, parts: [{ text: 'x', author: 1 }] })
      await entries('api::article.article').create({ title: 'two', salary: 1, code: 'whispered too' })
      await entries('api::page.page').create({ title: 'front', note: 'hidden' })
    },
  }),
  components,
}
const fields: World = { ...people, plugins: [...(people.plugins ?? []), draftAndPublish, queryBody] as never }

contract('fields that a role may read', fields, api => {
  const attributes = ({ data }: Body): string[] => Object.keys([data].flat()[0].attributes)
  const [writer, reader] = [asUser(1), asUser(2)]

  it('are all that a list shows, and those of another action what an entry by its id shows, private ones too', async () => {
    assert.deepEqual(attributes((await api.get('/articles')).body), ['title', 'slug', 'updatedAt'])
    const { body } = await api.get('/articles/1')
    assert.equal(body.data.attributes.note, 'whispered')
    assert.ok(!('pin' in body.data.attributes))
    assert.equal((await api.get('/articles/1?fields=salary')).body.data.attributes.salary, 5)
    assert.deepEqual((await api.get('/page')).body.data.attributes, { title: 'front' })
  })
  it('hold behind links, whatever leads there: relations, components, and back again', async () => {
    const all = await api.get('/articles?populate[author]=true&populate[parts][populate]=author')
    assert.deepEqual(attributes({ data: all.body.data[0].attributes.author.data }), ['name'])
    assert.deepEqual(attributes({ data: all.body.data[0].attributes.parts[0].author.data }), ['name'])
    const one = await api.get('/authors/1?populate[articles]=true')
    assert.deepEqual(attributes(one.body), ['name', 'wage', 'createdAt', 'updatedAt', 'articles'])
    assert.deepEqual(attributes({ data: one.body.data.attributes.articles.data }), ['title', 'slug', 'updatedAt'])
    assert.deepEqual(attributes((await api.get('/authors?populate=*')).body), ['name', 'articles'])
  })
  for (const query of [
    ...['fields=salary', 'fields[0]=title&fields[1]=salary', 'filters[salary]=5', 'filters[salary][$notNull]=true'],
    ...[
      'filters[$or][0][salary]=5',
      'filters[$not][salary][$gt]=1',
      'sort=salary',
      'sort[0]=title&sort[1]=salary:desc',
    ],
    ...['populate=salary', 'populate[author][fields]=salary', 'populate[author][filters][articles][salary]=5'],
    ...['populate[author][sort]=salary', 'filters[author][articles][salary]=5', 'sort=author.salary'],
  ])
    it(`leave the rest as unknown as what does not exist: ${query}`, async () => {
      const answer = await api.get(`/articles?${query}`)
      refused(answer, { status: 400 })
      const [name, unknown] = ['salary', 'soloro']
      const other = await api.get(`/articles?${query.replaceAll(name, unknown)}`)
      assert.equal(answer.text.replaceAll(name, unknown), other.text)
    })
  it('count for relations: what is hidden can be neither populated nor asked through', async () => {
    for (const query of ['populate=patron', 'filters[patron][name]=ann', 'filters[patron]=1', 'sort=patron.name'])
      refused(await api.get(`/articles?${query}`), { status: 400, message: /has no attribute "patron"/ })
    refused(await api.get('/authors?populate=patronised'), { status: 400 })
    assert.deepEqual(attributes((await api.get('/articles?populate=*')).body), [
      ...['title', 'slug', 'updatedAt'],
      'author',
      'parts',
    ])
  })
  it('are all that a search looks at, and what an entry may be named by', async () => {
    const found = async (text: string, headers = {}) =>
      (await api.get(`/articles?_q=${text}`, headers)).body.data.length
    assert.deepEqual([await found('whispered'), await found('one')], [0, 1])
    assert.deepEqual([await found('whispered', reader), await found('c1', reader)], [1, 1])
    refused(await api.get('/articles/by/code/c1', writer), { status: 403 })
    const known = await api.get('/articles/by/code/c1')
    assert.equal(known.status, 200)
    const answer = await api.send('DELETE', '/articles/by/code/c1')
    assert.equal(answer.status, 403)
  })
  it('do not stand in the way of row rules and drafts that look at the rest', async () => {
    const { body } = await api.get('/articles')
    assert.deepEqual([body.data.length, body.meta.pagination.total], [1, 1])
    await api.app
      .entries('api::article.article')
      .create({ title: 'later', publishAt: '2999-01-01T00:00:00.000Z', salary: 9 })
    assert.equal((await api.get('/articles?pagination[pageSize]=50')).body.data.length, 1)
    assert.equal((await api.get('/articles?publicationState=preview')).body.data.length, 2)
  })
  it('are kept apart from what others may read, in plans and in cached responses', async () => {
    for (const _ of [1, 2, 3]) {
      assert.deepEqual(attributes((await api.get('/articles?filters[title]=one')).body), ['title', 'slug', 'updatedAt'])
      const whole = attributes((await api.get('/articles?filters[title]=one', reader)).body)
      assert.ok(whole.includes('salary') && !whole.includes('note'))
    }
    assert.equal((await api.get('/articles?sort=salary', reader)).status, 200)
    assert.equal((await api.get('/articles?sort=salary')).status, 400)
  })
  it('hold for queries in a body', async () => {
    refused(await api.send('POST', '/articles/query', { filters: { salary: 5 } }), { status: 400 })
    const { body } = await api.send('POST', '/articles/query', { filters: { title: 'one' } })
    assert.deepEqual(attributes(body), ['title', 'slug', 'updatedAt'])
  })
})

contract('fields that a role may write', fields, api => {
  const writer = asUser(1)
  const stored = (id: number) =>
    api.app
      .entries('api::article.article')
      .first({ where: { id }, fields: ['title', 'slug', 'salary', 'code', 'note'] })

  it('are taken, and the response shows what the role may find', async () => {
    const { status, body } = await api.send('POST', '/articles', { data: { title: 'mine', author: 1 } }, writer)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data.attributes), ['title', 'slug', 'updatedAt'])
    // Attributes that the server generates or sets are in the row all the same.
    const entry = await stored(body.data.id)
    assert.deepEqual([entry?.slug, entry?.salary], ['mine', 7])
    refused(await api.send('POST', '/articles?fields=salary', { data: { title: 'more' } }, writer), { status: 400 })
  })
  for (const name of ['salary', 'note', 'pin', 'patron', 'code'])
    it(`leave the rest as unknown as what does not exist: ${name}`, async () => {
      const answer = await api.send('POST', '/articles', { data: { title: 'x', [name]: 1 } }, writer)
      refused(answer, { status: 400 })
      const other = await api.send('POST', '/articles', { data: { title: 'x', zzzzz: 1 } }, writer)
      assert.equal(answer.text.replaceAll(name, 'zzzzz'), other.text)
    })
  it('are those of the action, and what clients send back of the server is ignored', async () => {
    const made = await api.send('POST', '/articles', { data: { title: 'changing' } }, writer)
    const { id, attributes } = made.body.data
    const path = `/articles/${id}`
    const kept = { title: 'changed', code: 'c9', updatedAt: attributes.updatedAt, id }
    assert.equal((await api.send('PUT', path, { data: kept }, writer)).status, 200)
    assert.equal((await stored(id))?.code, 'c9')
    refused(await api.send('PUT', path, { data: { author: 1 } }, writer), { status: 400 })
    refused(await api.send('PUT', path, { data: { createdAt: attributes.updatedAt } }, writer), { status: 400 })
  })
  it('hold for the entry of a single type', async () => {
    assert.equal((await api.send('PUT', '/page', { data: { title: 'new' } }, writer)).status, 200)
    refused(await api.send('PUT', '/page', { data: { note: 'x' } }, writer), { status: 400 })
  })
  it('are all that values are proposed for', async () => {
    refused(await api.send('POST', '/articles/uid', { data: { title: 'x' } }, writer), { status: 404 })
  })
})

contract('fields of a role in the other dialect', { ...people, rest: { dialect: 'strapi4' } }, api => {
  it('are unknown there in its way: dropped or refused', async () => {
    const [known, unknown] = [await api.get('/articles?fields=salary'), await api.get('/articles?fields=soloro')]
    assert.equal(known.text.replaceAll('salary', 'soloro'), unknown.text)
    const { body } = await api.get('/articles?populate=patron,author')
    assert.deepEqual(Object.keys(body.data[0].attributes), ['title', 'slug', 'updatedAt', 'author'])
    const sent = await api.send('POST', '/articles', { data: { title: 'mine', salary: 3, zzzzz: 1 } }, asUser(1))
    assert.equal(sent.status, 200, sent.text)
    const entry = await api.app.entries('api::article.article').first({ where: { id: sent.body.data.id } })
    assert.equal(entry?.salary, 7)
  })
})

describe('fields that cannot be', () => {
  const cases: readonly [fields: unknown, says: RegExp, action?: string][] = [
    [['titel'], /names "titel", which is no attribute .* can be read; did you mean "title"\?/],
    [['pin'], /names "pin", which is no attribute/],
    ['title', /has "fields" that are "title"; expected a list/],
    [['createdAt'], /names "createdAt", which is no attribute .* can be written/, 'update'],
    [['title'], /an entry is deleted as a whole/, 'delete'],
  ]
  for (const [fields, says, action = 'find'] of cases)
    it(`stop the start: ${JSON.stringify(fields)} of ${action}`, async () => {
      const config = { permissions: { roles: { public: { article: { [action]: { fields } } } } } }
      const plugins = [[usersPermissions, { jwtSecret: secret }], draftAndPublish] as never
      await assert.rejects(createTestApp({ types, components, plugins, config }), says)
    })
})
