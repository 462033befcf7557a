import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Body, contract, each, reads, refused } from '../../support/contract.js'
import { localize, titles, world } from './world.js'

/** A (en, fr, de), B (en, fr), C (en alone), D (fr alone). */
const rows: NonNullable<Parameters<typeof world>[1]>['rows'] = async app => {
  const articles = app.entries('api::article.article')
  const author = await app.entries('api::author.author').create({ name: 'Ada' })
  const a = await articles.create({ title: 'A en', author: author.id })
  const b = await articles.create({ title: 'B en', rating: 2 })
  await articles.create({ title: 'C en' })
  await localize(app, 'articles', a.id, { locale: 'fr', title: 'A fr' })
  await localize(app, 'articles', a.id, { locale: 'de', title: 'A de' })
  await localize(app, 'articles', b.id, { locale: 'fr', title: 'B fr' })
  await articles.create({ title: 'D fr', locale: 'fr', related: [a.id, b.id] })
  await app.inject({ method: 'PUT', url: '/api/homepage', payload: { data: { headline: 'Hello' } } })
  await localize(app, 'homepage', undefined, { locale: 'fr', headline: 'Bonjour' })
}

contract('the parameter locale', world({}, { rows }), api => {
  reads(api, '/articles', titles, [
    { says: 'the default locale unless told otherwise', ask: '?sort=title', gives: ['A en', 'B en', 'C en'] },
    { says: 'one locale', ask: '?sort=title&locale=fr', gives: ['A fr', 'B fr', 'D fr'] },
    { says: 'one locale, in a list', ask: '?sort=title&locale[0]=fr', gives: ['A fr', 'B fr', 'D fr'] },
    { says: 'one locale, as a filter', ask: '?sort=title&locale[$eq]=de', gives: ['A de'] },
    { says: 'several', ask: '?sort=title&locale[]=fr&locale[]=de', gives: ['A de', 'A fr', 'B fr', 'D fr'] },
    {
      says: 'several, as a filter',
      ask: '?sort=title&locale[$in][0]=de&locale[$in][1]=en',
      gives: ['A de', 'A en', 'B en', 'C en'],
    },
    {
      says: 'all',
      ask: '?sort=title&locale=all&fields=title',
      gives: ['A de', 'A en', 'A fr', 'B en', 'B fr', 'C en', 'D fr'],
    },
    { says: 'a filter is combined with the locale', ask: '?filters[locale]=fr', gives: [] },
    { says: 'a filter finds a locale among all', ask: '?filters[locale]=de&locale=all', gives: ['A de'] },
    {
      says: 'an unknown locale is named with those there are',
      ask: '?locale=xx',
      fails: { status: 400, name: 'ValidationError', parameter: 'locale', message: /"xx".*en, fr, de/ },
    },
    { says: 'letter case matters', ask: '?locale=FR', fails: { status: 400, parameter: 'locale' } },
    { says: 'an empty locale is unknown', ask: '?locale=', fails: { status: 400, parameter: 'locale' } },
    {
      says: 'one unknown locale in a list',
      ask: '?locale[]=fr&locale[]=nope',
      fails: { status: 400, parameter: 'locale', message: /"nope"/ },
    },
    { says: 'another operator', ask: '?locale[$ne]=fr', fails: { status: 400, parameter: 'locale' } },
    { says: 'an object', ask: '?locale[a][b]=fr', fails: { status: 400, parameter: 'locale' } },
    {
      says: 'two filters at once',
      ask: '?locale[$eq]=fr&locale[$in][0]=de',
      fails: { status: 400, parameter: 'locale' },
    },
  ])

  it('the total counts the locale only', async () => {
    const { body } = await api.get('/articles?locale=fr&pagination[pageSize]=1')
    assert.deepEqual(body.meta.pagination, { page: 1, pageSize: 1, pageCount: 3, total: 3 })
  })

  it('an entry that is asked for by its id is answered whatever the locale', async () => {
    const { body } = await api.get('/articles?locale=de')
    for (const ask of ['', '?locale=fr', '?locale=all']) {
      const one = await api.get(`/articles/${body.data[0].id}${ask}`)
      assert.equal(one.body.data.attributes.title, 'A de')
    }
  })

  it('a type that is not localized knows no such parameter', async () => {
    refused(await api.get('/tags?locale=fr'), { status: 400, parameter: 'locale' })
  })

  describe('of a single type', () => {
    const headline = ({ data }: Body) => data.attributes.headline
    reads(api, '/homepage', headline, [
      { says: 'the default locale', ask: '', gives: 'Hello' },
      { says: 'another locale', ask: '?locale=fr', gives: 'Bonjour' },
      { says: 'a locale in which it does not exist', ask: '?locale=de', fails: { status: 404 } },
      { says: 'an unknown locale', ask: '?locale=xx', fails: { status: 400, parameter: 'locale' } },
    ])
    it('all locales are a list', async () => {
      const { body } = await api.get('/homepage?locale=all&sort=headline')
      assert.deepEqual(each('headline')(body), ['Bonjour', 'Hello'])
      assert.deepEqual(body.meta, {})
    })
  })
})

