import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { type Api, type Body, contract, refused, type World } from '../../support/contract.js'
import { make, newspaper, titles, whole, written } from './world.js'

async function fill(api: Api) {
  const live = await make(api, '/articles', whole('live'))
  const draft = await make(api, '/articles', { ...whole('draft'), related: [live], publishedAt: null })
  await written(api, 'PUT', `/articles/${live}`, { related: [draft] })
  await make(api, '/authors', { name: 'ann', articles: [draft, live], first: draft })
  await make(api, '/authors', { name: 'bob' })
  await written(api, 'PUT', '/frontpage', { headline: 'news', highlights: [draft, live] })
}

const related = ({ attributes }: Body): unknown[] => titles(attributes.related)
const articles = ({ attributes }: Body): unknown[] => titles(attributes.articles)
const names = ({ data }: Body): unknown[] => data.map((entry: Body) => entry.attributes.name)

/** Drafts in responses as in Strapi 4, by the setting alone and by the dialect that sets it. */
const worlds: readonly (readonly [string, World])[] = [
  ['strict: false', { ...newspaper, plugins: [[draftAndPublish, { strict: false }]] }],
  ['the strapi4 dialect', { ...newspaper, rest: { dialect: 'strapi4' } }],
]

for (const [title, world] of worlds)
  contract(`drafts with ${title}`, world, api => {
    it('are left out of lists, and of what lists populate at every level', async () => {
      await fill(api)
      assert.deepEqual(titles((await api.get('/articles')).body), ['live'])
      assert.equal((await api.get('/articles')).body.meta.pagination.total, 1)
      assert.deepEqual(titles((await api.get('/articles?publicationState=preview')).body), ['live', 'draft'])
      const deep = (await api.get('/authors?populate[articles][populate]=related')).body.data
      assert.deepEqual(articles(deep[0]), ['live'])
      assert.deepEqual(related(deep[0].attributes.articles.data[0]), [])
      const all = (await api.get('/authors?populate[articles][populate]=related&publicationState=preview')).body.data
      assert.deepEqual(articles(all[0]).sort(), ['draft', 'live'])
      const one = (await api.get('/authors?populate[articles][publicationState]=preview')).body.data
      assert.deepEqual(articles(one[0]).sort(), ['draft', 'live'])
    })
    it('are shown by id, and by what an entry populates that is asked for by id', async () => {
      const draft = await api.get('/articles/2?populate=related')
      assert.deepEqual([draft.body.data.attributes.title, ...related(draft.body.data)], ['draft', 'live'])
      assert.deepEqual(related((await api.get('/articles/1?populate=related')).body.data), ['draft'])
      const live = await api.get('/articles/1?populate=related&publicationState=live')
      assert.deepEqual(related(live.body.data), ['draft'])
      const told = await api.get('/articles/1?populate[related][publicationState]=live')
      assert.deepEqual(related(told.body.data), [])
    })
    it('are seen by filters and sorts', async () => {
      assert.deepEqual(names((await api.get('/authors?filters[articles][title]=draft')).body), ['ann'])
      // Bob has no first article, and in that dialect PostgreSQL sorts what is missing as it does by itself.
      const isLast = world.rest?.dialect === 'strapi4' && api.engine.name === 'postgres'
      const byTitle = isLast ? ['ann', 'bob'] : ['bob', 'ann']
      assert.deepEqual(names((await api.get('/authors?sort=first.title')).body), byTitle)
    })
    it('are populated by what a write answers', async () => {
      const answer = await api.send('PUT', '/articles/1?populate=related', { data: {} })
      assert.deepEqual(related(answer.body.data), ['draft'])
    })
    it('a single type is a list of one', async () => {
      const frontpage = await api.get('/frontpage?populate=highlights')
      assert.deepEqual(titles(frontpage.body.data.attributes.highlights), ['live'])
      await written(api, 'PUT', '/frontpage', { publishedAt: null })
      refused(await api.get('/frontpage'), { status: 404 })
      refused(await api.send('DELETE', '/frontpage'), { status: 404 })
      assert.equal((await api.get('/frontpage?publicationState=preview')).status, 200)
      await written(api, 'PUT', '/frontpage', { headline: 'still one' })
      assert.equal(await api.app.entries('api::frontpage.frontpage').count(), 1)
    })
    it('are published as they are', async () => {
      const id = await make(api, '/articles', { publishedAt: null })
      const publishedAt = '2024-05-01T00:00:00.000Z'
      const { attributes } = await written(api, 'PUT', `/articles/${id}`, { publishedAt })
      assert.deepEqual([attributes.title, attributes.publishedAt], [null, publishedAt])
      refused(await api.send('PUT', `/articles/${id}`, { data: { title: null } }), { status: 400 })
      await written(api, 'PUT', `/articles/${id}`, { title: 'since then' })
      await written(api, 'PUT', `/articles/${id}`, { publishedAt: null })
      await written(api, 'PUT', `/articles/${id}`, { title: null })
      await written(api, 'PUT', `/articles/${id}`, { publishedAt })
    })
    it('are published by the action once they are whole', async () => {
      const id = await make(api, '/articles', { publishedAt: null })
      refused(await api.send('POST', `/articles/${id}/actions/publish`), { status: 400, name: 'ValidationError' })
      await written(api, 'PUT', `/articles/${id}`, whole('at last'))
      assert.equal((await api.send('POST', `/articles/${id}/actions/publish`)).status, 200)
    })
    describe('a wrong state', () => {
      it('is refused where it would be read', async () => {
        for (const path of ['/articles', '/teams', '/frontpage', '/menu'])
          refused(await api.get(`${path}?publicationState=bogus`), { status: 400 })
      })
      it('is not read where the id says all', async () => {
        assert.equal((await api.get('/articles/1?publicationState=bogus')).status, 200)
        refused(await api.get('/articles/1?populate[related][publicationState]=bogus'), { status: 400 })
      })
    })
  })
