import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Api, contract, refused } from '../../support/contract.js'
import { localize, world } from './world.js'

const localeOf = async (api: Api, query: string, data: object): Promise<string> => {
  const { status, body, text } = await api.send('POST', `/articles${query}`, { data: { title: 't', ...data } })
  assert.equal(status, 200, text)
  return body.data.attributes.locale
}

const noLocale = { status: 400, name: 'ApplicationError', message: "This locale doesn't exist" }

contract('the locale of a new entry', world(), api => {
  const cases = [
    { says: 'the default one unless told otherwise', query: '', data: {}, gives: 'en' },
    { says: 'null says nothing', query: '', data: { locale: null }, gives: 'en' },
    { says: 'the body says it', query: '', data: { locale: 'fr' }, gives: 'fr' },
    { says: 'the query says it', query: '?locale=de', data: {}, gives: 'de' },
    { says: 'the body comes before the query', query: '?locale=de', data: { locale: 'fr' }, gives: 'fr' },
  ]
  for (const { says, query, data, gives } of cases)
    it(says, async () => assert.equal(await localeOf(api, query, data), gives))

  for (const locale of ['xx', '', 5, ['fr'], { code: 'fr' }, 'FR'])
    it(`cannot be ${JSON.stringify(locale)}`, async () => {
      refused(await api.send('POST', '/articles', { data: { title: 't', locale } }), noLocale)
    })
  it('says which there are', async () => {
    const { body } = await api.send('POST', '/articles', { data: { title: 't', locale: 'xx' } })
    assert.deepEqual(body.error.details, { locales: ['en', 'fr', 'de'] })
  })
  it('cannot be an unknown one of the query', async () => {
    const answer = await api.send('POST', '/articles?locale=xx', { data: { title: 't' } })
    refused(answer, { status: 400, parameter: 'locale' })
  })
  it('is no attribute of a type that is not localized', async () => {
    const { status, body } = await api.send('POST', '/tags', { data: { name: 't', locale: 'fr' } })
    assert.deepEqual([status, body.error.details.errors[0].path], [400, ['locale']])
    assert.equal('locale' in (await api.send('POST', '/tags', { data: { name: 't' } })).body.data.attributes, false)
  })
  it('is given to entries that code makes, too', async () => {
    const articles = api.app.entries('api::article.article')
    assert.equal((await articles.create({ title: 'c' })).locale, 'en')
    assert.equal((await articles.create({ title: 'c', locale: 'fr' })).locale, 'fr')
  })
})

contract('the locale of an entry', world(), api => {
  const make = async (): Promise<number> =>
    (await api.send('POST', '/articles?locale=fr', { data: { title: 't' } })).body.data.id
  it('cannot be changed', async () => {
    const id = await make()
    const answer = await api.send('PUT', `/articles/${id}`, { data: { title: 'new', locale: 'de' } })
    refused(answer, { status: 400, name: 'ValidationError', message: /locale cannot be changed.*fr/ })
    assert.deepEqual(answer.body.error.details.errors[0].path, ['locale'])
    const { attributes } = (await api.get(`/articles/${id}`)).body.data
    assert.deepEqual([attributes.title, attributes.locale], ['t', 'fr'])
  })
  it('may be sent back as it is', async () => {
    const id = await make()
    const { attributes } = (await api.get(`/articles/${id}`)).body.data
    const answer = await api.send('PUT', `/articles/${id}`, { data: { ...attributes, title: 'new' } })
    assert.deepEqual([answer.status, answer.body.data.attributes.title], [200, 'new'])
  })
  it('is not changed by the query', async () => {
    const id = await make()
    const answer = await api.send('PUT', `/articles/${id}?locale=de`, { data: { title: 'new' } })
    assert.equal(answer.body.data.attributes.locale, 'fr')
  })
  it('of an entry that does not exist is not found', async () => {
    refused(await api.send('PUT', '/articles/999', { data: { locale: 'de' } }), { status: 404 })
  })
  it('localizations cannot be written', async () => {
    const [a, b] = [await make(), await make()]
    for (const localizations of [[b], { connect: [b] }, { set: [b] }]) {
      const answer = await api.send('PUT', `/articles/${a}?populate=localizations`, { data: { localizations } })
      assert.deepEqual(answer.body.data.attributes.localizations.data, [])
    }
    const made = await api.send('POST', '/articles?populate=localizations', {
      data: { title: 't', localizations: [a] },
    })
    assert.deepEqual(made.body.data.attributes.localizations.data, [])
  })
})