contract('localizations of an entry', world({}, { rows }), api => {
  it('are populated with what is asked of them, last', async () => {
    const { body } = await api.get(
      '/articles?filters[title]=A en&populate[localizations][fields]=title&populate[author]=true',
    )
    const { attributes } = body.data[0]
    assert.deepEqual(
      attributes.localizations.data.map((one: Body) => one.attributes),
      [{ title: 'A de' }, { title: 'A fr' }],
    )
    assert.equal(Object.keys(attributes).at(-1), 'localizations')
  })
  it('come with populate=*', async () => {
    const { body } = await api.get('/articles?locale=de&populate=*')
    assert.deepEqual(titles(body.data[0].attributes.localizations), ['A en', 'A fr'])
  })
  it('stand in the meta of every entry, in lists and alone', async () => {
    const list = await api.get('/articles?sort=title')
    const metas = list.body.data.map(({ meta }: Body) => meta.availableLocales.map(({ locale }: Body) => locale))
    assert.deepEqual(metas, [['de', 'fr'], ['fr'], []])
    const [{ id, meta }] = list.body.data
    assert.deepEqual((await api.get(`/articles/${id}`)).body.data.meta, meta)
    const other = await api.get(`/articles/${meta.availableLocales[0].id}`)
    assert.equal(other.body.data.attributes.title, 'A de')
  })
  reads(api, '/articles', titles, [
    { says: 'filter', ask: '?filters[localizations][title]=A de', gives: ['A en'] },
    { says: 'filter by whether there are any', ask: '?filters[localizations][id][$null]=true', gives: ['C en'] },
    { says: 'sort', ask: '?sort=localizations.title:desc&filters[localizations][locale]=fr', gives: ['B en', 'A en'] },
    { says: 'populated entries are of any locale', ask: '?filters[related][locale]=en&locale=fr', gives: ['D fr'] },
  ])
  it('what is populated is not restricted by locale', async () => {
    const { body } = await api.get('/articles?locale=fr&filters[title]=D fr&populate[related][sort]=title')
    assert.deepEqual(titles(body.data[0].attributes.related), ['A en', 'B en'])
  })
  it('attributes stand in the order of the old server', async () => {
    const { body } = await api.get('/articles?locale=de')
    assert.deepEqual(Object.keys(body.data[0].attributes).slice(-3), ['createdAt', 'updatedAt', 'locale'])
  })
})

contract('the parameter locale, as Strapi 4 reads it', world({}, { rows, rest: { dialect: 'strapi4' } }), api => {
  reads(api, '/articles', titles, [
    { says: 'an unknown locale has no entries', ask: '?locale=xx', gives: [] },
    { says: 'nor has an empty one', ask: '?locale=', gives: [] },
    { says: 'a list', ask: '?sort=title&locale[]=fr&locale[]=de', gives: ['A de', 'A fr', 'B fr', 'D fr'] },
  ])
  it('an unknown locale of a single type is not found', async () => {
    refused(await api.get('/homepage?locale=xx'), { status: 404, name: 'NotFoundError' })
  })
  it('types without localization ignore it', async () => {
    assert.equal((await api.get('/tags?locale=fr')).status, 200)
  })
  it('entries have no meta', async () => {
    const { body } = await api.get('/articles?locale=de')
    assert.deepEqual(Object.keys(body.data[0]), ['id', 'attributes'])
  })
})

contract('what it costs', world({}, { rows }), api => {
  it('one locale is a filter of the statements that are there anyway', async () => {
    await api.get('/articles?locale=all&fields=title&pagination[withCount]=false')
    const { statements } = await api.get('/articles?locale=fr&fields=title&pagination[withCount]=false')
    // Engines that do not write the meta themselves need one statement more.
    assert.ok(statements.length <= (api.engine.name === 'sqlite' ? 1 : 2), statements.join('\n'))
  })
})
