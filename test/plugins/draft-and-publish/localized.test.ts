import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { type Answer, type Api, type Body, contract, refused, type World } from '../../support/contract.js'
import { dateOf, make, written } from './world.js'

const localized = { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } }
const inEach = { pluginOptions: { i18n: { localized: true } } }
const world: World = {
  types: {
    article: {
      ...localized,
      attributes: {
        title: { type: 'string', required: true, ...inEach },
        rating: { type: 'integer' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      },
    },
    homepage: {
      kind: 'singleType',
      ...localized,
      attributes: { headline: { type: 'string', required: true, ...inEach } },
    },
  },
  plugins: [draftAndPublish, [i18n, { locales: ['fr', 'de'], fallback: { de: ['fr', 'en'] } }]],
}

const localize = async (api: Api, path: string, data: unknown): Promise<number> =>
  (await written(api, 'POST', `${path}/localizations`, data)).id
const publishedAt = '2024-05-01T00:00:00.000Z'
const locales = ({ body }: Answer): unknown[] =>
  body.data.meta.availableLocales.map(({ locale }: { locale: string }) => locale)
const titles = ({ body }: Answer): unknown[] => body.data.map(({ attributes }: Body) => attributes.title)

contract('a localized type with drafts', world, api => {
  const mark = 'aaa-unseen'
  const asks = [
    '/articles?locale=all&sort=id',
    '/articles?locale=fr',
    '/articles?locale=de',
    '/articles?locale=de&fallback=fr',
    '/articles?locale[]=fr&locale[]=en&sort=title',
    '/articles?populate=localizations',
    '/articles?populate[localizations][populate]=localizations',
    '/articles?locale=all&filters[localizations][locale]=fr',
    `/articles?filters[localizations][title]=${mark}`,
    '/articles?locale=all&filters[localizations][id][$null]=true',
    '/articles?locale=all&sort=localizations.title',
    '/articles/1',
    '/articles/1?populate=localizations',
    '/authors?populate=articles',
    '/authors?populate[articles][populate]=localizations',
    '/authors?filters[articles][localizations][locale]=fr',
    '/homepage?locale=fr',
    '/homepage?locale=de',
    '/homepage?locale=all',
    '/homepage?populate=localizations',
  ]
  const before = new Map<string, Answer>()
  const previewed = new Map<string, Answer>()
  const after = new Map<string, Answer>()
  beforeAll(async () => {
    const author = await make(api, '/authors', { name: 'ann' })
    const en = await make(api, '/articles', { title: 'english', rating: 1, author })
    const fr = await localize(api, `/articles/${en}`, { locale: 'fr', title: mark, author })
    await localize(api, `/articles/${en}`, { locale: 'de', title: 'deutsch', publishedAt })
    const other = await make(api, '/articles', { title: 'other' })
    await localize(api, `/articles/${other}`, { locale: 'fr', title: 'autre', publishedAt })
    const third = await make(api, '/articles', { title: 'third' })
    const only = await localize(api, `/articles/${third}`, { locale: 'fr', title: mark })
    await written(api, 'PUT', '/homepage', { headline: 'english' })
    const draft = await localize(api, '/homepage', { locale: 'fr', headline: mark })
    for (const path of asks) {
      before.set(path, await api.get(encodeURI(path)))
      const preview = `${path}${path.includes('?') ? '&' : '?'}publicationState=preview`
      previewed.set(path, await api.get(encodeURI(preview)))
    }
    for (const id of [fr, only]) await written(api, 'DELETE', `/articles/${id}`)
    await api.app.entries('api::homepage.homepage').delete(draft)
    for (const path of asks) after.set(path, await api.get(encodeURI(path)))
  })

  describe('answers a live reader as if a draft in another locale was not there', () => {
    for (const path of asks)
      it(path, () => {
        const { text } = before.get(path) as Answer
        assert.ok(!text.includes(mark), text)
        assert.equal(text, after.get(path)?.text)
      })
  })
  it('shows it to a preview', () => {
    const blind = asks.filter(path => previewed.get(path)?.text === before.get(path)?.text)
    assert.deepEqual(blind, [])
  })
})

contract('localizations of drafts', world, api => {
  it('are begun as drafts, and published one by one', async () => {
    const en = await make(api, '/articles', { title: 'english', rating: 1 })
    const fr = await localize(api, `/articles/${en}`, { locale: 'fr', title: 'français' })
    assert.deepEqual(locales(await api.get(`/articles/${en}`)), [])
    assert.deepEqual(locales(await api.get(`/articles/${en}?publicationState=preview`)), ['fr'])
    assert.deepEqual(titles(await api.get('/articles?locale=fr')), [])
    assert.deepEqual(titles(await api.get('/articles?locale=de')), ['english'])
    await written(api, 'POST', `/articles/${fr}/actions/publish`)
    assert.deepEqual(locales(await api.get(`/articles/${en}`)), ['fr'])
    assert.deepEqual(titles(await api.get('/articles?locale=fr')), ['français'])
    assert.deepEqual(titles(await api.get('/articles?locale=de')), ['français'])
    await written(api, 'POST', `/articles/${en}/actions/unpublish`)
    assert.equal(dateOf(await api.get(`/articles/${fr}`)) === null, false)
  })
  it('share what is shared with drafts too, and leave them drafts', async () => {
    const en = await make(api, '/articles', { title: 'english' })
    const fr = await localize(api, `/articles/${en}`, { locale: 'fr' })
    await written(api, 'PUT', `/articles/${en}`, { rating: 5 })
    const { attributes } = (await api.get(`/articles/${fr}?publicationState=preview`)).body.data
    assert.deepEqual([attributes.rating, attributes.title, attributes.publishedAt], [5, null, null])
    refused(await api.send('POST', `/articles/${fr}/actions/publish`), { status: 400, message: /^title/ })
  })
  it('list publishedAt before locale, last of all', async () => {
    const id = await make(api, '/articles', { title: 'in order' })
    const { attributes } = (await api.get(`/articles/${id}`)).body.data
    assert.deepEqual(Object.keys(attributes).slice(-4), ['createdAt', 'updatedAt', 'publishedAt', 'locale'])
  })
  it('of a single type are published in the locale that is asked for', async () => {
    await written(api, 'PUT', '/homepage', { headline: 'english' })
    await localize(api, '/homepage', { locale: 'fr', headline: 'français' })
    refused(await api.get('/homepage?locale=fr'), { status: 404 })
    const published = await api.send('POST', '/homepage/actions/publish?locale=fr')
    assert.equal(published.body.data.attributes.headline, 'français')
    assert.equal((await api.get('/homepage?locale=fr')).body.data.attributes.headline, 'français')
    await written(api, 'POST', '/homepage/actions/unpublish')
    refused(await api.get('/homepage'), { status: 404 })
    assert.equal((await api.get('/homepage?locale=fr')).status, 200)
  })
})
