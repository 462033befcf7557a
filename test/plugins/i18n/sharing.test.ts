import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { type Api, type Body, contract, refused } from '../../support/contract.js'
import { localize, world } from './world.js'

const make = async (api: Api, data: object = {}): Promise<[en: number, fr: number, de: number]> => {
  const en = (await api.send('POST', '/articles', { data: { title: 'en', ...data } })).body.data.id
  const fr = await localize(api.app, 'articles', en, { locale: 'fr', title: 'fr' })
  return [en, fr, await localize(api.app, 'articles', fr, { locale: 'de', title: 'de' })]
}
const put = async (api: Api, id: number, data: object, query = ''): Promise<Body> => {
  const answer = await api.send('PUT', `/articles/${id}${query}`, { data })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
const copies = (api: Api, ids: readonly number[], name: string): Promise<unknown[]> =>
  Promise.all(ids.map(async id => (await api.app.entries('api::article.article').copy(id, [name]))?.[name]))

/** Columns as another program writes them. */
const raw = (api: Api, table: string, columns: object, ids?: readonly number[]): Promise<unknown> => {
  const { knex, transaction } = api.app.store
  const query = knex(table).update(columns)
  const { sql, bindings } = (ids ? query.whereIn('id', [...ids]) : query).toSQL().toNative()
  return transaction(async session => session.run(sql, bindings))
}

contract('attributes that are not localized', world(), api => {
  const values = [
    { name: 'rating', value: 5 },
    { name: 'rating', value: null },
    { name: 'day', value: '2024-02-29' },
    { name: 'note', value: 'private' },
    { name: 'extra', value: { list: [1, { two: 'drei' }] } },
    { name: 'extra', value: 'only a text' },
  ]
  for (const { name, value } of values)
    it(`are changed in all localizations: ${name} to ${JSON.stringify(value)}`, async () => {
      const ids = await make(api, { rating: 1 })
      await put(api, ids[1], { [name]: value })
      assert.deepEqual(await copies(api, ids, name), [value, value, value])
    })

  it('a component is written to each as its own', async () => {
    const [en, fr, de] = await make(api, { seo: { metaTitle: 'old', hint: 'private' } })
    const { seo } = (await api.get(`/articles/${fr}?populate=seo`)).body.data.attributes
    await put(api, fr, { seo: { id: seo.id, metaTitle: 'new', slide: { caption: 'inner' } } })
    const wanted = { metaTitle: 'new', hint: 'private', slide: { caption: 'inner' }, tag: null }
    assert.deepEqual(await copies(api, [en, fr, de], 'seo'), [wanted, wanted, wanted])
    const { body } = await api.get('/articles?locale=all&populate=seo&filters[seo][metaTitle]=new')
    const ids = body.data.map((one: Body) => one.attributes.seo.id)
    assert.equal(ids.length, 3)
    assert.equal(new Set(ids).size, ids.length, 'no component belongs to two entries')
    await put(api, en, { seo: null })
    assert.deepEqual(await copies(api, [en, fr, de], 'seo'), [null, null, null])
  })
  it('a zone is written to each', async () => {
    const ids = await make(api)
    const blocks = [
      { __component: 'shared.slide', caption: 'a' },
      { __component: 'shared.slide', caption: 'b' },
    ]
    await put(api, ids[0], { blocks })
    assert.deepEqual(await copies(api, ids, 'blocks'), [blocks, blocks, blocks])
  })
  it('a relation is set in all, in its order', async () => {
    const tags = api.app.entries('api::tag.tag')
    const [a, b, c] = [(await tags.create({})).id, (await tags.create({})).id, (await tags.create({})).id]
    const ids = await make(api, { tags: [a, b] })
    await put(api, ids[2], { tags: { connect: [{ id: c, position: { start: true } }], disconnect: [a] } })
    assert.deepEqual(await copies(api, ids, 'tags'), [
      [c, b],
      [c, b],
      [c, b],
    ])
    const author = (await api.app.entries('api::author.author').create({})).id
    await put(api, ids[1], { author })
    assert.deepEqual(await copies(api, ids, 'author'), [author, author, author])
  })
  it('what is localized stays, and so do addresses and relations within a locale', async () => {
    const ids = await make(api)
    const [en, fr, de] = ids
    await put(api, fr, { title: 'neuf', slides: [{ caption: 'un' }], slug: 'neuf', related: [fr] })
    assert.deepEqual(await copies(api, ids, 'title'), ['en', 'neuf', 'de'])
    assert.deepEqual(await copies(api, ids, 'slides'), [[], [{ caption: 'un' }], []])
    assert.deepEqual(await copies(api, ids, 'slug'), [null, 'neuf', null])
    assert.deepEqual(await copies(api, [en, de], 'related'), [[], []])
  })
  it('a password that is changed is changed in all', async () => {
    const ids = await make(api)
    await put(api, ids[0], { secret: 'new password' })
    const { knex, reader } = api.app.store
    const { sql, bindings } = knex('articles').select('secret').whereIn('id', ids).toSQL().toNative()
    for (const [hash] of await reader.all(sql, bindings)) assert.match(String(hash), /^\$2/)
  })
  it('what is refused for one is undone for all', async () => {
    const ids = await make(api, { rating: 1 })
    refused(await api.send('PUT', `/articles/${ids[0]}`, { data: { rating: 7, title: null } }), { status: 400 })
    assert.deepEqual(await copies(api, ids, 'rating'), [1, 1, 1])
  })
  it('writes of localizations at the same time end with the same value everywhere', async () => {
    const ids = await make(api, { rating: 0 })
    const answers = await Promise.all(
      ids.map((id, index) => api.send('PUT', `/articles/${id}`, { data: { rating: index } })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(new Set(await copies(api, ids, 'rating')).size, 1)
  })
  it('a change of what is localized costs the others nothing', async () => {
    const [en] = await make(api)
    const { statements } = await api.send('PUT', `/articles/${en}`, { data: { title: 'x' } })
    const writes = statements.filter(sql => /^update/i.test(sql))
    assert.equal(writes.length, 1, statements.join('\n'))
  })
})

const seen: string[] = []
const watcher = definePlugin({
  name: 'watcher',
  appliesTo: type => type.uid === 'api::article.article',
  attributes: { stamp: { type: 'string' } },
  hooks: { afterWrite: ({ id }, { write }) => void seen.push(`${write.action} ${id}`) },
})

contract(
  'sharing and other plugins',
  world({}, { plugins: [draftAndPublish, [i18n, { locales: ['fr', 'de'] }], watcher] }),
  api => {
    it('their hooks see the write of every localization, once', async () => {
      const [en, fr, de] = await make(api)
      seen.length = 0
      await put(api, fr, { rating: 3 })
      assert.deepEqual(seen.sort(), [en, fr, de].map(id => `update ${id}`).sort())
    })
    it('their attributes belong to each localization', async () => {
      const ids = await make(api, { stamp: 'en' })
      await put(api, ids[1], { stamp: 'fr' })
      assert.deepEqual(await copies(api, ids, 'stamp'), ['en', 'fr', null])
    })
    it('a draft stays one while shared values reach it, and publishing one publishes no other', async () => {
      const [en, fr, de] = await make(api)
      await put(api, en, { rating: 8 })
      await put(api, fr, { publishedAt: '2024-01-01T00:00:00.000Z' })
      const states = await copies(api, [fr, de], 'publishedAt')
      assert.deepEqual(states, ['2024-01-01T00:00:00.000Z', null])
      assert.deepEqual(await copies(api, [en, fr, de], 'rating'), [8, 8, 8])
    })
  },
)

contract('sharing as Strapi 4 does it', world({}, { rest: { dialect: 'strapi4' } }), api => {
  it('a change is shared only where the request populates localizations', async () => {
    const ids = await make(api, { rating: 1 })
    await put(api, ids[0], { rating: 2 })
    assert.deepEqual(await copies(api, ids, 'rating'), [2, 1, 1])
    await put(api, ids[0], { rating: 3 }, '?populate=localizations')
    assert.deepEqual(await copies(api, ids, 'rating'), [3, 3, 3])
  })
  it('components only where they are populated too, relations never', async () => {
    const tag = (await api.app.entries('api::tag.tag').create({})).id
    const ids = await make(api)
    const seo = { metaTitle: 'm', hint: null, slide: null, tag: null }
    await put(api, ids[0], { seo, tags: [tag] }, '?populate=localizations,tags')
    assert.deepEqual(await copies(api, ids, 'seo'), [seo, null, null])
    await put(api, ids[0], { seo, tags: [tag] }, '?populate=*')
    assert.deepEqual(await copies(api, ids, 'seo'), [seo, seo, seo])
    assert.deepEqual(await copies(api, ids, 'tags'), [[tag], [], []])
  })
  it('what was stored before is shared with it', async () => {
    const ids = await make(api, { rating: 1 })
    const stored = { rating: 2, note: 'private', day: '2024-02-29', extra: { list: [1] } }
    await put(api, ids[0], stored)
    assert.deepEqual(await copies(api, ids, 'rating'), [2, 1, 1])
    await put(api, ids[0], { title: 'new' }, '?populate=localizations')
    for (const [name, value] of Object.entries(stored))
      assert.deepEqual(await copies(api, ids, name), [value, value, value], name)
    assert.deepEqual(await copies(api, ids, 'title'), ['new', 'fr', 'de'])
  })
  it('of the columns only those that the response shows', async () => {
    const ids = await make(api, { rating: 1, day: '2024-01-01' })
    await put(api, ids[1], { rating: 2, day: '2024-02-29' })
    await put(api, ids[1], { rating: 3 }, '?populate=localizations&fields=day')
    assert.deepEqual(await copies(api, ids, 'day'), ['2024-02-29', '2024-02-29', '2024-02-29'])
    assert.deepEqual(await copies(api, ids, 'rating'), [1, 3, 1])
  })
  it('stored components and zones only where they are populated, each as its own', async () => {
    const ids = await make(api)
    const seo = { metaTitle: 'stored', hint: 'private', slide: { caption: 'inner' }, tag: null }
    const blocks = [{ __component: 'shared.slide', caption: 'a' }]
    await put(api, ids[0], { seo, blocks })
    await put(api, ids[0], { title: 'new' }, '?populate=localizations')
    assert.deepEqual(await copies(api, ids, 'seo'), [seo, null, null])
    await put(api, ids[0], { title: 'newer' }, '?populate=*')
    assert.deepEqual(await copies(api, ids, 'seo'), [seo, seo, seo])
    assert.deepEqual(await copies(api, ids, 'blocks'), [blocks, blocks, blocks])
    const { body } = await api.get('/articles?locale=all&populate=seo&filters[seo][metaTitle]=stored')
    const parts = body.data.map((one: Body) => one.attributes.seo.id)
    assert.equal(new Set(parts).size, 3, 'no component belongs to two entries')
  })
  it('what a new localization has is shared with the others, as far as it was stored too', async () => {
    const ids = await make(api, { rating: 1 })
    await put(api, ids[0], { rating: 4 })
    await api.send('DELETE', `/articles/${ids[2]}`)
    const de = await localize(api.app, 'articles', ids[0], { locale: 'de', title: 'de' })
    assert.deepEqual(await copies(api, [ids[0], ids[1], de], 'rating'), [4, 4, 4])
  })
  it('what is sent with a new localization is', async () => {
    const ids = await make(api, { rating: 1 })
    await api.send('DELETE', `/articles/${ids[2]}`)
    const de = await localize(api.app, 'articles', ids[0], { locale: 'de', title: 'de', rating: 9 })
    assert.deepEqual(await copies(api, [ids[0], ids[1], de], 'rating'), [9, 9, 9])
  })
})

const draft = {
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    code: { type: 'string', required: true },
    kind: { type: 'enumeration', enum: ['a', 'b'] },
  },
} as const
contract(
  'sharing of drafts as Strapi 4 does it',
  world(
    {},
    {
      types: { draft, tag: { attributes: {} } },
      plugins: [draftAndPublish, [i18n, { locales: ['fr'] }]],
      rest: { dialect: 'strapi4' },
    },
  ),
  api => {
    it('a draft that lacks what is required is shared as it is, published ones included', async () => {
      const made = await api.send('POST', '/drafts', { data: { title: 'en', code: 'a' } })
      const fr = await localize(api.app, 'drafts', made.body.data.id, { locale: 'fr', title: 'fr' })
      const answer = await api.send('PUT', `/drafts/${fr}?populate=localizations`, { data: { code: null } })
      assert.equal(answer.status, 200, answer.text)
      const entry = await api.get(`/drafts/${made.body.data.id}`)
      assert.equal(entry.body.data.attributes.code, null)
    })
    it('values that the schema no longer takes stay where they are the same, and stop nothing', async () => {
      const made = await api.send('POST', '/drafts', { data: { title: 'en', code: 'a' } })
      const { id } = made.body.data
      const fr = await localize(api.app, 'drafts', id, { locale: 'fr', title: 'fr' })
      await raw(api, 'drafts', { kind: 'old' }, [id, fr])
      const answer = await api.send('PUT', `/drafts/${id}?populate=localizations`, { data: { code: 'b' } })
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await api.get(`/drafts/${fr}`)).body.data.attributes.code, 'b')
    })
  },
)

