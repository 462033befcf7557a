import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { asUser, world } from '../plugins/users-permissions/people.js'
import { type Body, contract, refused, type World } from '../support/contract.js'
import { aggregated } from './aggregated.js'

const types: NonNullable<World['types']> = {
  article: {
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      minutes: { type: 'integer' },
      rating: { type: 'float' },
      price: { type: 'decimal' },
      size: { type: 'biginteger' },
      featured: { type: 'boolean' },
      releasedOn: { type: 'date' },
      readAt: { type: 'datetime' },
      at: { type: 'time' },
      extra: { type: 'json' },
      note: { type: 'string', private: true },
      seo: { type: 'component', component: 'shared.seo' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      isStaff: { type: 'boolean' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      team: { type: 'relation', relation: 'manyToOne', target: 'api::team.team' },
    },
  },
  team: { attributes: { name: { type: 'string' } } },
  tag: { attributes: { name: { type: 'string' } } },
}
const components = { 'shared.seo': { attributes: { lang: { type: 'string' } } } } as const
const articles = [
  { title: 'a', minutes: 1, rating: 4.5, price: 1.25, size: '9007199254740993', featured: true, author: 1 },
  { title: 'A', minutes: 2, rating: 3.5, price: 2.5, size: '1', featured: true, author: 1 },
  { title: 'b', minutes: 3, rating: null, price: null, size: null, featured: false, author: 2 },
  { title: 'b', minutes: 4, rating: 1, price: 10, size: '7', featured: null, author: null },
].map((article, index) => ({
  ...article,
  releasedOn: ['2023-01-31', '2024-01-01', '2024-02-29', null][index] ?? null,
  readAt: ['2024-01-01T00:00:00.000Z', '2024-01-01T23:59:59.999Z', '2023-12-31T23:30:00.000Z', null][index] ?? null,
  at: ['08:00:00.000', '08:00:00.000', '09:30:00.500', null][index] ?? null,
  note: 'whispered',
  seo: { lang: index % 2 === 0 ? 'en' : 'de' },
  tags: [1],
}))

async function fill({ entries }: Parameters<NonNullable<World['rows']>>[0]): Promise<void> {
  await entries('api::team.team').create({ name: 'red' })
  await entries('api::tag.tag').create({ name: 'new' })
  await entries('api::author.author').create({ name: 'ann', isStaff: true, team: 1 })
  await entries('api::author.author').create({ name: 'bob', isStaff: false })
  for (const article of articles) await entries('api::article.article').create(article)
  await entries('api::article.article').create({ title: 'draft', minutes: 100, publishedAt: null })
}
const open: World = { types, components, plugins: [draftAndPublish], rows: fill as never }

contract('aggregates', open, api => {
  const { ask, groups } = aggregated(api)

  it('count the entries that a list would show, drafts left out', async () => {
    assert.deepEqual(await ask(''), [{ group: {}, count: { '*': 4 } }])
    assert.deepEqual(await ask('publicationState=preview'), [{ group: {}, count: { '*': 5 } }])
    assert.deepEqual(await ask('filters[minutes][$gt]=2'), [{ group: {}, count: { '*': 2 } }])
    assert.deepEqual(await ask('filters[author][name]=ann&_q=a'), [{ group: {}, count: { '*': 2 } }])
    assert.deepEqual(await ask('filters[minutes]=99&measures[sum]=minutes'), [{ group: {}, sum: { minutes: null } }])
  })
  it('measure numbers, dates and texts', async () => {
    const query =
      'measures[count]=*,rating&measures[distinct]=title,featured&measures[sum]=minutes,price&measures[avg]=rating'
    assert.deepEqual(await ask(`${query}&measures[min]=releasedOn,size&measures[max]=readAt,price,at`), [
      {
        group: {},
        count: { '*': 4, rating: 3 },
        distinct: { title: 3, featured: 2 },
        sum: { minutes: 10, price: 13.75 },
        avg: { rating: 3 },
        min: { releasedOn: '2023-01-31', size: '1' },
        max: { readAt: '2024-01-01T23:59:59.999Z', price: 10, at: '09:30:00.500' },
      },
    ])
  })
  it('group by fields as they are written, missing values first', async () => {
    assert.deepEqual((await groups('groupBy=title')).sort(), [
      ['A', 1],
      ['a', 1],
      ['b', 2],
    ])
    assert.deepEqual(await groups('groupBy=featured'), [
      [null, 1],
      [false, 1],
      [true, 2],
    ])
    assert.deepEqual(await groups('groupBy[0]=featured&groupBy[1]=minutes&filters[featured]=true'), [
      [true, 1, 1],
      [true, 2, 1],
    ])
    assert.deepEqual(await groups('groupBy=size'), [
      [null, 1],
      ['1', 1],
      ['7', 1],
      ['9007199254740993', 1],
    ])
    assert.deepEqual(await groups('groupBy=price'), [
      [null, 1],
      [1.25, 1],
      [2.5, 1],
      [10, 1],
    ])
  })
  it('group dates and times by a unit', async () => {
    assert.deepEqual(await groups('groupBy=year(releasedOn)'), [
      [null, 1],
      ['2023', 1],
      ['2024', 2],
    ])
    assert.deepEqual(await groups('groupBy=month(releasedOn)'), [
      [null, 1],
      ['2023-01', 1],
      ['2024-01', 1],
      ['2024-02', 1],
    ])
    assert.deepEqual(await groups('groupBy=day(readAt)'), [
      [null, 1],
      ['2023-12-31', 1],
      ['2024-01-01', 2],
    ])
    assert.deepEqual(await groups('groupBy=hour(readAt)'), [
      [null, 1],
      ['2023-12-31T23', 1],
      ['2024-01-01T00', 1],
      ['2024-01-01T23', 1],
    ])
    const [row] = await ask('groupBy=year(releasedOn)&sort=count(*):desc')
    assert.deepEqual(row, { group: { 'year(releasedOn)': '2024' }, count: { '*': 2 } })
  })
  it('group through relations and components to one', async () => {
    assert.deepEqual(await groups('groupBy=author'), [
      [null, 1],
      [1, 2],
      [2, 1],
    ])
    assert.deepEqual(await groups('groupBy=author.name&measures[max]=minutes', 'max', 'minutes'), [
      [null, 4],
      ['ann', 2],
      ['bob', 3],
    ])
    assert.deepEqual(await groups('groupBy=author.isStaff'), [
      [null, 1],
      [false, 1],
      [true, 2],
    ])
    assert.deepEqual(await groups('groupBy=author.team.name'), [
      [null, 2],
      ['red', 2],
    ])
    assert.deepEqual(await groups('groupBy=seo.lang'), [
      ['de', 2],
      ['en', 2],
    ])
  })
  it('keep the groups that meet a comparison, in the order that is asked for, and as many as are wanted', async () => {
    assert.deepEqual(await groups('groupBy=author&having[count][*][$gt]=1'), [[1, 2]])
    const most =
      'groupBy=author&measures[count]=*&measures[avg]=minutes&having[avg][minutes][$gte]=1.5&having={"count":{"*":{"$lt":3}}}'
    assert.equal((await api.get(`/articles/aggregate?${most}`)).status, 400)
    assert.deepEqual(
      await groups(
        'groupBy=author&measures[max]=releasedOn&having[max][releasedOn][$gt]=2024-01-15',
        'max',
        'releasedOn',
      ),
      [[2, '2024-02-29']],
    )
    assert.deepEqual(await groups('groupBy=author&having={"count":{"*":{"$eq":1}}}'), [
      [null, 1],
      [2, 1],
    ])
    assert.deepEqual(await groups('groupBy=minutes&sort=minutes:desc&pagination[limit]=2&pagination[start]=1'), [
      [3, 1],
      [2, 1],
    ])
    assert.deepEqual(await groups('groupBy=author&sort=count(*):desc,author:desc'), [
      [1, 2],
      [2, 1],
      [null, 1],
    ])
  })
  for (const [query, parameter, message] of [
    ['fields=title', 'fields', /aggregates have none/],
    ['populate=author', 'populate', /aggregates have none/],
    ['groupBy=titel', 'groupBy', /did you mean "title"\?/],
    ['groupBy=note', 'groupBy', /has no attribute "note"/],
    ['groupBy=extra', 'groupBy', /is JSON/],
    ['groupBy=century(readAt)', 'groupBy', /no unit of time; there are year, month, day, hour/],
    ['groupBy=year(title)', 'groupBy', /is no date/],
    ['groupBy=hour(releasedOn)', 'groupBy', /has no hour/],
    ['groupBy=author.wage', 'groupBy', /has no attribute "wage"/],
    ['measures=count', 'measures', /takes what is measured/],
    ['measures[median]=minutes', 'measures[median]', /there are count, distinct, sum, avg, min, max/],
    ['measures[sum]=title', 'measures[sum]', /sum takes a number/],
    ['measures[avg]=*', 'measures[avg]', /has no attribute "\*"/],
    ['measures[min]=featured', 'measures[min]', /min takes a number, a date or a text/],
    ['measures[max]=note', 'measures[max]', /has no attribute "note"/],
    ['having[sum][minutes][$gt]=1', 'having[sum][minutes]', /is not measured; there are count\(\*\)/],
    ['having[count][*][$like]=1', 'having[count][*][$like]', /is no comparison of measures/],
    ['having[count][*][$gt]=many', 'having[count][*][$gt]', /is no whole number/],
    ['measures[max]=releasedOn&having[max][releasedOn][$gt]=soon', 'having[max][releasedOn][$gt]', /is no value/],
    ['sort=minutes', 'sort', /is not in the response; there are count\(\*\)/],
    ['sort=count(*):up', 'sort', /neither asc nor desc/],
    ['pagination[page]=1', 'pagination[page]', /takes pagination\[start\] and pagination\[limit\] here/],
    ['pagination[limit]=1001', 'pagination[limit]', /from 1 to 1000/],
    ['unknown=1', 'unknown', /is not a parameter/],
  ] as const)
    it(`name what is wrong: ${query}`, async () => {
      refused(await api.get(`/articles/aggregate?${query}`), { status: 400, parameter, message })
    })
  it('cost what the budget allows', async () => {
    const many = Array.from({ length: 15 }, (_, index) => `groupBy[${index}]=author.team.id`).join('&')
    assert.equal((await api.get(`/articles/aggregate?${many}`)).status, 200)
    const deep = ['author', ...Array.from({ length: 6 }, () => 'articles.author')].join('.')
    refused(await api.get(`/articles/aggregate?groupBy=${deep}.name`), {
      status: 400,
      parameter: 'groupBy',
      message: /more than 50 joins/,
    })
  })
  it('have one statement, the same for all who ask the same', async () => {
    const { statements } = await api.get('/articles/aggregate?groupBy=author.name&measures[avg]=rating')
    assert.equal(statements.length, 1, statements.join('\n'))
  })
  it('agree with what looking at every entry finds', async () => {
    const { body } = await api.get('/articles?populate=author&pagination[pageSize]=100')
    const rows = body.data.map(({ attributes }: Body) => ({
      ...attributes,
      author: attributes.author.data?.id ?? null,
    }))
    const key = fc.constantFrom('title', 'minutes', 'featured', 'releasedOn', 'author', 'rating')
    const asked = fc.record({
      by: fc.uniqueArray(key, { maxLength: 3 }),
      least: fc.nat(4),
      does: fc.constantFrom('sum', 'avg', 'min', 'max'),
    })
    const property = fc.asyncProperty(asked, async ({ by, least, does }) => {
      const query = by.map((name, index) => `groupBy[${index}]=${name}`).join('&')
      const found = await ask(`${query}&filters[minutes][$gte]=${least}&measures[count]=*&measures[${does}]=minutes`)
      const expected = new Map<string, number[]>(by.length === 0 ? [['[]', []]] : [])
      for (const row of rows.filter((one: Body) => one.minutes >= least)) {
        const name = JSON.stringify(by.map(one => row[one]))
        expected.set(name, [...(expected.get(name) ?? []), row.minutes])
      }
      const measured = (list: number[]) => {
        const sum = list.reduce((all, one) => all + one, 0)
        return { sum, avg: sum / list.length, min: Math.min(...list), max: Math.max(...list) }[does] as number
      }
      assert.deepEqual(
        found
          .map((row: Body) => [JSON.stringify(by.map(one => row.group[one])), row.count['*'], row[does].minutes])
          .sort(),
        [...expected].map(([name, list]) => [name, list.length, list.length === 0 ? null : measured(list)]).sort(),
      )
    })
    await fc.assert(property, { seed: 7, numRuns: 60 })
  })
})

const own = { author: { name: { $eq: 'ann' } } }
const permissions = {
  roles: {
    public: {
      article: { find: { where: own, fields: ['title', 'minutes', 'author'] } },
      author: { find: { name: 'bob' } },
    },
    reader: { article: ['find'] },
  },
}
const people = world({ types, permissions, accounts: { rita: { role: 'reader' } }, rows: fill as never })

contract(
  'aggregates of a role',
  { ...people, components, plugins: [...(people.plugins ?? []), draftAndPublish] as never },
  api => {
    it('are of the entries and fields that it may read', async () => {
      const count = async (query: string, headers = {}) =>
        (await api.get(`/articles/aggregate?${query}`, headers)).body.data
      assert.deepEqual(await count(''), [{ group: {}, count: { '*': 2 } }])
      assert.deepEqual(await count('', asUser(1)), [{ group: {}, count: { '*': 4 } }])
      // The author is one that visitors may not find.
      assert.deepEqual(await count('groupBy=author'), [{ group: { author: null }, count: { '*': 2 } }])
      for (const query of ['groupBy=rating', 'measures[avg]=rating', 'groupBy=year(releasedOn)'])
        refused(await api.get(`/articles/aggregate?${query}`), {
          status: 400,
          message: /has no attribute "(rating|releasedOn)"/,
        })
      refused(await api.get('/articles/aggregate?groupBy=author.name', asUser(1)), { status: 400 })
    })
    it('need the permission to find', async () => {
      refused(await api.get('/tags/aggregate'), { status: 403 })
    })
  },
)

contract('aggregates in the other dialect', { ...open, rest: { dialect: 'strapi4' } }, api => {
  it('are the same, and entries keep their ids', async () => {
    const { body } = await api.get('/articles/aggregate?groupBy=author.name&measures[avg]=rating')
    assert.deepEqual(body.data[1], { group: { 'author.name': 'ann' }, avg: { rating: 4 } })
    assert.equal((await api.get('/articles/1')).status, 200)
    assert.equal((await api.get('/articles/aggregates')).status, 404)
  })
})

describe('a route of an app at the same path', () => {
  it('stays what it is', async () => {
    const plugin = definePlugin({
      name: 'sums',
      routes: [{ method: 'GET', path: '/articles/aggregate', action: null, run: () => ({ mine: true }) }],
    })
    const app = await createTestApp({ types, components, plugins: [plugin] })
    try {
      assert.deepEqual((await app.inject('/api/articles/aggregate')).json(), { mine: true })
      assert.equal((await app.inject('/api/authors/aggregate')).statusCode, 200)
    } finally {
      await app.close()
    }
  })
})
