import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract, refused } from '../../support/contract.js'
import { asUser, userUid, world } from './people.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      author: { type: 'relation', relation: 'manyToOne', target: userUid },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
    },
  },
}
const read = (name: string) => ['find', 'findOne'].map(action => `api::${name}.${name}.${action}`)

contract(
  'what a role may do',
  world({
    types,
    roles: {
      narrow: [...read('article'), 'api::article.article.update', 'api::article.article.create'],
      wide: [...read('article'), ...read('tag'), `${userUid}.find`],
      writer: ['api::article.article.update'],
    },
    accounts: { norman: { role: 'narrow' }, wilma: { role: 'wide' }, wes: { role: 'writer' } },
    async rows({ entries }) {
      await entries('api::tag.tag').create({ name: 'cedar' })
      await entries('api::article.article').create({ title: 'one', tags: [1], author: 1 })
      await entries('api::article.article').create({ title: 'two', author: 2 })
    },
  }),
  api => {
    const [narrow, wide] = [asUser(1), asUser(2)]

    it('is asked action by action', async () => {
      assert.equal((await api.get('/articles', narrow)).status, 200)
      assert.equal((await api.get('/articles/1', narrow)).status, 200)
      assert.equal((await api.send('POST', '/articles', { data: { title: 'x' } }, narrow)).status, 200)
      assert.equal((await api.send('POST', '/articles', { data: { title: 'x' } }, wide)).status, 403)
      assert.equal((await api.send('DELETE', '/articles/1', undefined, narrow)).status, 403)
      assert.equal((await api.get('/tags', narrow)).status, 403)
      assert.equal((await api.get('/tags', wide)).status, 200)
    })

    it('is one thing for reading and another for writing: a write responds with the entry, as the page says', async () => {
      const writer = asUser(3)
      assert.equal((await api.get('/articles/2', writer)).status, 403)
      const { status, body } = await api.send('PUT', '/articles/2', { data: {} }, writer)
      assert.deepEqual([status, body.data.attributes.title], [200, 'two'])
      const shown = await api.send('PUT', '/articles/2?populate=author', { data: {} }, writer)
      assert.equal('author' in shown.body.data.attributes, false)
    })

    it('leaves out of a populate what the role may not find', async () => {
      for (const query of [
        'populate=tags',
        'populate=*',
        'populate[tags][fields][0]=name',
        'populate[tags][populate]=articles',
      ]) {
        const { body } = await api.get(`/articles/1?${query}`, narrow)
        assert.deepEqual(Object.keys(body.data.attributes), ['title', 'createdAt', 'updatedAt'], query)
      }
      const { body } = await api.get('/articles/1?populate=tags', wide)
      assert.equal(body.data.attributes.tags.data[0].attributes.name, 'cedar')
    })

    for (const query of [
      ...['filters[tags][name]=cedar', 'filters[tags][id]=1', 'filters[tags][$null]=true', 'sort=tags.name'],
      ...[
        'filters[$or][0][tags][name]=cedar',
        'filters[$not][tags][name][$startsWith]=c',
        'sort[0]=title&sort[1]=tags.id',
      ],
      ...['filters[author][username]=norman', 'sort=author.email'],
    ])
      it(`refuses to ask through it, like through what does not exist: ${query}`, async () => {
        const answer = await api.get(`/articles?${query}`, narrow)
        assert.equal(answer.status, 400)
        const name = query.includes('author') ? 'author' : 'tags'
        const unknown = await api.get(`/articles?${query.replaceAll(name, 'nosuch')}`, narrow)
        assert.equal(answer.text.replaceAll(name, 'nosuch'), unknown.text)
        assert.equal((await api.get(`/articles?${query}`, wide)).status, 200)
      })

    it('does not write a relation to what the role may not find', async () => {
      await api.send('PUT', '/articles/2', { data: { title: 'two', tags: [1] } }, narrow)
      const { body } = await api.get('/articles/2?populate=tags', wide)
      assert.deepEqual(body.data.attributes.tags.data, [])
    })

    it('never shows secrets of accounts, however they are reached', async () => {
      const { text, body } = await api.get('/articles/1?populate[author][populate]=*', wide)
      assert.equal(body.data.attributes.author.data.attributes.username, 'norman')
      for (const word of ['password', 'Token', '$2b$']) assert.ok(!text.includes(word), word)
    })

    for (const secret of ['password', 'resetPasswordToken', 'confirmationToken'])
      for (const query of [
        `filters[author][${secret}][$notNull]=true`,
        `sort=author.${secret}`,
        `populate[author][fields][0]=${secret}`,
        `populate[author][filters][${secret}][$startsWith]=$2`,
        `populate[author][sort]=${secret}`,
      ])
        it(`refuses to ask for them: ${query}`, async () => {
          assert.equal((await api.get(`/articles?${query}`, wide)).status, 400)
        })

    it('finds nothing in them', async () => {
      assert.deepEqual((await api.get('/articles?_q=$2b$10', wide)).body.data, [])
    })

    it('an account without a role may do nothing', async () => {
      const { id } = await api.app.entries(userUid).create({
        ...{ username: 'loose', email: 'loose@example.test', provider: 'local', confirmed: true },
      })
      await api.app.entries(userUid).update(Number(id), { role: null })
      refused(await api.get('/articles', asUser(Number(id))), { status: 403 })
    })
  },
)
