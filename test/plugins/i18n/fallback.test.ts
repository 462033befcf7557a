import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { type Body, contract, reads } from '../../support/contract.js'
import { localize, titles, world } from './world.js'

/** A in all three, B in en and fr, C in en alone, D in de alone, E in en with a French draft. */
const rows: NonNullable<Parameters<typeof world>[1]>['rows'] = async app => {
  const articles = app.entries('api::article.article')
  const publishedAt = '2024-01-01T00:00:00.000Z'
  const make = async (name: string, first: string, ...others: string[]) => {
    const { id } = await articles.create({ title: `${name} ${first}`, locale: first })
    for (const locale of others)
      await localize(app, 'articles', id, { locale, title: `${name} ${locale}`, publishedAt })
  }
  await make('A', 'en', 'fr', 'de')
  await make('B', 'en', 'fr')
  await make('C', 'en')
  await make('D', 'de')
  const { id } = await articles.create({ title: 'E en' })
  await localize(app, 'articles', id, { locale: 'fr', title: 'E fr' })
  await app.inject({ method: 'PUT', url: '/api/homepage', payload: { data: { headline: 'Hello' } } })
  await localize(app, 'homepage', undefined, { locale: 'fr', headline: 'Bonjour' })
}
const plugins = (settings: object) => [draftAndPublish, [i18n, { locales: ['fr', 'de'], ...settings }]] as const
const of = (settings: object, more: object = {}) => world({}, { rows, plugins: [...plugins(settings)], ...more })
const headline = ({ data }: Body) => data.attributes.headline

contract('the parameter fallback', of({}), api => {
  reads(api, '/articles', titles, [
    { says: 'none unless asked for', ask: '?sort=title&locale=fr', gives: ['A fr', 'B fr'] },
    {
      says: 'each entry in the first locale in which it is to be seen',
      ask: '?sort=title&locale=fr&fallback=en',
      gives: ['A fr', 'B fr', 'C en', 'E en'],
    },
    {
      says: 'in the order of the chain',
      ask: '?sort=title&locale=fr&fallback=de,en',
      gives: ['A fr', 'B fr', 'C en', 'D de', 'E en'],
    },
    {
      says: 'the other order',
      ask: '?sort=title&locale=de&fallback=en,fr',
      gives: ['A de', 'B en', 'C en', 'D de', 'E en'],
    },
    {
      says: 'a list',
      ask: '?sort=title&locale=de&fallback[]=fr&fallback[]=en',
      gives: ['A de', 'B fr', 'C en', 'D de', 'E en'],
    },
    {
      says: 'a locale may be named twice',
      ask: '?sort=title&locale=fr&fallback=fr,en,en',
      gives: ['A fr', 'B fr', 'C en', 'E en'],
    },
    {
      says: 'true is the default locale where no chain is configured',
      ask: '?sort=title&locale=fr&fallback=true',
      gives: ['A fr', 'B fr', 'C en', 'E en'],
    },
    { says: 'false is none', ask: '?sort=title&locale=fr&fallback=false', gives: ['A fr', 'B fr'] },
    {
      says: 'a draft hides nothing from those who do not see it',
      ask: '?sort=title&locale=fr&fallback=en&publicationState=preview',
      gives: ['A fr', 'B fr', 'C en', 'E fr'],
    },
    {
      says: 'filters hold for what is shown',
      ask: '?filters[title][$endsWith]=en&sort=title&locale=fr&fallback=en',
      gives: ['C en', 'E en'],
    },
    {
      says: 'for several locales',
      ask: '?sort=title&locale[]=fr&locale[]=de&fallback=en',
      gives: ['A de', 'A fr', 'B fr', 'C en', 'D de', 'E en'],
    },
    {
      says: 'nothing is behind all',
      ask: '?sort=title&locale=all&fallback=en&filters[title][$startsWith]=A',
      gives: ['A de', 'A en', 'A fr'],
    },
    {
      says: 'an unknown locale',
      ask: '?locale=fr&fallback=xx',
      fails: { status: 400, parameter: 'fallback', message: /"xx".*en, fr, de/ },
    },
    { says: 'an object', ask: '?locale=fr&fallback[a]=en', fails: { status: 400, parameter: 'fallback' } },
  ])
  it('pages and totals count what is shown', async () => {
    const { body } = await api.get(
      '/articles?locale=fr&fallback=de,en&sort=title&pagination[pageSize]=2&pagination[page]=2',
    )
    assert.deepEqual(titles(body), ['C en', 'D de'])
    assert.deepEqual(body.meta.pagination, { page: 2, pageSize: 2, pageCount: 3, total: 5 })
  })
  it('costs no statement more', async () => {
    const counted = async (ask: string) => {
      const { statements } = await api.get(`/articles?locale=fr&fields=title&pagination[withCount]=false${ask}`)
      return statements.filter(sql => sql.includes('articles')).length
    }
    assert.equal(await counted('&fallback=de,en'), await counted(''))
  })
  it('belongs to reading', async () => {
    assert.equal((await api.send('POST', '/articles?fallback=en', { data: { title: 't' } })).status, 400)
  })
  describe('of a single type', () => {
    reads(api, '/homepage', headline, [
      { says: 'the locale itself', ask: '?locale=fr&fallback=en', gives: 'Bonjour' },
      { says: 'the first of the chain', ask: '?locale=de&fallback=fr,en', gives: 'Bonjour' },
      { says: 'the first of another chain', ask: '?locale=de&fallback=en,fr', gives: 'Hello' },
      { says: 'none', ask: '?locale=de', fails: { status: 404 } },
    ])
  })
})