contract('a single type', world(), api => {
  const headline = async (query: string) => (await api.get(`/homepage${query}`)).body.data?.attributes.headline
  it('is made and changed in the locale that is asked for', async () => {
    const made = await api.send('PUT', '/homepage', { data: { headline: 'one' } })
    assert.equal(made.body.data.attributes.locale, 'en')
    await localize(api.app, 'homepage', undefined, { locale: 'fr', headline: 'un' })
    assert.equal((await api.send('PUT', '/homepage?locale=fr', { data: { headline: 'deux' } })).status, 200)
    assert.equal((await api.send('PUT', '/homepage', { data: { headline: 'two' } })).status, 200)
    assert.deepEqual([await headline(''), await headline('?locale=fr')], ['two', 'deux'])
  })
  it('has one entry for a locale, and another locale is another localization', async () => {
    const answer = await api.send('PUT', '/homepage?locale=de', { data: { headline: 'x' } })
    refused(answer, { status: 400, name: 'ValidationError', message: /homepage\/localizations/ })
    assert.equal((await api.get('/homepage?locale=all')).body.data.length, 2)
  })
  it('is written in one locale at a time', async () => {
    for (const [method, body] of [['PUT', { data: { headline: 'x' } }], ['DELETE']] as const)
      for (const ask of ['all', 'xx'])
        refused(await api.send(method, `/homepage?locale=${ask}`, body), { status: 400, parameter: 'locale' })
    refused(await api.send('DELETE', '/homepage?locale[]=en&locale[]=fr'), { status: 400, parameter: 'locale' })
    assert.equal((await api.get('/homepage?locale=all')).body.data.length, 2)
  })
  it('is deleted in the locale that is asked for', async () => {
    assert.equal((await api.send('DELETE', '/homepage?locale=fr')).body.data.attributes.locale, 'fr')
    refused(await api.send('DELETE', '/homepage?locale=fr'), { status: 404 })
    assert.equal(await headline(''), 'two')
  })
  it('is made in the locale of the query', async () => {
    await api.send('DELETE', '/homepage')
    const made = await api.send('PUT', '/homepage?locale=de', { data: { headline: 'neu' } })
    assert.equal(made.body.data.attributes.locale, 'de')
  })
  it('is made once, in one locale, by two requests at once', async () => {
    await api.send('DELETE', '/homepage?locale=de')
    const answers = await Promise.all(
      ['fr', 'de'].map(locale => api.send('PUT', `/homepage?locale=${locale}`, { data: { headline: locale } })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await api.get('/homepage?locale=all')).body.data.length, 1)
  })
})

contract('writes, as Strapi 4 does them', world({}, { rest: { dialect: 'strapi4' } }), api => {
  describe('of a collection', () => {
    it('the query does not say the locale of a new entry', async () => {
      assert.equal(await localeOf(api, '?locale=fr', {}), 'en')
      assert.equal(await localeOf(api, '?locale=xx', {}), 'en')
    })
    it('an unknown locale is refused', async () => {
      const answer = await api.send('POST', '/articles', { data: { title: 't', locale: 'xx' } })
      refused(answer, noLocale)
      assert.deepEqual(answer.body.error.details, {})
    })
    it('another locale is dropped from a change', async () => {
      const { body } = await api.send('POST', '/articles', { data: { title: 't', locale: 'fr' } })
      const answer = await api.send('PUT', `/articles/${body.data.id}`, { data: { title: 'new', locale: 'de' } })
      assert.deepEqual([answer.status, answer.body.data.attributes.locale], [200, 'fr'])
    })
  })
  it('a single type that exists in another locale is refused in the old words', async () => {
    const made = await api.send('PUT', '/homepage', { data: { headline: 'one', locale: 'fr' } })
    assert.equal(made.body.data.attributes.locale, 'en')
    const answer = await api.send('PUT', '/homepage?locale=fr', { data: { headline: 'un' } })
    refused(answer, { status: 400, name: 'ValidationError', message: 'singleType.alreadyExists' })
  })
  for (const locale of ['fr', 'xx', 'all'])
    it(`the first entry of a single type is in the default locale: ?locale=${locale}`, async () => {
      await api.send('DELETE', '/homepage')
      const made = await api.send('PUT', `/homepage?locale=${locale}`, { data: { headline: 'un' } })
      assert.deepEqual([made.status, made.body.data?.attributes.locale], [200, 'en'], made.text)
    })
  it('of two first entries of a single type at once one is refused', async () => {
    await api.send('DELETE', '/homepage')
    const answers = await Promise.all(
      ['fr', 'de'].map(locale => api.send('PUT', `/homepage?locale=${locale}`, { data: { headline: locale } })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await api.get('/homepage?locale=all')).body.data.length, 1)
  })
})
