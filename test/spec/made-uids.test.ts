import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../core/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { type Api, contract, refused, said } from '../support/contract.js'

const page = {
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title' },
    short: { type: 'uid', targetField: 'title', maxLength: 8, options: { separator: '_' } },
  },
}
const types = {
  page,
  brief: {
    attributes: {
      name: { type: 'string', required: true },
      slug: { type: 'uid', targetField: 'name', required: true },
    },
  },
  note: { attributes: { text: { type: 'text' } } },
  strict: { attributes: { name: { type: 'string' }, code: { type: 'uid', targetField: 'name', regex: '^[a-z]+$' } } },
}

/** May do what its header says, of pages. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers }) => {
    const may = String(headers['x-may'] ?? 'create find findOne update delete').split(' ')
    return { scope: `may ${may}`, can: action => may.includes(action) }
  },
})

const slugs = async (api: Api, data: object) => {
  const { status, text, body } = await api.post('/pages', data)
  assert.equal(status, 200, text)
  return [body.data.attributes.slug, body.data.attributes.short]
}

contract('a uid that is not sent', { types, plugins: [names] }, api => {
  it('is made from its targetField, as an address', async () => {
    assert.deepEqual(await slugs(api, { title: 'Ünter den  Linden!' }), ['uenter-den-linden', 'uenter_d'])
    assert.deepEqual(await slugs(api, { title: '!?' }), ['page', 'page'])
  })

  it('gets the first number that is free, within its length', async () => {
    const made = []
    for (let times = 0; times < 4; times += 1) made.push(await slugs(api, { title: 'The same one' }))
    assert.deepEqual(made, [
      ['the-same-one', 'the_same'],
      ['the-same-one-1', 'the_sa-1'],
      ['the-same-one-2', 'the_sa-2'],
      ['the-same-one-3', 'the_sa-3'],
    ])
    await api.delete('/pages/1')
  })

  it('is found with few statements however many there are', async () => {
    for (let times = 0; times < 40; times += 1) await slugs(api, { title: 'Many' })
    const before = await api.post('/pages', { title: 'Few', short: 'few' })
    const { statements, body } = await api.post('/pages', { title: 'Many', short: 'many-x' })
    assert.match(body.data.attributes.slug, /^many-\d+$/)
    assert.ok(statements.length <= before.statements.length + 3, statements.join('\n'))
  })

  it('stays as it is where it is sent, null too, where there is no text, and on update', async () => {
    assert.deepEqual(await slugs(api, { title: 'Sent', slug: 'mine', short: null }), ['mine', null])
    assert.deepEqual(await slugs(api, {}), [null, null])
    const id = await api.make('/pages', { title: 'Before' })
    assert.equal((await api.put(`/pages/${id}`, { title: 'After' })).body.data.attributes.slug, 'before')
  })

  it('may be required: then it is asked for only where nothing is there to make it from', async () => {
    assert.equal((await api.post('/briefs', { name: 'A name' })).body.data.attributes.slug, 'a-name')
    const { body } = await api.post('/briefs', {})
    assert.deepEqual(
      body.error.details.errors.map(({ path }: { path: string[] }) => path.join()),
      ['name', 'slug'],
    )
  })

  it('is named where the rules of the attribute refuse what was made', async () => {
    assert.equal((await api.post('/stricts', { name: 'Fine' })).body.data.attributes.code, 'fine')
    assert.deepEqual(said(await api.post('/stricts', { name: 'Two words' })), [
      400,
      'code must match the following: "/^[a-z]+$/"',
    ])
  })

  it('is made for code, too', async () => {
    const pages = api.app.entries('api::page.page')
    assert.equal((await pages.create({ title: 'By code' })).slug, 'by-code')
  })

  it('is another one for each of many creates at once, also where they come to it by different ways', async () => {
    const titles = Array.from({ length: 24 }, (_, index) => (index % 3 === 0 ? 'Race 1' : 'Race'))
    const made = await Promise.all(titles.map(title => api.post('/pages', { title })))
    assert.deepEqual(
      made.map(({ status }) => status),
      titles.map(() => 200),
    )
    const both = made.map(({ body }) => body.data.attributes)
    for (const name of ['slug', 'short']) assert.equal(new Set(both.map(one => one[name])).size, titles.length)
  })

  describe('POST /pages/uid', () => {
    const propose = (data: unknown, may?: string) =>
      api.send('POST', '/pages/uid', { data }, may === undefined ? {} : { 'x-may': may })

    it('proposes free values and stores nothing', async () => {
      const before = await api.count('pages')
      await slugs(api, { title: 'Taken', short: null })
      const { status, body } = await propose({ title: 'Taken' })
      assert.deepEqual([status, body], [200, { data: { slug: 'taken-1', short: 'taken' }, meta: {} }])
      assert.equal(await api.count('pages'), before + 1)
    })
    it('proposes one for a value that is sent', async () => {
      assert.deepEqual((await propose({ slug: 'taken' })).body.data, { slug: 'taken-1' })
      assert.deepEqual((await propose({ slug: 'still-free' })).body.data, { slug: 'still-free' })
    })
    it('says what it needs', async () => {
      refused(await propose({}), { status: 400, message: '2 errors occurred' })
      refused(await propose({ titel: 'x' }), { status: 400, message: /did you mean "title"/ })
      refused(await propose({ slug: 'two words' }), { status: 400, message: /slug must match/ })
      refused(await propose(null), { status: 400, message: /^Missing "data" payload/ })
      refused(await api.send('POST', '/pages/uid?fields=nope', { data: { title: 'x' } }), { status: 400 })
    })
    it('requires the permission to create', async () => {
      refused(await propose({ title: 'x' }, 'find update'), { status: 403 })
      assert.equal((await propose({ title: 'x' }, 'create')).status, 200)
    })
    it('is there for types that have such an attribute', async () => {
      refused(await api.send('POST', '/notes/uid', { data: {} }), { status: 405 })
    })
  })
})

contract(
  'a uid of localized entries',
  {
    types: { page: { ...page, pluginOptions: { i18n: { localized: true } } } },
    plugins: [[i18n, { locales: ['en', 'fr'] }]],
  },
  api => {
    it('is unique within a locale, under creates at once as well', async () => {
      const titles = ['en', 'fr', 'en', 'fr', 'en', 'fr', 'en', 'fr']
      const made = await Promise.all(titles.map(locale => api.post('/pages', { title: 'Same', locale })))
      for (const locale of ['en', 'fr'])
        assert.deepEqual(
          made
            .map(({ body }) => body.data.attributes)
            .filter(one => one.locale === locale)
            .map(({ slug }) => slug)
            .sort(),
          ['same', 'same-1', 'same-2', 'same-3'],
        )
    })
    it('is proposed for a locale', async () => {
      await api.post('/pages', { title: 'English' })
      const propose = (locale: string) => api.send('POST', '/pages/uid', { data: { title: 'English', locale } })
      assert.equal((await propose('en')).body.data.slug, 'english-1')
      assert.equal((await propose('fr')).body.data.slug, 'english')
    })
    it('is made for a localization', async () => {
      const id = await api.make('/pages', { title: 'A page' })
      const { body } = await api.send('POST', `/pages/${id}/localizations`, { locale: 'fr', title: 'A page' })
      assert.equal(body.slug ?? body.data.attributes.slug, 'a-page')
    })
  },
)

contract('a uid in the dialect of v4', { types, plugins: [names], rest: { dialect: 'strapi4' } }, api => {
  it('stays empty, and is proposed', async () => {
    assert.deepEqual(await slugs(api, { title: 'A title' }), [null, null])
    const { body } = await api.send('POST', '/pages/uid', { data: { title: 'A title' } })
    assert.deepEqual(body.data, { slug: 'a-title', short: 'a_title' })
  })
})

contract('a uid that is made in the dialect of v4', { types, rest: { dialect: 'strapi4', madeUids: true } }, api => {
  it('is another one for each of many creates at once, without an index', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) => api.post('/pages', { title: n % 2 ? 'R' : 'R 1' })),
    )
    assert.equal(new Set(made.map(({ body }) => body.data.attributes.slug)).size, 12)
  })
})