for (const dialect of ['spec', 'strapi4'] as const)
  contract(`updatedAt in the dialect ${dialect}`, world({}, { rest: { dialect } }), api => {
    const old = '2020-01-01T00:00:00.000Z'
    const body = (data: object) => (dialect === 'spec' ? { data } : data) as Readonly<Record<string, unknown>>
    const touched = async (uid: string): Promise<string[]> => {
      const entries = await api.app.entries(uid).find({ sort: 'id' })
      return entries.filter(({ updatedAt }) => updatedAt !== old).map(({ locale }) => String(locale))
    }

    it('of every language changes with a new language, and with a plain change only that of its own', async () => {
      const uid = 'api::article.article'
      const { id } = (await api.send('POST', '/articles', { data: { title: 'en' } })).body.data
      for (const [locale, others] of [
        ['fr', ['en']],
        ['de', ['en', 'fr']],
      ] as const) {
        await raw(api, 'articles', { updated_at: api.app.store.encode('datetime', Date.parse(old)) })
        await localize(api.app, 'articles', id, body({ locale, title: locale }))
        assert.deepEqual(await touched(uid), [...others, locale])
      }
      await raw(api, 'articles', { updated_at: api.app.store.encode('datetime', Date.parse(old)) })
      await put(api, id, { title: 'new' })
      assert.deepEqual(await touched(uid), ['en'])
    })
    it('of a single type, too', async () => {
      await api.send('PUT', '/homepage', { data: { headline: 'en' } })
      await raw(api, 'homepages', { updated_at: api.app.store.encode('datetime', Date.parse(old)) })
      await localize(api.app, 'homepage', undefined, body({ locale: 'fr', headline: 'fr' }))
      assert.deepEqual(await touched('api::homepage.homepage'), ['en', 'fr'])
    })
  })

