import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../core/index.js'
import { deepPopulate } from '../../../plugins/deep-populate/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { queryBody } from '../../../plugins/query-body/index.js'
import { upload } from '../../../plugins/upload/index.js'

const string = { type: 'string' }
const to = (relation: string, name: string, more: Record<string, unknown> = {}) => ({
  type: 'relation',
  relation,
  target: `api::${name}.${name}`,
  ...more,
})

/** Articles and authors lead to each other, sections to their parents; secrets are for few. */
const types = {
  article: {
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: string,
      author: to('manyToOne', 'author', { inversedBy: 'articles' }),
      section: to('manyToOne', 'section'),
      related: to('manyToMany', 'article'),
      notes: to('oneToMany', 'note', { private: true }),
      cover: { type: 'media', allowedTypes: ['images'] },
      seo: { type: 'component', component: 'shared.seo' },
      body: { type: 'dynamiczone', components: ['shared.quote', 'shared.gallery'] },
    },
  },
  author: {
    attributes: {
      name: string,
      articles: to('oneToMany', 'article', { mappedBy: 'author' }),
      city: to('manyToOne', 'city'),
      secret: to('oneToOne', 'secret'),
    },
  },
  city: { attributes: { name: string, country: to('manyToOne', 'country') } },
  country: { attributes: { name: string, continent: to('manyToOne', 'continent') } },
  continent: { attributes: { name: string, planet: to('manyToOne', 'planet') } },
  planet: { attributes: { name: string } },
  section: {
    attributes: {
      name: string,
      parent: to('manyToOne', 'section', { inversedBy: 'parts' }),
      parts: to('oneToMany', 'section', { mappedBy: 'parent' }),
    },
  },
  note: { attributes: { text: string } },
  secret: { attributes: { text: string, city: to('manyToOne', 'city') } },
  front: { kind: 'singleType', attributes: { lead: to('oneToOne', 'article') } },
}
const components = {
  'shared.seo': { attributes: { text: string, author: to('oneToOne', 'author') } },
  'shared.quote': { attributes: { text: string, by: to('oneToOne', 'author') } },
  'shared.gallery': { attributes: { name: string, secrets: to('oneToMany', 'secret') } },
}