contract('the setting fallback', of({ fallback: ['de', 'en'] }), api => {
  reads(api, '/articles', titles, [
    { says: 'holds for every read', ask: '?sort=title&locale=fr', gives: ['A fr', 'B fr', 'C en', 'D de', 'E en'] },
    { says: 'and for the default locale', ask: '?sort=title', gives: ['A en', 'B en', 'C en', 'D de', 'E en'] },
    { says: 'unless the request says none', ask: '?sort=title&locale=fr&fallback=false', gives: ['A fr', 'B fr'] },
    {
      says: 'true means it',
      ask: '?sort=title&locale=fr&fallback=true',
      gives: ['A fr', 'B fr', 'C en', 'D de', 'E en'],
    },
    { says: 'or another chain', ask: '?sort=title&locale=fr&fallback=en', gives: ['A fr', 'B fr', 'C en', 'E en'] },
  ])
  it('a write is meant for the locale that it names', async () => {
    const { status } = await api.send('DELETE', '/homepage?locale=de')
    assert.equal(status, 404)
    assert.equal((await api.send('PUT', '/homepage?locale=de', { data: { headline: 'x' } })).status, 400)
    assert.equal(headline((await api.get('/homepage?locale=fr')).body), 'Bonjour')
  })
})

contract('a chain for each locale', of({ fallback: { fr: ['de'], '*': ['en'] } }), api => {
  reads(api, '/articles', titles, [
    { says: 'its own', ask: '?sort=title&locale=fr', gives: ['A fr', 'B fr', 'D de'] },
    { says: 'that of all others', ask: '?sort=title&locale=de', gives: ['A de', 'B en', 'C en', 'D de', 'E en'] },
  ])
})

contract('a chain in the old dialect', of({}, { rest: { dialect: 'strapi4' } }), api => {
  reads(api, '/articles', titles, [
    {
      says: 'hides no entry behind a draft either',
      ask: '?sort=title&locale=fr&fallback=en',
      gives: ['A fr', 'B fr', 'C en', 'E en'],
    },
    {
      says: 'passes over unknown locales',
      ask: '?sort=title&locale=fr&fallback=xx,en',
      gives: ['A fr', 'B fr', 'C en', 'E en'],
    },
  ])
})