const related = {
  ...world().types,
  page: {
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      cover: { type: 'media', multiple: false },
      gallery: { type: 'media', multiple: true },
      items: { type: 'relation', relation: 'morphToMany' },
    },
  },
}
contract(
  'files, and entries of any type',
  world({}, { types: related, plugins: [upload, [i18n, { locales: ['fr', 'de'] }]] }),
  api => {
    it('are shared, and copied to a new localization', async () => {
      const file = {
        name: 'a.png',
        hash: 'a',
        ext: '.png',
        mime: 'image/png',
        size: 1,
        url: '/a.png',
        provider: 'local',
      }
      for (const name of ['a', 'b', 'c']) await api.app.entries('plugin::upload.file').create({ ...file, hash: name })
      await api.app.entries('api::tag.tag').create({ name: 't' })
      await api.app.entries('api::author.author').create({ name: 'a' })
      const items = [
        { id: 1, __type: 'api::tag.tag' },
        { id: 1, __type: 'api::author.author' },
      ]
      await api.send('POST', '/pages', { data: { cover: 1, gallery: [3, 2], items } })
      const fr = await localize(api.app, 'pages', 1, { locale: 'fr' })
      const pages = api.app.entries('api::page.page')
      assert.deepEqual(await pages.copy(fr), { locale: 'fr', cover: 1, gallery: [3, 2], items })
      const changed = { cover: 2, gallery: [1, 2, 3], items: items.toReversed() }
      const answer = await api.send('PUT', `/pages/${fr}`, { data: changed })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(await pages.copy(1), { locale: 'en', ...changed })
    })
  },
)

