import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin, type TestApp } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { v5Format } from '../../plugins/v5-format/index.js'
import { run } from '../support/run.js'
import { type Api, type Body, contract, q, type ReadCase, reads, refused, sorted } from './support.js'

const types = {
  recipe: {
    attributes: {
      title: { type: 'string' },
      body: { type: 'richtext' },
      maker: { type: 'string', column: { name: 'Made by' } },
      note: { type: 'string', private: true },
      rating: { type: 'integer' },
      owner: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
    search: ['title^10', 'body', 'maker^2'],
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
  },
  tag: { attributes: { name: { type: 'string' } } },
}

/** `x-fields` is what a request may read of recipes, `x-owner` whose recipes it reaches. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const fields = headers['x-fields']
    const owner = headers['x-owner']
    return {
      scope: `${fields} ${owner}`,
      can: () => true,
      ...(owner !== undefined && {
        rows: (_: string, uid: string) =>
          uid === 'api::recipe.recipe' ? { owner: { $eq: String(owner) } } : undefined,
      }),
      ...(fields !== undefined && {
        fields: (_: string, uid: string) =>
          uid === 'api::recipe.recipe' ? new Set(String(fields).split(',')) : undefined,
      }),
    }
  },
})

const recipes = [
  { title: 'Sour bread', body: 'It waits for you.', maker: 'Ana', rating: 3, owner: 'ben' },
  { title: 'Rye', body: 'A bread that is sour, and slow.', maker: 'Zoë', rating: 5, owner: 'ann' },
  { title: 'Crème brûlée', body: 'Sugar; CREAM — and „patience“.', maker: 'Łukasz', rating: 1, owner: 'ben' },
  { title: "It's a foo_bar", body: 'e-mail me at x@y.example', maker: 'Bread and Co', rating: 2, owner: 'ann' },
  { title: 'A to Z of the oven', body: null, maker: 'ΟΔΟΣ', note: 'a secret bread', rating: 4 },
  { title: 'Bread', body: 'unfinished', publishedAt: null },
  { title: 'Brot', body: 'Sauer ist das bread', locale: 'de', rating: 1 },
]

const world = {
  types,
  plugins: [callers, draftAndPublish, [i18n, { defaultLocale: 'en', locales: ['en', 'de'] }]] as never,
  rows: async ({ entries }: TestApp) => {
    for (const recipe of recipes)
      await entries('api::recipe.recipe').create({ publishedAt: '2024-01-01T00:00:00.000Z', locale: 'en', ...recipe })
    const tag = await entries('api::tag.tag').create({ name: 'loaf' })
    await entries('api::recipe.recipe').update(1, { tags: [tag.id] })
  },
}

const ids = ({ data }: Body) => data.map((entry: Body) => entry.id).join()
const found: readonly ReadCase[] = [
  { says: 'a word', ask: q('bread'), gives: '1,2,4' },
  { says: 'whatever the letter case', ask: q('BREAD'), gives: '1,2,4' },
  { says: 'all of several words', ask: q('sour bread'), gives: '1,2' },
  { says: 'words of different attributes', ask: q('ana waits'), gives: '1' },
  { says: 'a phrase', ask: q('"sour bread"'), gives: '1' },
  { says: 'a phrase across signs', ask: q('"sour and slow"'), gives: '2' },
  { says: 'a phrase does not go from one attribute to the next', ask: q('"bread it waits"'), gives: '' },
  { says: 'nor from an attribute to itself', ask: q('"bread sour"'), gives: '' },
  { says: 'a word to leave out', ask: q('bread -rye'), gives: '1,4' },
  { says: 'a phrase to leave out', ask: q('bread -"sour bread"'), gives: '2,4' },
  { says: 'a beginning', ask: q('brea*'), gives: '1,2,4' },
  { says: 'a beginning to leave out', ask: q('bread -so*'), gives: '4' },
  { says: 'a beginning in a word with signs', ask: q('e-ma*'), gives: '4' },
  { says: 'no part in the middle', ask: q('read'), gives: '' },
  { says: 'accents do not count, when they are stored', ask: q('creme brulee'), gives: '3' },
  { says: 'nor when they are sent', ask: q('Crémé'), gives: '3' },
  { says: 'nor behind their letters', ask: q('cre\u0300me'), gives: '3' },
  { says: 'signs of other scripts are no part of words', ask: q('patience'), gives: '3' },
  { says: 'Greek at the end of a word', ask: q('οδός'), gives: '5' },
  { says: 'a short word', ask: q('a'), gives: '2,4,5' },
  { says: 'a common word', ask: q('the'), gives: '5' },
  { says: 'a word with an apostrophe', ask: q("it's"), gives: '4' },
  { says: 'a word with an underscore', ask: q('foo_bar'), gives: '4' },
  { says: 'an address', ask: q('x@y.example'), gives: '4' },
  { says: 'signs alone are skipped', ask: q('sour - (bread)'), gives: '1,2' },
  { says: 'private attributes are not searched', ask: q('secret'), gives: '' },
  { says: 'filters count as well', ask: `${q('bread')}&filters[rating][$gt]=2`, gives: '1,2' },
  { says: 'filters through links as well', ask: `${q('bread')}&filters[tags][name]=loaf`, gives: '1' },
  { says: 'locales count', ask: `${q('bread')}&locale=de`, gives: '7' },
  { says: 'drafts are there in a preview alone', ask: `${q('bread')}&publicationState=preview`, gives: '1,2,4,6' },
]

const wrong: readonly ReadCase[] = [
  ['a quotation mark that is not closed', '"sour bread', /_q: the quotation mark before "sour bread" is not closed/],
  ['only what is left out', '-bread', /_q: has no word to look for/],
  ['no word', '*', /_q: has no word to look for/],
  ['a word that is too long', 'x'.repeat(81), /_q: the word "x{20}"\.\.\. has more than 80 characters/],
  ['the beginning of several words to leave out', 'bread -e-ma*', /_q: "-e-ma\*" is several words/],
].map(([says, text, message]) => ({
  says: says as string,
  ask: q(text as string),
  fails: { status: 400, parameter: '_q', message: message as RegExp },
}))

contract('an indexed search in spec', world, api => {
  reads(api, '/recipes', sorted, [...found, ...wrong])
  reads(api, '/recipes', ids, [
    // A fourth asks when what it found changes by being published: a total that is kept has to know, where a cache can.
    {
      says: 'the best match is first: attributes have weights',
      ask: `${q('bread')}&pagination[page]=1`,
      gives: '1,4,2',
      statements: 4,
    },
    { says: 'by rank is the same', ask: `${q('bread')}&sort=_rank`, gives: '1,4,2' },
    { says: 'and so is down', ask: `${q('bread')}&sort=_rank:desc&pagination[limit]=1`, gives: '1' },
    { says: 'pages go on', ask: `${q('bread')}&pagination[start]=1`, gives: '4,2' },
    { says: 'another order', ask: `${q('bread')}&sort=rating:desc`, gives: '2,1,4' },
    { says: 'another order first', ask: `${q('bread')}&sort[0]=owner&sort[1]=_rank`, gives: '4,2,1' },
    {
      says: 'cursors have the order of the list',
      ask: `${q('bread')}&pagination[after]=&pagination[limit]=2`,
      gives: '1,2',
    },
    {
      says: 'up',
      ask: `${q('bread')}&sort=_rank:asc`,
      fails: { status: 400, parameter: 'sort', message: /_rank puts the best matches first/ },
    },
    { says: 'a rank of nothing', ask: '?sort=_rank', fails: { status: 400, parameter: 'sort', message: /send _q/ } },
    {
      says: 'a cursor by rank',
      ask: `${q('bread')}&sort=_rank&pagination[after]=`,
      fails: { status: 400, parameter: 'pagination[after]', message: /has no cursors/ },
    },
    { says: 'what is populated', ask: `${q('bread')}&populate=tags&filters[tags][name]=loaf`, gives: '1' },
  ])

  it('counts what it finds', async () => {
    const { body } = await api.get(`/recipes${q('bread')}&pagination[pageSize]=2`)
    assert.deepEqual([ids(body), body.meta.pagination.total], ['1,4', 3])
    const totalOf = async (more: string) => {
      const { body: page } = await api.get(`/recipes${q('bread')}${more}`)
      return [ids(page), page.meta.pagination.total]
    }
    assert.deepEqual(await totalOf('&pagination[page]=2&pagination[pageSize]=2'), ['2', 3])
    assert.deepEqual(await totalOf('&pagination[page]=9&pagination[pageSize]=2'), ['', 3])
    assert.deepEqual(await totalOf('&sort=rating'), ['4,1,2', 3])
    assert.deepEqual(await totalOf('&filters[rating]=3&highlight=*&populate=tags'), ['1', 1])
    assert.deepEqual(await totalOf('&filters[rating]=7'), ['', 0])
    const { body: grouped } = await api.get(`/recipes/aggregate${q('bread')}&measures[count]=*`)
    assert.match(JSON.stringify(grouped), /"\*":3/)
  })

  it('finds what the rules of the caller let through', async () => {
    const owner = { 'x-owner': 'ann' }
    const { body } = await api.get(`/recipes${q('bread')}`, owner)
    assert.deepEqual([ids(body), body.meta.pagination.total], ['4,2', 2])
  })

  it('looks only into what the caller may read', async () => {
    const as = async (fields: string, text: string, more = '') =>
      api.get(`/recipes${q(text)}${more}`, { 'x-fields': fields })
    assert.equal(sorted((await as('title,body,maker', 'bread')).body), '1,2,4')
    assert.equal(sorted((await as('title', 'bread')).body), '1')
    assert.equal(sorted((await as('title', 'bread waits')).body), '')
    assert.equal(sorted((await as('title,body', 'bread -slow')).body), '1')
    assert.equal(sorted((await as('title,note', 'secret')).body), '')
    refused(await as('title', 'bread', '&sort=_rank'), { status: 400, parameter: 'sort' })
  })
})

/** The marked texts of each entry, with what is marked in brackets. */
const highlights = ({ meta }: Body) =>
  Object.entries(meta.search.highlights as Record<string, Record<string, string[]>>)
    .map(([id, fields]) => {
      const shown = ([name, parts]: [string, string[]]) =>
        `${name}: ${parts.map((part, place) => (place % 2 === 1 ? `[${part}]` : part)).join('')}`
      return `${id} ${Object.entries(fields).map(shown).join('; ')}`
    })
    .join(' | ')

const marks: readonly ReadCase[] = [
  {
    says: 'in all fields',
    ask: `${q('sour bread')}&highlight=*`,
    gives: '1 title: [Sour] [bread] | 2 body: A [bread] that is [sour], and slow.',
  },
  { says: 'in one field', ask: `${q('sour bread')}&highlight=title`, gives: '1 title: [Sour] [bread]' },
  {
    says: 'in some fields, that the response does not have to show',
    ask: `${q('bread')}&highlight[0]=maker&highlight[1]=title&fields[0]=rating`,
    gives: '1 title: Sour [bread] | 4 maker: [Bread] and Co',
  },
  { says: 'of a page', ask: `${q('bread')}&highlight=title&pagination[start]=1`, gives: '' },
  { says: 'with accents', ask: `${q('creme')}&highlight=*`, gives: '3 title: [Crème] brûlée' },
  {
    says: 'of a beginning',
    ask: `${q('cre*')}&highlight=*`,
    gives: '3 title: [Crème] brûlée; body: Sugar; [CREAM] — and „patience“.',
  },
  { says: 'of a locale', ask: `${q('bread')}&locale=de&highlight=*`, gives: '7 body: Sauer ist das [bread]' },
  {
    says: 'beside an entry',
    ask: `${q('bread')}&pagination[after]=&pagination[limit]=1&highlight=title`,
    gives: '1 title: Sour [bread]',
  },
  { says: 'of drafts in a preview alone', ask: `${q('unfinished')}&highlight=*`, gives: '' },
  {
    says: 'of drafts in a preview',
    ask: `${q('unfinished')}&publicationState=preview&highlight=*`,
    gives: '6 body: [unfinished]',
  },
  { says: 'without words', ask: '?highlight=*', fails: { status: 400, parameter: 'highlight', message: /send _q/ } },
  {
    says: 'in a field that is not searched',
    ask: `${q('bread')}&highlight[0]=title&highlight[1]=owner`,
    fails: { status: 400, parameter: 'highlight[1]', message: /takes \* or some of title, body, maker.*not "owner"/ },
  },
  {
    says: 'in a private field',
    ask: `${q('bread')}&highlight=note`,
    fails: { status: 400, parameter: 'highlight', message: /not "note"/ },
  },
  { says: 'an object', ask: `${q('bread')}&highlight[title][x]=1`, fails: { status: 400, parameter: 'highlight' } },
]

const shouting = definePlugin({
  name: 'shouting',
  hooks: {
    afterFind: entries => {
      for (const entry of entries) if (entry.title === 'Rye') entry.body = 'withheld'
    },
  },
})

contract('the marks of a search', world, api => {
  reads(api, '/recipes', highlights, marks)

  it('stand beside entries that are as they are without them', async () => {
    const ask = `/recipes${q('bread')}&fields[0]=title&populate=tags`
    const [plain, marked] = [await api.get(ask), await api.get(`${ask}&highlight=*`)]
    assert.deepEqual(marked.body.data, plain.body.data)
    assert.deepEqual(marked.body.meta.pagination, plain.body.meta.pagination)
  })

  it('are cached with the response, and not longer', async () => {
    const ask = `/recipes${q('yeast')}&highlight=*`
    const id = await api.make('/recipes', { title: 'Yeast', publishedAt: '2024-01-01T00:00:00.000Z' })
    for (let round = 0; round < 3; round += 1)
      assert.equal(highlights((await api.get(ask)).body), `${id} title: [Yeast]`)
    await api.put(`/recipes/${id}`, { title: 'Old yeast' })
    assert.equal(highlights((await api.get(ask)).body), `${id} title: Old [yeast]`)
    await api.delete(`/recipes/${id}`)
    assert.equal(highlights((await api.get(ask)).body), '')
  })

  it('show only what the caller may read', async () => {
    const as = (fields: string, more: string) => api.get(`/recipes${q('bread')}${more}`, { 'x-fields': fields })
    assert.equal(highlights((await as('title,rating', '&highlight=*')).body), '1 title: Sour [bread]')
    refused(await as('title', '&highlight=body'), { status: 400, parameter: 'highlight', message: /some of title: / })
    const { body } = await api.get(`/recipes${q('bread')}&highlight=*`, { 'x-owner': 'ben' })
    assert.equal(highlights(body), '1 title: Sour [bread]')
  })

  it('are of no use elsewhere', async () => {
    refused(await api.get('/tags?_q=loaf&highlight=*'), {
      status: 400,
      parameter: 'highlight',
      message: /api::tag\.tag has none/,
    })
    refused(await api.get('/recipes/aggregate?_q=bread&highlight=*&measures[count]=*'), {
      status: 400,
      parameter: 'highlight',
    })
    const { body } = await api.get(`/recipes/1${q('bread')}&highlight=title`)
    assert.deepEqual([body.data.id, body.meta], [1, {}])
  })

  it('are text, whatever it has in it', async () => {
    const title = `</script><img src=x onerror=alert(1)> "attack" & it's`
    const id = await api.make('/recipes', { title, publishedAt: '2024-01-01T00:00:00.000Z' })
    const { body } = await api.get(`/recipes${q('<attack>')}&highlight=title`)
    assert.deepEqual(body.meta.search.highlights[id], {
      title: ['</script><img src=x onerror=alert(1)> "', 'attack', `" & it's`],
    })
  })
})

contract(
  'the marks of a search where hooks see entries',
  { ...world, plugins: [...world.plugins, shouting] as never },
  api => {
    it('show what hooks have left of them', async () => {
      for (let round = 0; round < 3; round += 1)
        assert.equal(
          highlights((await api.get(`/recipes${q('sour bread')}&highlight=*&fields[0]=title`)).body),
          '1 title: [Sour] [bread]',
        )
      assert.equal(highlights((await api.get(`/recipes${q('withheld')}&highlight=*`)).body), '')
    })
  },
)

contract(
  'the marks of a search in other formats',
  { ...world, plugins: [...world.plugins, v5Format] as never },
  api => {
    it('stand in the meta of the list', async () => {
      const ask = `/recipes${q('creme')}&highlight=*&fields[0]=rating`
      const { body } = await api.get(ask, { 'strapi-response-format': 'v5' })
      assert.equal(highlights(body), '3 title: [Crème] brûlée')
      assert.deepEqual(Object.keys(body.data[0]).sort(), ['documentId', 'id', 'rating'])
    })
  },
)

contract('an indexed search in strapi4', { ...world, rest: { dialect: 'strapi4' } }, api => {
  reads(api, '/recipes', sorted, found)
  reads(api, '/recipes', ids, [
    { says: 'lists keep their order', ask: `${q('bread')}&sort=id`, gives: '1,2,4' },
    { says: 'unless they are sorted by rank', ask: `${q('bread')}&sort=_rank`, gives: '1,4,2' },
  ])
  reads(
    api,
    '/recipes',
    highlights,
    marks.filter(({ fails }) => !fails),
  )

  it('takes a parameter that it does not know where there is no index', async () => {
    assert.equal(sorted((await api.get('/tags?_q=loaf&highlight=*')).body), '1')
  })
})

/** Writes of other programs past the server: their words are found, and removed ones are not. */
function foreignWrites(api: Api): void {
  const isMysql = api.engine.name === 'mysql'
  const isSqlite = api.engine.name === 'sqlite'
  const column = isMysql ? '`Made by`' : '"Made by"'
  const write = async (sql: string) => {
    await run(api.database, sql)
    // Requests of one event-loop turn count as sent before it.
    await new Promise(setImmediate)
  }
  const find = async (text: string) => sorted((await api.get(`/recipes${q(text)}`)).body)

  it('finds at once what other programs write', async () => {
    const time = isSqlite ? '1700000000000' : "'2024-01-01'"
    assert.equal(await find('zebra'), '')
    await write(
      `insert into recipes (id, title, body, locale, published_at) values (100, 'Zebra', 'cake', 'en', ${time})`,
    )
    assert.equal(await find('zebra'), '100')
    await write("update recipes set title = 'Yak' where id = 100")
    assert.deepEqual([await find('zebra'), await find('yak')], ['', '100'])
    await write(`update recipes set ${column} = 'Xavier' where id = 100`)
    assert.deepEqual([await find('xavier'), await find('cake')], ['100', '100'])
    await write('update recipes set id = 101 where id = 100')
    assert.equal(await find('yak'), '101')
    if (isSqlite) {
      await write(
        `insert or replace into recipes (id, title, locale, published_at) values (101, 'Wolf', 'en', ${time})`,
      )
      assert.deepEqual([await find('yak'), await find('wolf')], ['', '101'])
      await write("update recipes set title = 'Yak' where id = 101")
    }
    await write('delete from recipes where id = 101')
    assert.equal(await find('yak'), '')
  })
}

const plain = {
  types: { note: { attributes: { title: { type: 'string' }, rating: { type: 'integer' } }, search: ['title'] } },
  rows: async ({ entries }: TestApp) => {
    for (let rating = 1; rating <= 40; rating += 1)
      await entries('api::note.note').create({ title: `bread ${rating}`, rating })
  },
}

contract('the total of an indexed search of all entries', plain, api => {
  const totalOf = async (more: string) => (await api.get(`/notes${q('bread')}${more}`)).body.meta.pagination.total

  it('is exact, with a filter and without, by rank and in another order', async () => {
    assert.deepEqual([await totalOf(''), await totalOf('&sort=rating')], [40, 40])
    assert.deepEqual([await totalOf('&filters[rating][$gt]=30'), await totalOf('&pagination[page]=3')], [10, 40])
    await api.make('/notes', { title: 'more bread' })
    await api.delete('/notes/3')
    await api.delete('/notes/4')
    assert.deepEqual([await totalOf(''), await totalOf('&sort=rating'), await totalOf(' -more')], [39, 39, 38])
  })

  it.skipIf(api.engine.name === 'sqlite')('does not count what another program has truncated', async () => {
    await run(api.database, 'truncate table notes')
    await new Promise(setImmediate)
    assert.deepEqual([await totalOf(''), await totalOf('&sort=rating')], [0, 0])
    await api.make('/notes', { title: 'other bread' })
    assert.equal(await totalOf(''), 1)
  })
})

contract('an indexed search and other programs', world, foreignWrites)
