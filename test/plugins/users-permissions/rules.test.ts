import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Body, contract, refused } from '../../support/contract.js'
import { account, asUser, userUid, world } from './people.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      state: { type: 'string' },
      author: { type: 'relation', relation: 'manyToOne', target: userUid },
      notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'article' },
    },
  },
  note: {
    attributes: {
      text: { type: 'string' },
      owner: { type: 'string' },
      article: { type: 'relation', relation: 'manyToOne', target: 'api::article.article', inversedBy: 'notes' },
    },
  },
}
const mine = { author: { id: { $eq: '$caller.id' } } }
const permissions = {
  roles: {
    public: { article: { find: { state: { $eq: 'open' } }, findOne: { state: 'open' } } },
    authenticated: {},
    author: {
      name: 'Author',
      inherits: 'authenticated',
      article: {
        find: { $or: [{ state: 'open' }, mine] },
        findOne: { $or: [{ state: { $eq: 'open' } }, mine] },
        create: mine,
        update: mine,
        delete: { $and: [mine, { state: { $ne: 'open' } }] },
      },
      note: { find: { owner: { $eq: '$caller.username' } }, findOne: { owner: '$caller.username' } },
      [userUid]: { find: { id: { $eq: '$caller.id' } } },
    },
  },
}

contract(
  'rows that a role may see and change',
  world({
    types,
    permissions,
    accounts: { alice: { role: 'author' }, bob: { role: 'author' } },
    async rows({ entries }) {
      const articles = entries('api::article.article')
      for (const [title, state, author] of [
        ['a open', 'open', 1],
        ['a draft', 'draft', 1],
        ['b open', 'open', 2],
        ['b draft', 'draft', 2],
        ['nobody', 'draft', null],
      ])
        await articles.create({ title, state, author })
      for (const [text, owner, article] of [
        ['of alice', 'alice', 3],
        ['of bob', 'bob', 3],
      ])
        await entries('api::note.note').create({ text, owner, article })
    },
  }),
  api => {
    const [alice, bob] = [asUser(1), asUser(2)]
    const titles = async (query: string, headers: Record<string, string>) => {
      const { body, status, text } = await api.get(`/articles?sort=id${query}`, headers)
      assert.equal(status, 200, text)
      assert.equal(body.meta.pagination.total, body.data.length)
      return body.data.map(({ attributes }: Body) => attributes.title)
    }

    it('hold in lists and in their totals, for each caller', async () => {
      assert.deepEqual(await titles('', {}), ['a open', 'b open'])
      assert.deepEqual(await titles('', alice), ['a open', 'a draft', 'b open'])
      assert.deepEqual(await titles('', bob), ['a open', 'b open', 'b draft'])
      assert.deepEqual(await titles('', alice), ['a open', 'a draft', 'b open'])
    })

    it('hold together with filters, which cannot widen them', async () => {
      for (const query of [
        '&filters[$or][0][state]=draft&filters[$or][1][state]=open',
        '&filters[$not][title]=nothing',
        '&filters[id][$gt]=0',
      ])
        assert.deepEqual(await titles(query, alice), ['a open', 'a draft', 'b open'])
    })

    it('hold by id, as if the others did not exist', async () => {
      assert.equal((await api.get('/articles/2', alice)).status, 200)
      assert.equal((await api.get('/articles/2', bob)).status, 404)
      assert.equal((await api.get('/articles/2')).status, 404)
      assert.equal((await api.get('/articles/1')).status, 200)
    })

    it('hold in populate', async () => {
      const texts = async (headers: Record<string, string>) => {
        const { body } = await api.get('/articles/3?populate=notes,author', headers)
        const { notes, author } = body.data.attributes
        return [notes.data.map(({ attributes }: Body) => attributes.text), author.data?.attributes.username ?? null]
      }
      assert.deepEqual(await texts(alice), [['of alice'], null])
      assert.deepEqual(await texts(bob), [['of bob'], 'bob'])
    })

    it('hold in filters and sort that go through a relation', async () => {
      assert.deepEqual(await titles('&filters[notes][text][$startsWith]=of', alice), ['b open'])
      assert.deepEqual(await titles('&filters[notes][text]=of bob', alice), [])
      assert.deepEqual(await titles('&filters[notes][text]=of bob', bob), ['b open'])
      assert.deepEqual(await titles('&filters[author][username]=bob', alice), [])
    })

    const send = (method: string, path: string, data: object | undefined, headers: Record<string, string>) =>
      api.send(method, path, data && { data }, headers)

    it('hold for what is changed and deleted', async () => {
      assert.equal((await send('PUT', '/articles/1', { title: 'a open' }, alice)).status, 200)
      assert.equal((await send('PUT', '/articles/1', { title: 'hacked' }, bob)).status, 404)
      assert.equal((await send('PUT', '/articles/5', { title: 'hacked' }, bob)).status, 404)
      assert.equal((await send('DELETE', '/articles/1', undefined, bob)).status, 404)
      assert.equal((await send('DELETE', '/articles/1', undefined, alice)).status, 404)
      assert.deepEqual(await titles('', alice), ['a open', 'a draft', 'b open'])
    })

    it('hold for what a write leaves: nothing is given away, and nothing made for others', async () => {
      // Whom alice may not see is nobody to her.
      const given = await send('PUT', '/articles/2', { author: 2 }, alice)
      const nobody = await send('PUT', '/articles/2', { author: 99 }, alice)
      assert.equal(given.status, 400, given.text)
      // The same words for what may not be seen and what does not exist: only the id is the client's own.
      assert.equal(given.text.replaceAll('seen: 2"', 'seen: 99"'), nobody.text)
      assert.equal((await send('PUT', '/articles/2', { author: null }, alice)).status, 403)
      assert.equal((await api.get('/articles/2', alice)).body.data.attributes.title, 'a draft')
      const before = await api.app.entries('api::article.article').count()
      assert.equal((await send('POST', '/articles', { title: 'x' }, alice)).status, 403)
      assert.equal(await api.app.entries('api::article.article').count(), before)
      const made = await send('POST', '/articles', { title: 'mine', state: 'draft', author: 1 }, alice)
      assert.equal(made.status, 200, made.text)
      assert.equal((await api.get(`/articles/${made.body.data.id}`, bob)).status, 404)
      assert.equal((await send('DELETE', `/articles/${made.body.data.id}`, undefined, alice)).status, 200)
    })

    it('follow an account that changes', async () => {
      const id = await account(api.app, 'carol', { role: 'author' })
      const texts = async () => {
        const { body } = await api.get('/notes', asUser(id))
        return body.data.map(({ attributes }: Body) => attributes.text)
      }
      assert.deepEqual(await texts(), [])
      await api.app.entries('api::note.note').create({ text: 'of carla', owner: 'carla' })
      await api.app.entries(userUid).update(id, { username: 'carla' })
      assert.deepEqual(await texts(), ['of carla'])
    })

    it('leave every other right as it is', async () => {
      refused(await api.get('/notes'), { status: 403 })
      refused(await send('POST', '/notes', { text: 'x' }, alice), { status: 403 })
      assert.equal((await api.get('/users/me', alice)).body.username, 'alice')
    })
  },
)

contract(
  'a rule about the caller, for visitors',
  world({
    types,
    permissions: {
      roles: {
        public: {
          article: {
            find: { author: { id: { $eq: '$caller.id' } } },
            findOne: { author: { id: { $ne: '$caller.id' } } },
          },
        },
      },
    },
    rows: ({ entries }) => entries('api::article.article').create({ title: 'nobody' }),
  }),
  api => {
    it('lets nothing through', async () => {
      const { status, body } = await api.get('/articles')
      assert.deepEqual([status, body.data], [200, []])
      assert.equal((await api.get('/articles/1')).status, 404)
    })
  },
)