const explicit = { pluginOptions: { i18n: { localized: false } } }
const own = { pluginOptions: { i18n: { localized: true } } }
const page = {
  ...own,
  attributes: {
    title: { type: 'string', ...own },
    slug: { type: 'uid', ...explicit },
    next: { type: 'relation', relation: 'oneToOne', target: 'api::page.page', ...explicit },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag', ...own },
    cover: { type: 'relation', relation: 'oneToOne', target: 'api::cover.cover', inversedBy: 'page', ...explicit },
  },
}
const cover = {
  attributes: { page: { type: 'relation', relation: 'oneToOne', target: 'api::page.page', mappedBy: 'cover' } },
}
contract('what an attribute says itself', world({}, { types: { page, cover, tag: { attributes: {} } } }), api => {
  it('comes before the rules, except that no one can have what only one can', async () => {
    for (const path of ['/tags', '/covers']) await api.send('POST', path, { data: {} })
    const data = { title: 'en', slug: 'same', next: 1, tag: 1, cover: 1 }
    await api.send('POST', '/pages', { data: { ...data, next: null } })
    await api.send('PUT', '/pages/1', { data })
    const fr = await localize(api.app, 'pages', 1, { locale: 'fr', title: 'fr' })
    const pages = api.app.entries('api::page.page')
    const copied = { locale: 'fr', title: 'fr', slug: 'same', next: 1, tag: null, cover: null }
    assert.deepEqual(await pages.copy(fr), copied)
    assert.equal((await pages.copy(1))?.cover, 1)
  })
})
