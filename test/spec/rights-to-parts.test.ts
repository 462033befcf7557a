import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Caller, definePlugin } from '../../core/index.js'
import { bulk } from '../../plugins/bulk/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { patch } from '../../plugins/patch/index.js'
import { versions } from '../../plugins/versions/index.js'
import { type Api, type Body, contract, refused } from '../support/contract.js'

const components = {
  'shared.social': { attributes: { title: { type: 'string' }, image: { type: 'string' } } },
  'shared.seo': {
    attributes: {
      metaTitle: { type: 'string' },
      secret: { type: 'string' },
      hidden: { type: 'string', private: true },
      required: { type: 'string', default: 'made' },
      social: { type: 'component', component: 'shared.social' },
      links: { type: 'component', component: 'shared.social', repeatable: true },
    },
  },
  'blocks.quote': { attributes: { text: { type: 'string' }, source: { type: 'string' } } },
  'blocks.note': { attributes: { text: { type: 'string' } } },
}

const types = {
  page: {
    options: { versions: true },
    attributes: {
      title: { type: 'string' },
      code: { type: 'string', unique: true },
      seo: { type: 'component', component: 'shared.seo' },
      other: { type: 'component', component: 'shared.seo' },
      list: { type: 'component', component: 'shared.social', repeatable: true },
      zone: { type: 'dynamiczone', components: ['blocks.quote', 'blocks.note'] },
    },
  },
  word: {
    pluginOptions: { i18n: { localized: true } },
    attributes: { text: { type: 'string' }, seo: { type: 'component', component: 'shared.seo' } },
  },
}
const page = 'api::page.page'

/** Names of attributes by the header of a request; without one it may do everything. */
const rights: Readonly<Record<string, ReadonlySet<string>>> = {
  part: new Set(['title', 'code', 'seo.metaTitle', 'seo.social.title', 'list.title', 'zone.text', 'text', 'locale']),
  all: new Set(
    ['metaTitle', 'secret', 'hidden', 'required', 'social.title', 'social.image', 'links.title', 'links.image'].map(
      name => `seo.${name}`,
    ),
  ),
  odd: new Set(['title', 'title.length', 'seo.nothing.here', 'none.at.all']),
}
const functions = new Map(
  Object.entries(rights).map(([name, names]) => {
    const fields = (_: string, uid: string) => (uid.startsWith('api::') ? names : undefined)
    return [name, { scope: name, id: name, can: () => true, fields } satisfies Caller]
  }),
)
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => functions.get(String(headers['x-rights'])),
})

const seo = {
  ...{ metaTitle: 'M', secret: 'S', hidden: 'H', required: 'R', social: { title: 'T', image: 'I' } },
  links: [{ title: 'a', image: 'b' }],
}
const whole = {
  ...{
    title: 'P',
    seo,
    other: seo,
    list: [
      { title: 'one', image: '1' },
      { title: 'two', image: '2' },
    ],
  },
  zone: [
    { __component: 'blocks.quote', text: 'q', source: 's' },
    { __component: 'blocks.note', text: 'n' },
  ],
}
const world: Parameters<typeof contract>[1] = {
  types,
  components,
  plugins: [callers, draftAndPublish, [i18n, { locales: ['de'] }], patch, bulk, versions],
  rows: async ({ entries }: Api['app']) => void (await entries(page).create({ ...whole, code: 'first' })),
}
const as = (name: string) => ({ 'x-rights': name })
const everything = 'populate[seo][populate]=*&populate[list]=true&populate[zone]=true'

/** A value without the ids in it. */
const bare = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'id' ? undefined : inner)))

