import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { type Api, type Body, contract, refused } from '../../support/contract.js'
import { localize, world } from './world.js'

const make = async (api: Api, data: object = {}): Promise<number> => {
  const { status, body, text } = await api.send('POST', '/articles', { data: { title: 'en', ...data } })
  assert.equal(status, 200, text)
  return body.data.id
}
const linked = async (api: Api, id: number): Promise<string[]> => {
  const { body } = await api.get(`/articles/${id}?populate[localizations][fields]=locale&publicationState=preview`)
  return body.data.attributes.localizations.data.map(({ attributes }: Body) => attributes.locale)
}
const add = (api: Api, id: unknown, body: unknown, query = '') =>
  api.send('POST', `/articles/${id}/localizations${query}`, body)
const withDrafts = { plugins: [draftAndPublish, [i18n, { locales: ['fr', 'de'] }]] as const }

contract('POST /articles/:id/localizations', world({}, { plugins: [...withDrafts.plugins] }), api => {
  it('answers the new entry, and links all in both directions', async () => {
    const id = await make(api)
    const fr = await add(api, id, { data: { locale: 'fr', title: 'fr' } }, '?populate=localizations')
    assert.equal(fr.status, 200, fr.text)
    const { attributes, meta } = fr.body.data
    assert.deepEqual([attributes.title, attributes.locale], ['fr', 'fr'])
    assert.deepEqual(
      attributes.localizations.data.map(({ id: other }: Body) => other),
      [id],
    )
    assert.deepEqual(meta.availableLocales, [{ id, locale: 'en' }])
    const de = await add(api, fr.body.data.id, { locale: 'de', title: 'de' })
    assert.equal(de.status, 200, de.text)
    assert.deepEqual(await linked(api, id), ['de', 'fr'])
    assert.deepEqual(await linked(api, fr.body.data.id), ['de', 'en'])
    assert.deepEqual(await linked(api, de.body.data.id), ['fr', 'en'])
  })
  it('is made once under an Idempotency-Key', async () => {
    const id = await make(api)
    const send = (title: string) =>
      api.send('POST', `/articles/${id}/localizations`, { locale: 'fr', title }, { 'idempotency-key': `fr-${id}` })
    const first = await send('fr')
    const again = await send('fr')
    assert.deepEqual([again.status, again.text, again.headers['idempotency-replayed']], [200, first.text, 'true'])
    refused(await send('autre'), { status: 422, message: /Idempotency-Key/ })
    assert.deepEqual(await linked(api, id), ['fr'])
  })
  it('takes the locale from the query', async () => {
    const { body } = await add(api, await make(api), { title: 'fr' }, '?locale=fr')
    assert.equal(body.data.attributes.locale, 'fr')
  })
  it('makes a draft unless told when it is published', async () => {
    const id = await make(api)
    const fr = await add(api, id, { locale: 'fr' })
    assert.deepEqual([fr.status, fr.body.data.attributes.publishedAt], [200, null])
    const publishedAt = '2024-01-01T00:00:00.000Z'
    const de = await add(api, id, { locale: 'de', title: 'de', publishedAt })
    assert.equal(de.body.data.attributes.publishedAt, publishedAt)
  })
  it('refuses what a published entry has to have', async () => {
    const id = await make(api)
    const answer = await add(api, id, { locale: 'de', publishedAt: '2024-01-01T00:00:00.000Z' })
    refused(answer, { status: 400, name: 'ValidationError', message: /title/ })
    assert.deepEqual(await linked(api, id), [])
  })
  it('copies what is shared and was not sent', async () => {
    const [tag, author] = [
      await api.app.entries('api::tag.tag').create({ name: 't' }),
      await api.app.entries('api::author.author').create({ name: 'a' }),
    ]
    const shared = {
      rating: 4,
      day: '2024-02-29',
      extra: { deep: [1, 'two'] },
      note: 'private',
      author: author.id,
      tags: [tag.id],
      seo: { metaTitle: 'meta', hint: 'private', slide: { caption: 'inner' }, tag: tag.id },
      blocks: [
        { __component: 'shared.slide', caption: 'first' },
        { __component: 'shared.seo', metaTitle: 'second' },
      ],
    }
    const own = { slug: 'own', code: 'own', slides: [{ caption: 'own' }] }
    const id = await make(api, { ...shared, ...own })
    const made = await add(api, id, { locale: 'fr', title: 'fr', day: '2024-03-01' })
    const articles = api.app.entries('api::article.article')
    const copy = await articles.copy(made.body.data.id)
    assert.deepEqual(copy, {
      ...shared,
      locale: 'fr',
      title: 'fr',
      day: '2024-03-01',
      slug: null,
      code: null,
      slides: [],
      related: [],
      publishedAt: null,
      blocks: [
        { __component: 'shared.slide', caption: 'first' },
        { __component: 'shared.seo', metaTitle: 'second', hint: null, slide: null, tag: null },
      ],
    })
    const { body } = await api.get(`/articles?locale=all&publicationState=preview&populate=seo&filters[rating]=4`)
    const [first, second] = body.data.map(({ attributes }: Body) => attributes.seo.id)
    assert.notEqual(first, second, 'every entry has components of its own')
  })
  it('gives what was sent of shared attributes to the others', async () => {
    const id = await make(api, { rating: 1 })
    await localize(api.app, 'articles', id, { locale: 'fr', rating: 2, seo: { metaTitle: 'new' } })
    const { attributes } = (await api.get(`/articles/${id}?populate=seo`)).body.data
    assert.deepEqual([attributes.rating, attributes.seo.metaTitle], [2, 'new'])
  })

  describe('refuses', () => {
    const cases = [
      { says: 'no locale', body: {}, message: 'locale is missing' },
      { says: 'null for a locale', body: { locale: null }, message: 'locale is missing' },
      { says: 'an unknown locale', body: { locale: 'xx' }, message: 'locale is invalid' },
      { says: 'a number for a locale', body: { locale: 1 }, message: 'locale is invalid' },
      { says: 'a list of locales', body: { data: { locale: ['fr'] } }, message: 'locale is invalid' },
      { says: 'the locale of the entry itself', body: { locale: 'en' }, message: 'locale is already used' },
    ]
    for (const { says, body, message } of cases)
      it(says, async () => {
        refused(await add(api, await make(api), body), { status: 400, name: 'ApplicationError', message })
      })
    it('the locale of a localization', async () => {
      const id = await make(api)
      const fr = await localize(api.app, 'articles', id, { locale: 'fr' })
      for (const [source, locale] of [
        [id, 'fr'],
        [fr, 'en'],
        [fr, 'fr'],
      ])
        refused(await add(api, source, { locale }), { status: 400, message: 'locale is already used' })
      assert.deepEqual(await linked(api, id), ['fr'])
    })
    it('entries that do not exist', async () => {
      for (const id of [999, 0, 'x', '1e3', -1, '99999999999999999999'])
        refused(await add(api, id, { locale: 'fr' }), {
          status: 404,
          name: 'NotFoundError',
          message: 'Entity not found',
        })
    })
    it('bodies that are no object', async () => {
      for (const body of ['[]', '{"data":5}', '{"data":null}'])
        refused(await add(api, await make(api), body), { status: 400 })
    })
    it('a body that is no JSON', async () => {
      refused(await add(api, await make(api), '{'), { status: 400 })
    })
    it('values of the wrong type', async () => {
      const answer = await add(api, await make(api), { locale: 'fr', title: 5 })
      refused(answer, { status: 400, name: 'ValidationError', message: /title/ })
    })
    it('types that are not localized', async () => {
      assert.equal((await api.send('POST', '/tags/1/localizations', { locale: 'fr' })).status, 404)
    })
  })

  it('of two at the same time one wins', async () => {
    const id = await make(api)
    const fr = await localize(api.app, 'articles', id, { locale: 'fr' })
    const answers = await Promise.all([id, fr, id, fr].map(source => add(api, source, { locale: 'de' })))
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [200, 400, 400, 400],
      answers.map(a => a.text).join('\n'),
    )
    assert.deepEqual((await linked(api, id)).sort(), ['de', 'fr'])
    const { body } = await api.get(`/articles?locale=de&publicationState=preview&filters[localizations][id]=${id}`)
    assert.equal(body.data.length, 1)
  })
  it('a change of the source at the same time reaches the new entry', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const id = await make(api, { rating: 0 })
      const [made] = await Promise.all([
        localize(api.app, 'articles', id, { locale: 'fr' }),
        api.send('PUT', `/articles/${id}`, { data: { rating: round } }),
      ])
      const { attributes } = (await api.get(`/articles/${made}?publicationState=preview`)).body.data
      assert.equal(attributes.rating, round)
    }
  })
  it('what fails leaves nothing', async () => {
    const id = await make(api, { code: 'taken' })
    await localize(api.app, 'articles', id, { locale: 'fr', code: 'taken', slug: 'taken' })
    const other = await make(api)
    const before = (await api.get('/articles?locale=all&publicationState=preview')).body.meta.pagination.total
    refused(await add(api, other, { locale: 'fr', code: 'taken', rating: 9 }), {
      status: 400,
      message: 'code must be unique; another entry has this value',
    })
    const after = (await api.get('/articles?locale=all&publicationState=preview')).body.meta.pagination.total
    assert.equal(after, before)
    assert.equal((await api.get(`/articles/${other}`)).body.data.attributes.rating, null)
  })
  it('deleting one leaves the others linked', async () => {
    const id = await make(api)
    const fr = await localize(api.app, 'articles', id, { locale: 'fr' })
    const de = await localize(api.app, 'articles', id, { locale: 'de' })
    assert.equal((await api.send('DELETE', `/articles/${id}`)).status, 200)
    assert.deepEqual([await linked(api, fr), await linked(api, de)], [['de'], ['fr']])
    assert.equal((await add(api, fr, { locale: 'en', title: 'again' })).status, 200)
    assert.deepEqual(await linked(api, de), ['en', 'fr'])
  })
})

