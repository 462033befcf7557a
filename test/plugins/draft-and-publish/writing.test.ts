import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Api, contract, refused } from '../../support/contract.js'
import { dateOf, make, newspaper, titles, whole, written } from './world.js'

const required = /title must be defined|title must be a/

contract('drafts and published entries', newspaper, api => {
  const draftOf = (data: unknown) => make(api, '/articles', { ...(data as object), publishedAt: null })

  describe('creating', () => {
    it('publishes at once unless told otherwise', async () => {
      const before = Date.now()
      const { attributes } = await written(api, 'POST', '/articles', whole('told nothing'))
      const date = Date.parse(attributes.publishedAt)
      assert.ok(date >= before && date <= Date.now(), attributes.publishedAt)
      assert.deepEqual(Object.keys(attributes).slice(-3), ['createdAt', 'updatedAt', 'publishedAt'])
    })
    it('makes a draft where publishedAt is null', async () => {
      const { id, attributes } = await written(api, 'POST', '/articles', { ...whole('kept back'), publishedAt: null })
      assert.equal(attributes.publishedAt, null)
      refused(await api.get(`/articles/${id}`), { status: 404, name: 'NotFoundError' })
      assert.equal(dateOf(await api.get(`/articles/${id}?publicationState=preview`)), null)
    })
    it('takes a date as it is said', async () => {
      const publishedAt = '2024-05-01T00:00:00.000Z'
      const { attributes } = await written(api, 'POST', '/articles', { ...whole('dated'), publishedAt })
      assert.equal(attributes.publishedAt, publishedAt)
    })
    it('refuses what is no date', async () => {
      for (const publishedAt of ['', 'soon', true, {}, []])
        refused(await api.send('POST', '/articles', { data: { ...whole('odd'), publishedAt } }), {
          status: 400,
          message: /publishedAt/,
        })
    })
    it('checks what is required and long enough of a published entry only', async () => {
      refused(await api.send('POST', '/articles', { data: {} }), { status: 400, message: '2 errors occurred' })
      refused(await api.send('POST', '/articles', { data: whole('ab') }), { status: 400, message: /at least 3/ })
      await draftOf({})
      await draftOf({ title: 'ab', card: {} })
    })
    it('checks everything else of drafts too', async () => {
      const wrong = [{ views: -1 }, { views: 'many' }, { slug: 'not a slug' }, { title: 5 }, { category: 999 }]
      for (const data of wrong)
        refused(await api.send('POST', '/articles', { data: { ...data, publishedAt: null } }), { status: 400 })
      await draftOf({ slug: 'taken' })
      refused(await api.send('POST', '/articles', { data: { slug: 'taken', publishedAt: null } }), {
        status: 400,
        message: 'This attribute must be unique',
      })
    })
  })

  describe('changing', () => {
    it('a draft may lose what is required, a published entry may not', async () => {
      const draft = await draftOf(whole('of a draft'))
      await written(api, 'PUT', `/articles/${draft}`, { title: null, card: null })
      const published = await make(api, '/articles', whole('of a published one'))
      refused(await api.send('PUT', `/articles/${published}`, { data: { title: null } }), {
        status: 400,
        message: required,
      })
      refused(await api.send('PUT', `/articles/${published}`, { data: { card: null } }), { status: 400 })
      await written(api, 'PUT', `/articles/${published}`, { views: 3 })
    })
    it('a draft stays one, and a published entry keeps its date', async () => {
      const draft = await draftOf(whole('stays'))
      assert.equal((await written(api, 'PUT', `/articles/${draft}`, { views: 1 })).attributes.publishedAt, null)
      const { id, attributes } = await written(api, 'POST', '/articles', whole('stays too'))
      const changed = await written(api, 'PUT', `/articles/${id}`, { views: 1 })
      assert.equal(changed.attributes.publishedAt, attributes.publishedAt)
    })
    it('null takes a published entry back, also with what it lacks from then on', async () => {
      const id = await make(api, '/articles', whole('taken back'))
      const { attributes } = await written(api, 'PUT', `/articles/${id}`, { publishedAt: null, title: null })
      assert.deepEqual([attributes.title, attributes.publishedAt], [null, null])
      refused(await api.get(`/articles/${id}`), { status: 404 })
    })
    it('a date publishes a draft that is whole', async () => {
      const id = await draftOf({ title: 'to come' })
      const publishedAt = '2024-05-01T00:00:00.000Z'
      refused(await api.send('PUT', `/articles/${id}`, { data: { publishedAt } }), { status: 400, message: /^card/ })
      refused(await api.send('PUT', `/articles/${id}`, { data: { publishedAt, card: {} } }), {
        status: 400,
        message: /^card\.label/,
      })
      refused(await api.get(`/articles/${id}`), { status: 404 })
      const { attributes } = await written(api, 'PUT', `/articles/${id}`, { publishedAt, card: { label: 'x' } })
      assert.equal(attributes.publishedAt, publishedAt)
      assert.equal(dateOf(await api.get(`/articles/${id}`)), publishedAt)
    })
    it('publishing looks at what is stored, deep inside too', async () => {
      const id = await draftOf({ title: 'ab', card: {} })
      const answer = await api.send('PUT', `/articles/${id}`, { data: { publishedAt: Date.now() } })
      refused(answer, { status: 400, message: '2 errors occurred' })
      assert.deepEqual(
        answer.body.error.details.errors.map(({ path }: { path: string[] }) => path),
        [['title'], ['card', 'label']],
      )
      const kept = await api.get(`/articles/${id}?publicationState=preview`)
      assert.equal(dateOf(kept), null)
    })
    it('a draft is deleted by its id', async () => {
      const id = await draftOf({ title: 'to be deleted' })
      assert.equal((await written(api, 'DELETE', `/articles/${id}`)).attributes.title, 'to be deleted')
      refused(await api.get(`/articles/${id}?publicationState=preview`), { status: 404 })
    })
    it('what a type has no drafts of takes no publishedAt', async () => {
      const { attributes } = await written(api, 'POST', '/teams', { name: 'plain', publishedAt: null })
      assert.deepEqual(Object.keys(attributes), ['name', 'createdAt', 'updatedAt'])
    })
  })

  describe('answers of writes', () => {
    it('show the entry itself, and none of the drafts it leads to', async () => {
      const draft = await draftOf(whole('unseen mark'))
      const live = await make(api, '/articles', whole('seen'))
      const query = '?populate=articles&fields=name'
      const author = await api.send('POST', `/authors${query}`, { data: { name: 'a', articles: [draft, live] } })
      const { id } = author.body.data
      const related = await api.send('PUT', `/articles/${draft}?populate=related`, { data: { related: [draft, live] } })
      const answers = [
        author,
        await api.send('PUT', `/authors/${id}${query}`, { data: { name: 'b' } }),
        await api.send('DELETE', `/authors/${id}${query}`),
      ]
      for (const { body, text } of answers) {
        assert.deepEqual(titles(body.data.attributes.articles), ['seen'])
        assert.doesNotMatch(text, /unseen mark/)
      }
      assert.deepEqual(titles(related.body.data.attributes.related), ['seen'])
      assert.equal(related.body.data.attributes.title, 'unseen mark')
      const previewed = await api.send('PUT', `/articles/${draft}?populate=related&publicationState=preview`, {
        data: {},
      })
      assert.deepEqual(titles(previewed.body.data.attributes.related), ['unseen mark', 'seen'])
    })
  })

  describe('code', () => {
    it('sees drafts unless it asks for live ones, and is held to the same rules', async () => {
      const id = await draftOf({ title: 'by code' })
      const articles = api.app.entries('api::article.article')
      const asked = { where: { id } }
      assert.equal((await articles.first(asked))?.title, 'by code')
      assert.equal(await articles.first({ ...asked, params: { publicationState: 'live' } }), undefined)
      await assert.rejects(articles.update(id, { publishedAt: new Date().toISOString() }), /card must be defined/)
    })
  })
})