contract('rights to parts of components: what is read', world, api => {
  const attributes = async (query: string, who = 'part') => {
    const answer = await api.get(`/pages/1?${query}`, as(who))
    assert.equal(answer.status, 200, answer.text)
    return bare(answer.body.data.attributes) as Body
  }
  it('is the parts, at every depth, in lists and zones', async () => {
    assert.deepEqual(await attributes(everything), {
      ...{ title: 'P', code: 'first', seo: { metaTitle: 'M', social: { title: 'T' } } },
      list: [{ title: 'one' }, { title: 'two' }],
      zone: [
        { __component: 'blocks.quote', text: 'q' },
        { __component: 'blocks.note', text: 'n' },
      ],
    })
    const all = await attributes('populate=*')
    assert.deepEqual(Object.keys(all), ['title', 'code', 'seo', 'list', 'zone'])
    assert.deepEqual(all.seo, { metaTitle: 'M' })
    assert.deepEqual(await attributes('fields=title&populate[seo][fields]=metaTitle'), {
      title: 'P',
      seo: { metaTitle: 'M' },
    })
  })
  it('is the whole where all parts are named, private ones as well', async () => {
    assert.deepEqual(await attributes('populate[seo][populate]=*', 'all'), { seo })
    assert.deepEqual(await attributes('populate=*', 'odd'), { title: 'P' }, 'names that lead nowhere show nothing')
  })
  for (const query of [
    ...[
      'populate[seo][fields]=secret',
      'populate[seo][populate]=links',
      'populate[seo][populate][social][fields]=image',
    ],
    ...['populate=other', 'populate[list][fields]=image', 'populate[zone][on][blocks.quote][fields]=source'],
    ...[
      'filters[seo][secret]=S',
      'filters[seo][social][image]=I',
      'filters[$or][0][seo][hidden]=H',
      'filters[list][image]=1',
    ],
    ...['sort=seo.secret', 'sort=seo.social.image', 'filters[other][metaTitle]=M'],
  ])
    it(`is refused where it is another: ${query}`, async () => {
      assert.equal((await api.get(`/pages?${query.replace('hidden', 'secret')}`)).status, 200, 'others may')
      refused(await api.get(`/pages?${query}`, as('part')), { status: 400 })
    })
  it('may be filtered and sorted by', async () => {
    const { body } = await api.get(
      '/pages?filters[seo][social][title]=T&filters[list][title]=two&sort=seo.metaTitle',
      as('part'),
    )
    assert.equal(body.data.length, 1)
  })
})