contract('POST /homepage/localizations', world(), api => {
  it('has no source at first', async () => {
    refused(await api.send('POST', '/homepage/localizations', { locale: 'fr' }), {
      status: 404,
      message: 'Entity not found',
    })
  })
  it('adds a locale to the entry', async () => {
    await api.send('PUT', '/homepage', { data: { headline: 'Hello', color: 'red' } })
    const { status, body } = await api.send('POST', '/homepage/localizations', { locale: 'fr', headline: 'Bonjour' })
    assert.deepEqual([status, body.data.attributes.headline, body.data.attributes.color], [200, 'Bonjour', 'red'])
    const again = await api.send('POST', '/homepage/localizations', { locale: 'fr' })
    refused(again, { status: 400, message: 'locale is already used' })
  })
})

const strapi4 = { plugins: [...withDrafts.plugins], rest: { dialect: 'strapi4' as const } }
contract('localizations, as Strapi 4 answers them', world({}, strapi4), api => {
  it('the body has no envelope, and the response has none', async () => {
    const id = await make(api, { rating: 3, seo: { metaTitle: 'm' } })
    const wrapped = await add(api, id, { data: { locale: 'fr' } })
    refused(wrapped, { status: 400, name: 'ApplicationError', message: 'locale is missing' })
    const { status, body } = await add(api, id, { locale: 'fr', title: 'fr' }, '?fields=title')
    assert.equal(status, 200)
    const { id: made, title, rating, publishedAt, locale, localizations } = body
    assert.deepEqual([made, title, rating, publishedAt, locale], [id + 1, 'fr', 3, null, 'fr'])
    assert.deepEqual(
      localizations.map((one: Body) => [one.id, one.title, one.locale]),
      [[id, 'en', 'en']],
    )
    assert.equal('note' in body, false, 'what is private stays so')
    assert.equal('secret' in body, false)
  })
  it('components and relations are not copied', async () => {
    const id = await make(api, { seo: { metaTitle: 'm' } })
    const made = await localize(api.app, 'articles', id, { locale: 'fr' })
    assert.equal((await api.get(`/articles/${made}?populate=seo`)).body.data.attributes.seo, null)
  })
  it('the method is not known where the type is not localized', async () => {
    assert.equal((await api.send('POST', '/tags/1/localizations', { locale: 'fr' })).status, 405)
  })
})

const listed = definePlugin({
  name: 'listed',
  formats: { listed: { entry: 'plain', one: entry => [entry], many: entries => entries } },
})
const note = { options: { format: 'listed' }, pluginOptions: { i18n: { localized: true } }, attributes: {} }
contract(
  'localizations of a type with a format of its own',
  { types: { note }, plugins: [[i18n, { locales: ['fr'], bareLocalizations: true }], listed] },
  api => {
    it('are answered in it', async () => {
      await api.send('POST', '/notes', { data: {} })
      const { status, body } = await api.send('POST', '/notes/1/localizations', { locale: 'fr' })
      assert.deepEqual([status, body[0].id, body[0].locale], [200, 2, 'fr'])
    })
  },
)