/** Trusts the name in the request: readers may not find secrets, and editors may not read the city of an author. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers }) => {
    const name = headers['x-name']
    if (name === 'reader') return { scope: 'reader', can: (_, uid) => uid !== 'api::secret.secret' }
    if (name !== 'editor') return undefined
    return {
      scope: 'editor',
      can: () => true,
      fields: (_, uid) => (uid === 'api::author.author' ? editable : undefined),
    }
  },
})
const editable = new Set(['name', 'articles', 'secret'])

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
type Body = any

async function serve(settings: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  const app = await createTestApp({
    types,
    components,
    plugins: [names, [i18n, { locales: ['fr'] }], draftAndPublish, upload, queryBody, [deepPopulate, settings]],
    config: { api: { rest: { entryMeta: false, ...rest } } },
  })
  await fill(app)
  return app
}

async function fill(app: TestApp): Promise<void> {
  const make = (name: string, data: Record<string, unknown>) => app.entries(`api::${name}.${name}`).create(data)
  const publishedAt = new Date().toISOString()
  const planet = await make('planet', { name: 'Earth' })
  const continent = await make('continent', { name: 'Europe', planet: planet.id })
  const country = await make('country', { name: 'Norway', continent: continent.id })
  const city = await make('city', { name: 'Oslo', country: country.id })
  const secret = await make('secret', { text: 'hush', city: city.id })
  const author = await make('author', { name: 'Ann', city: city.id, secret: secret.id })
  const top = await make('section', { name: 'top' })
  const section = await make('section', { name: 'inner', parent: top.id })
  await make('section', { name: 'part', parent: section.id })
  const draft = await make('article', { title: 'draft', author: author.id, publishedAt: null })
  const other = await make('article', { title: 'other', author: author.id, publishedAt })
  const note = await make('note', { text: 'private' })
  const first = await make('article', {
    ...{ title: 'first', author: author.id, section: section.id, publishedAt, notes: [note.id] },
    ...{ related: [other.id, draft.id], seo: { text: 's', author: author.id } },
    body: [
      { __component: 'shared.quote', text: 'q', by: author.id },
      { __component: 'shared.gallery', name: 'g', secrets: [secret.id] },
    ],
  })
  await make('front', { lead: first.id })
}

const titles = (entries: Body): string[] => entries.map(({ attributes }: Body) => attributes.title).sort()

const asking = (app: TestApp, name?: string) => async (url: string) => {
  const answer = await app.inject({ url: `/api${url}`, headers: name === undefined ? {} : { 'x-name': name } })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() as Body }
}

describe('populate=deep', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await serve()
  })
  afterAll(() => app.close())
  const first = async (query: string, name?: string): Promise<Body> =>
    (await asking(app, name)(`/articles/3?${query}`)).body.data.attributes

  it('shows relations, components and zones to the depth of five, the entry itself being the first level', async () => {
    const { author, seo, body, section, cover, localizations } = await first('populate=deep')
    const city = author.data.attributes.city.data
    assert.equal(city.attributes.name, 'Oslo')
    assert.equal(city.attributes.country.data.attributes.continent.data.attributes.name, 'Europe')
    assert.equal(city.attributes.country.data.attributes.continent.data.attributes.planet, undefined, 'the sixth level')
    assert.equal(seo.author.data.attributes.city.data.attributes.country.data.attributes.name, 'Norway')
    assert.equal(body[0].by.data.attributes.city.data.attributes.country.data.attributes.name, 'Norway')
    assert.equal(body[1].secrets.data[0].attributes.text, 'hush')
    assert.equal(section.data.attributes.name, 'inner')
    assert.deepEqual([cover, localizations], [{ data: null }, { data: [] }])
  })

  it('takes a depth', async () => {
    const two = await first('populate=deep,2')
    assert.deepEqual(Object.keys(two.author.data.attributes).includes('city'), false)
    assert.equal((await first('populate=deep,3')).author.data.attributes.city.data.attributes.name, 'Oslo')
    assert.equal('author' in (await first('populate=deep,1')), false)
    const { author } = await first('populate[0]=deep&populate[1]=6')
    assert.ok(author.data.attributes.city.data.attributes.country.data.attributes.continent.data.attributes.planet)
    assert.deepEqual(await first('populate=deep%2C%203'), await first('populate=deep,3'))
  })

  it('refuses a depth that is none, and names beside it', async () => {
    const ask = asking(app)
    for (const query of ['deep,0', 'deep,-1', 'deep,two', 'deep,author', 'deep,3,4', 'deep,1000', 'deep,']) {
      const { status, body } = await ask(`/articles?populate=${query}`)
      assert.equal(status, 400, query)
      assert.match(body.error.message, /^populate: takes deep, or deep,3 with a depth from 1 to 999/)
    }
    const { status, body } = await ask('/articles?populate[author][populate]=deep,x')
    assert.equal(status, 400)
    assert.match(body.error.message, /^populate\[author\]\[populate\]: takes deep/)
    assert.equal((await ask('/articles?populate=deeper')).status, 400)
    assert.equal((await ask('/articles?populate=author,deep')).status, 400)
  })

  it('works in lists, entries, single types, and for what was written', async () => {
    const ask = asking(app)
    const list = await ask('/articles?populate=deep,3&sort=title')
    assert.deepEqual(
      list.body.data.map(({ attributes }: Body) => attributes.author.data.attributes.city.data.attributes.name),
      ['Oslo', 'Oslo'],
    )
    const { body } = await ask('/front?populate=deep,4')
    assert.equal(body.data.attributes.lead.data.attributes.author.data.attributes.city.data.attributes.name, 'Oslo')
    const payload = { data: { name: 'again' } }
    const made = await app.inject({ method: 'PUT', url: '/api/sections/2?populate=deep,2', payload })
    assert.equal(made.json().data.attributes.parent.data.attributes.name, 'top')
    await app.inject({ method: 'PUT', url: '/api/sections/2', payload: { data: { name: 'inner' } } })
    const sent = await app.inject({ method: 'QUERY', url: '/api/articles/3', payload: { populate: ['deep', 3] } })
    assert.equal(sent.statusCode, 200, sent.payload)
    assert.equal(sent.json().data.attributes.author.data.attributes.city.data.attributes.name, 'Oslo')
    assert.equal(sent.headers['deep-populate-cost']?.toString().startsWith('statements='), true)
  })

  it('works inside a populate, with parameters beside it', async () => {
    const found = await first(
      'populate[author][populate]=deep,3&populate[author][fields][0]=name&populate[section]=true',
    )
    const { attributes } = found.author.data
    assert.deepEqual(Object.keys(attributes), ['name', 'articles', 'city', 'secret'])
    assert.equal(attributes.city.data.attributes.country.data.attributes.name, 'Norway')
    assert.equal('parent' in found.section.data.attributes, false)
    assert.equal('seo' in found, false)
    const zone = await first('populate[body][populate]=deep,3')
    assert.equal(zone.body[0].by.data.attributes.city.data.attributes.name, 'Oslo')
    const one = await first('populate[body][on][shared.quote][populate]=deep,2')
    assert.deepEqual([one.body.length, 'city' in one.body[0].by.data.attributes], [1, false])
    const dotted = await first('populate[author.city][populate]=deep,2')
    assert.equal(dotted.author.data.attributes.city.data.attributes.country.data.attributes.name, 'Norway')
    assert.equal('secret' in dotted.author.data.attributes, false)
  })

  it('cuts circles: the way back is left out, and a type that was passed is not followed again', async () => {
    const { author, related, section } = await first('populate=deep,20')
    assert.equal('articles' in author.data.attributes, false)
    assert.deepEqual(
      related.data.map(({ attributes }: Body) => [attributes.title, 'author' in attributes]),
      [['other', false]],
    )
    const { parent, parts } = section.data.attributes
    assert.deepEqual([parent.data.attributes.name, parts.data[0].attributes.name], ['top', 'part'])
    assert.equal('parent' in parent.data.attributes, false)
  })

  it('leaves out what the caller may not find or read, at every depth', async () => {
    const { text } = await (async () => {
      const answer = await app.inject({ url: '/api/articles?populate=deep,20', headers: { 'x-name': 'reader' } })
      return { text: answer.payload }
    })()
    assert.match(text, /Oslo/)
    assert.doesNotMatch(text, /hush|secret/)
    const anybody = await app.inject('/api/articles?populate=deep,20')
    assert.match(anybody.payload, /hush/)
    assert.doesNotMatch(anybody.payload, /private/)
    const { author, body } = await first('populate=deep', 'editor')
    assert.deepEqual(Object.keys(author.data.attributes), ['name', 'secret'])
    assert.equal(author.data.attributes.secret.data.attributes.city.data.attributes.name, 'Oslo')
    assert.deepEqual(Object.keys(body[0].by.data.attributes), ['name', 'articles', 'secret'])
  })

  it('shows what populate=* shows at the second level', async () => {
    for (const name of [undefined, 'reader', 'editor'])
      assert.deepEqual(await first('populate=deep,2', name), await first('populate=*', name))
  })

  it('shows localizations as they are, and drafts where they are asked for', async () => {
    const locale = { method: 'POST', url: '/api/articles/3/localizations' } as const
    const payload = { data: { locale: 'fr', title: 'premier' } }
    const made = await app.inject({ ...locale, payload })
    assert.equal(made.statusCode, 200, made.payload)
    const { localizations, related } = await first('populate=deep,9&publicationState=preview')
    assert.deepEqual(titles(related.data), ['draft', 'other'])
    const [french] = localizations.data
    assert.deepEqual([french.attributes.title, 'localizations' in french.attributes], ['premier', false])
    assert.deepEqual(titles((await first('populate=deep,9')).related.data), ['other'])
  })

  it('tells the cost while developing, of deep responses alone', async () => {
    const ask = asking(app)
    const url = '/authors?populate=deep,4'
    assert.match((await ask(url)).headers['deep-populate-cost'] as string, /^statements=\d+, rows=\d+, cache=miss$/)
    const hit = 'statements=0, rows=0, cache=hit'
    let cost: unknown
    // A response is cached once it is asked for again.
    for (let round = 0; round < 10 && cost !== hit; round += 1) cost = (await ask(url)).headers['deep-populate-cost']
    assert.equal(cost, hit)
    assert.equal(
      (await ask('/authors?populate[city][populate]=deep')).headers['deep-populate-cost'] !== undefined,
      true,
    )
    assert.equal((await ask('/authors?populate=city')).headers['deep-populate-cost'], undefined)
  })
})

describe('a tree beyond the budget', () => {
  it('is refused with a depth that fits, and never shown in part', async () => {
    const app = await serve({ cycles: 'follow' })
    const ask = asking(app)
    const { status, body } = await ask('/articles?populate=deep,10')
    assert.equal(status, 400)
    const [, fits] =
      /^populate: deep,10 of api::article\.article needs more than 100 statements; ask for deep,(\d), or ask for the relations that you need, or raise rest\.limits\.statements, or set cycles of the plugin deep-populate to "cut"$/.exec(
        body.error.message,
      ) ?? []
    assert.ok(fits, body.error.message)
    assert.equal((await ask(`/articles?populate=deep,${fits}`)).status, 200)
    assert.equal((await ask(`/articles?populate=deep,${Number(fits) + 1}`)).status, 400)
    assert.equal(body.error.details.parameter, 'populate')
    const begun = performance.now()
    assert.equal((await ask('/articles?populate=deep,999')).status, 400)
    assert.ok(performance.now() - begun < 1000)
    await app.close()
  })

  it('is refused by the limits of the app in other words where zones cost more than can be foreseen', async () => {
    const app = await serve({}, { limits: { statements: 12 } })
    const { status, body } = await asking(app)('/articles?populate=deep,3')
    assert.equal(status, 400)
    assert.match(body.error.message, /raise rest\.limits\.statements$/)
    await app.close()
  })
})

describe('the settings', () => {
  it('are a depth, another for single types, and what ends a circle', async () => {
    const types = { 'api::city.city': { defaultDepth: 2 } }
    const app = await serve({ defaultDepth: 3, types, cycles: 'follow' })
    const ask = asking(app)
    const { author } = (await ask('/articles/3?populate=deep')).body.data.attributes
    assert.equal(author.data.attributes.city.data.attributes.name, 'Oslo')
    assert.equal('country' in author.data.attributes.city.data.attributes, false)
    assert.deepEqual(titles(author.data.attributes.articles.data), ['first', 'other'], 'without the draft')
    const { country } = (await ask('/citys/1?populate=deep')).body.data.attributes
    assert.equal('continent' in country.data.attributes, false)
    await app.close()
  })

  it('are refused where they name no type', async () => {
    await assert.rejects(
      serve({ types: { 'api::artikel.article': { defaultDepth: 2 } } }),
      /deep-populate\.config\.types: there is no type "api::artikel\.article"; did you mean "api::article\.article"\?/,
    )
  })

  it('show creators where they are not skipped and the type shows them', async () => {
    const page = { options: { populateCreatorFields: true }, attributes: { name: string } }
    for (const [skipCreatorFields, shown] of [
      [true, false],
      [false, true],
    ] as const) {
      const app = await createTestApp({ types: { page }, plugins: [[deepPopulate, { skipCreatorFields }]] })
      await app.entries('api::page.page').create({ name: 'a' })
      const { attributes } = (await asking(app)('/pages/1?populate=deep')).body.data
      assert.equal('createdBy' in attributes, shown)
      await app.close()
    }
  })

  it('leave a relation of the name deep to its type', async () => {
    const page = { attributes: { name: string, deep: to('oneToOne', 'page'), other: to('oneToOne', 'page') } }
    const app = await createTestApp({ types: { page }, plugins: [deepPopulate] })
    await app.entries('api::page.page').create({ name: 'a' })
    const { attributes } = (await asking(app)('/pages/1?populate=deep')).body.data
    assert.deepEqual(['deep' in attributes, 'other' in attributes], [true, false])
    await app.close()
  })

  it('tell no cost in production', async () => {
    const app = await createTestApp({
      types: { page: { attributes: { name: string } } },
      plugins: [deepPopulate],
      config: { environment: 'production' } as never,
    })
    assert.equal((await asking(app)('/pages?populate=deep')).headers['deep-populate-cost'], undefined)
    await app.close()
  })
})

it('a deep populate is planned once for all requests of a shape', async () => {
  let asked = 0
  const counting = definePlugin({
    name: 'counting',
    authenticate: () => ({
      scope: 'all',
      can: () => {
        asked += 1
        return true
      },
    }),
  })
  const app = await createTestApp({
    types: { page: { attributes: { name: string, next: to('oneToOne', 'page') } } },
    plugins: [counting, deepPopulate],
  })
  const ask = asking(app)
  await ask('/pages?populate=deep')
  const before = asked
  await ask('/pages?populate=deep')
  // The route asks for its permission each time.
  assert.equal(asked - before, 1)
  await app.entries('api::page.page').create({ name: 'n57' })
  const lists = async (from: number, to: number) => {
    const found: number[] = []
    for (let index = from; index < to; index += 1)
      found.push((await ask(`/pages?filters[name]=n${index}&populate=deep,3`)).body.data.length)
    return found
  }
  // Queries share a plan by their shape from the fiftieth text on.
  await lists(0, 55)
  const shared = asked
  assert.deepEqual(await lists(55, 60), [0, 0, 1, 0, 0])
  assert.equal(asked - shared, 5)
  await app.close()
})