contract('two requests at the same time', newspaper, api => {
  it('never leave a published entry without what is required', async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        make(api, '/articles', { ...whole(`race ${index}`), publishedAt: null }),
      ),
    )
    const taken = new Set<string>()
    for (const id of ids) {
      const writes = [
        () => api.send('POST', `/articles/${id}/actions/publish`),
        () => api.send('PUT', `/articles/${id}`, { data: { title: null } }),
      ]
      if (id % 2 === 0) writes.reverse()
      const said = await Promise.all(writes.map(write => write()))
      const statuses = said.map(({ status }) => status)
      for (const { status, text } of said) assert.ok(status === 200 || status === 400, text)
      taken.add(statuses.sort().join())
      const { attributes } = (await api.get(`/articles/${id}?publicationState=preview`)).body.data
      assert.ok(attributes.publishedAt === null || attributes.title !== null, JSON.stringify({ attributes, statuses }))
    }
    // Both cannot be had, and something is.
    assert.ok(!taken.has('200,200') && !taken.has('400,400'), [...taken].join(' '))
  })
  it('publish once each, and both say so', async () => {
    const id = await make(api, '/articles', { ...whole('twice'), publishedAt: null })
    const both = await Promise.all([1, 2].map(() => api.send('POST', `/articles/${id}/actions/publish`)))
    for (const answer of both) assert.equal(typeof dateOf(answer), 'string', answer.text)
  })
  it('publish and unpublish end in one of both', async () => {
    const id = await make(api, '/articles', whole('to and fro'))
    const both = ['publish', 'unpublish'].map(action => api.send('POST', `/articles/${id}/actions/${action}`))
    const [published, unpublished] = (await Promise.all(both)) as [Reply, Reply]
    assert.equal(typeof dateOf(published), 'string', published.text)
    assert.equal(dateOf(unpublished), null)
  })
})
type Reply = Awaited<ReturnType<Api['get']>>