contract('rights to parts of components: what is written', world, api => {
  let count = 0
  const make = async () => {
    count += 1
    return Number((await api.app.entries(page).create({ ...whole, code: `w${count}` })).id)
  }
  const stored = async (id: number): Promise<Body> => {
    const populate = { seo: { populate: '*' }, list: true, zone: true }
    return (await api.app.entries(page).first({ where: { id }, everything: true, populate })) as Body
  }
  const put = (id: number, data: object, who = 'part') =>
    api.send('PUT', `/pages/${id}?${who === 'part' ? everything : ''}`, { data }, as(who))

  it('keeps the other parts of a component, which is the stored one with its id and without', async () => {
    const id = await make()
    const before = await stored(id)
    const answer = await put(id, { seo: { metaTitle: 'new', social: { title: 'new' } } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(bare(answer.body.data.attributes.seo), { metaTitle: 'new', social: { title: 'new' } })
    const expected = { ...seo, metaTitle: 'new', social: { ...seo.social, title: 'new' } }
    const after = await stored(id)
    assert.deepEqual(bare(after.seo), expected)
    assert.equal(after.seo.id, before.seo.id)
    const { id: part, social } = before.seo
    assert.equal((await put(id, { seo: { id: part, metaTitle: 'again', social: { id: social.id } } })).status, 200)
    assert.deepEqual(bare((await stored(id)).seo), { ...expected, metaTitle: 'again' })
    assert.equal((await put(id, { seo: {} })).status, 200)
    assert.deepEqual(bare((await stored(id)).seo), { ...expected, metaTitle: 'again' })
  })
  it('refuses others by name, and changes nothing', async () => {
    const id = await make()
    const before = await stored(id)
    const quote = before.zone[0].id
    for (const [data, ...paths] of [
      [{ title: 'x', seo: { metaTitle: 'x', secret: 'x' } }, 'seo.secret'],
      [
        { seo: { hidden: 'x', social: { image: 'x', title: 'x' }, links: [] } },
        'seo.hidden',
        'seo.links',
        'seo.social.image',
      ],
      [{ list: [{ title: 'x' }, { image: 'x' }] }, 'list.1.image'],
      [{ zone: [{ __component: 'blocks.quote', id: quote, source: 'x' }] }, 'zone.0.source'],
      [{ other: { metaTitle: 'x' } }, 'other'],
    ] as const) {
      const answer = await put(id, data)
      refused(answer, { status: 400 })
      assert.deepEqual(
        answer.body.error.details.errors.map(({ path }: Body) => path.join('.')).sort(),
        paths,
        answer.text,
      )
    }
    const { updatedAt } = before
    assert.equal((await stored(id)).updatedAt, updatedAt)
    assert.equal((await put(id, { seo: { nothing: 1 } }, 'odd')).status, 400)
  })
  it('removes no component that has others, and adds to lists', async () => {
    const id = await make()
    const before = await stored(id)
    for (const [data, name] of [
      [{ seo: null }, 'seo'],
      [{ seo: { social: null } }, 'seo.social'],
      [{ list: [{ id: before.list[0].id }] }, 'list'],
      [{ list: [] }, 'list'],
      [{ zone: [] }, 'zone'],
    ] as const) {
      const answer = await put(id, data)
      refused(answer, {
        status: 400,
        message: `${name} has parts that the caller may not write, so that it cannot be removed`,
      })
      assert.deepEqual(answer.body.error.details.errors[0].path.join('.'), name)
    }
    assert.deepEqual(await stored(id), before)
    const [one, two] = before.list
    const moved = [{ id: two.id }, { title: 'three' }, { id: one.id, title: 'first' }]
    const [quote, note] = before.zone
    const zone = [
      { __component: 'blocks.note', id: note.id },
      { __component: 'blocks.quote', id: quote.id, text: 'Q' },
    ]
    const answer = await put(id, { list: moved, zone })
    assert.equal(answer.status, 200, answer.text)
    const after = await stored(id)
    assert.deepEqual(bare(after.list), [whole.list[1], { title: 'three', image: null }, { title: 'first', image: '1' }])
    assert.deepEqual(bare(after.zone), [whole.zone[1], { ...whole.zone[0], text: 'Q' }])
  })
  it('makes new ones of the parts alone', async () => {
    const answer = await api.send('POST', '/pages', { data: { seo: { metaTitle: 'x' } } }, as('part'))
    assert.equal(answer.status, 200, answer.text)
    const made = { ...{ metaTitle: 'x', secret: null, hidden: null, required: 'made' }, social: null, links: [] }
    assert.deepEqual(bare((await stored(answer.body.data.id)).seo), made)
    refused(await api.send('POST', '/pages', { data: { seo: { secret: 'x' } } }, as('part')), { status: 400 })
    const { id } = await api.app.entries(page).create({ title: 'none' })
    assert.equal((await put(Number(id), { seo: { metaTitle: 'x' } })).status, 200)
    assert.deepEqual(bare((await stored(Number(id))).seo), made)
  })
  it('is the whole where all parts are named', async () => {
    const id = await make()
    assert.equal((await put(id, { seo: { secret: 'only' } }, 'all')).status, 200)
    assert.equal((await stored(id)).seo.metaTitle, null)
    assert.equal((await put(id, { seo: null }, 'all')).status, 200)
    assert.equal((await stored(id)).seo, null)
  })
  it('holds by value, in patches, in bulk and for restored versions', async () => {
    const id = await make()
    const code = `w${count}`
    const data = { seo: { metaTitle: 'x' } }
    const forbidden = { seo: { secret: 'x' } }
    const byValue = (sent: object) => api.send('PUT', `/pages/by/code/${code}`, { data: sent }, as('part'))
    const patched = (sent: object) => api.send('PATCH', `/pages/${id}`, { data: sent }, as('part'))
    const many = (sent: object) =>
      api.send('POST', '/pages/bulk', { operations: [{ update: id, data: sent }] }, as('part'))
    for (const write of [byValue, patched, many]) {
      refused(await write(forbidden), { status: 400 })
      const answer = await write(data)
      assert.equal(answer.status, 200, answer.text)
      const { seo: kept } = await stored(id)
      assert.deepEqual([kept.metaTitle, kept.secret, kept.social.image], ['x', 'S', 'I'])
    }
    refused(await patched({ seo: null }), { status: 400 })
    const seen = await api.get(`/pages/${id}/versions/1`, as('part'))
    assert.equal(seen.status, 200, seen.text)
    assert.doesNotMatch(seen.text, /secret|hidden|image|source|"S"|"I"/)
    assert.match(seen.text, /metaTitle/)
    await api.app.entries(page).update(id, { seo: { ...seo, secret: 'later' } })
    const restored = await api.send('POST', `/pages/${id}/versions/1/actions/restore`, {}, as('part'))
    assert.equal(restored.status, 200, restored.text)
    assert.equal((await stored(id)).seo.secret, 'later')
  })
  it('holds for localizations', async () => {
    const { id } = await api.app.entries('api::word.word').create({ text: 'a', locale: 'en', seo })
    const add = (data: object) => api.send('POST', `/words/${id}/localizations`, { data }, as('part'))
    refused(await add({ locale: 'de', text: 'b', seo: { secret: 'x' } }), { status: 400 })
    const made = await add({ locale: 'de', text: 'b', seo: { metaTitle: 'x' } })
    assert.equal(made.status, 200, made.text)
  })
})

contract('rights to parts of components in the dialect of v4', { ...world, rest: { dialect: 'strapi4' } }, api => {
  it('leave other parts out of a body, as names that do not exist, and out of what is shown', async () => {
    const data = { seo: { metaTitle: 'new', secret: 'x', social: { image: 'x' } }, list: undefined }
    const answer = await api.send('PUT', '/pages/1?populate=seo,seo.social,seo.links', { data }, as('part'))
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(bare(answer.body.data.attributes.seo), { metaTitle: 'new', social: { title: 'T' } })
    const stored = await api.app
      .entries(page)
      .first({ where: { id: 1 }, everything: true, populate: { seo: { populate: '*' } } })
    assert.deepEqual(bare(stored?.seo), { ...seo, metaTitle: 'new' })
  })
})
