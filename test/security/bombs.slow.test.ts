import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { isNightly, processorTime } from '../support/time.js'
import { assertRefused, assertUnharmed, type World, world } from './world.js'

const list = (count: number, of: (index: number) => string, between = '&'): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(between)

/** Milliseconds of the processor: more than any of these takes, and far less than what an unbounded one took. */
const little = isNightly ? 2_500 : 60_000

async function quickly(app: World, query: string): Promise<Awaited<ReturnType<World['ask']>>> {
  let response: Awaited<ReturnType<World['ask']>> | undefined
  const took = await processorTime(async () => {
    response = await app.ask(`/api/articles?${query}`)
  })
  assert.ok(response)
  assert.ok(took < little, `took ${Math.round(took)} ms`)
  assert.ok(response.statusCode < 500, response.payload.slice(0, 300))
  return response
}

describe('a query of too many or too deep parts is refused at once', () => {
  let app: World
  let before: Record<string, number>
  beforeAll(async () => {
    app = await world()
    before = await app.rows()
  })
  afterAll(() => app.close())

  const bombs: readonly (readonly [says: string, query: string, names?: RegExp])[] = [
    ...['filters', 'populate', 'fields', 'sort', 'pagination', 'a'].map(
      name => [`${name} 5,000 deep`, `${name}${'[a]'.repeat(5000)}=1`, /nested more than \d+ levels/] as const,
    ),
    ['$and 5,000 deep', `filters${'[$and][0]'.repeat(5000)}[title]=a`, /levels deep/],
    ['$not 5,000 deep', `filters${'[$not]'.repeat(5000)}[title]=a`, /levels deep/],
    ['populate 5,000 deep', `populate${'[tags][populate][articles][populate]'.repeat(1250)}=*`, /levels deep/],
    ['populate by dots 5,000 deep', `populate=${list(5000, () => 'tags.articles', '.')}`, /rest\.limits\.statements/],
    ['100,000 keys', list(100_000, index => `k${index}=1`), /rest\.maxParameters/],
    ['100,000 filters', list(100_000, index => `filters[k${index}]=1`), /rest\.maxParameters/],
    ['100,000 values by index', list(100_000, index => `filters[id][$in][${index}]=1`), /rest\.maxParameters/],
    ['100,000 values without index', list(100_000, () => 'filters[id][$in][]=1'), /rest\.maxParameters/],
    ['100,000 values by repetition', list(100_000, () => 'filters[title]=1'), /rest\.maxParameters/],
    ['an index of a milliard', 'filters[id][$in][1000000000]=1', /rest\.maxParameters/],
    ['100,000 empty parts', '&'.repeat(100_000)],
    ['100,000 brackets', `filters${'['.repeat(100_000)}`],
    ['100,000 closed brackets', `filters${']'.repeat(100_000)}=1`],
    ['a name of 100,000 letters', `${'a'.repeat(100_000)}=1`],
    ['a field of 100,000 letters', `filters[${'a'.repeat(100_000)}]=1`],
    ['600 conditions', list(600, index => `filters[$or][${index}][title]=a`), /rest\.limits\.conditions/],
    ['900 texts to look for', list(900, index => `filters[title][$contains][${index}]=a`), /rest\.limits\.conditions/],
    ['60 relations at once', list(60, index => `filters[$and][${index}][tags][name]=a`), /rest\.limits\.joins/],
    ['20 relations deep', `filters${'[author][articles]'.repeat(10)}[title]=a`, /rest\.limits\.joins/],
    [
      '200 relations deep, denied',
      `filters[$not]${'[tags][articles]'.repeat(100)}[title][$null]=true`,
      /rest\.limits\.joins/,
    ],
    ['a component in itself, 200 deep', `filters[tree]${'[child]'.repeat(200)}[label]=a`, /rest\.limits\.joins/],
    ['a sort through 20 relations', `sort=${list(10, () => 'tags.articles', '.')}.title`, /rest\.limits\.joins/],
    ['a sort through 1,000 relations', `sort=${list(500, () => 'tags.articles', '.')}.title`, /rest\.limits\.joins/],
    ['a sort by 60 relations', `sort=${list(60, () => 'author.name', ',')}`, /rest\.limits\.joins/],
    ['a populate of 200 components in themselves', `populate=tree${'.child'.repeat(200)}`, /rest\.limits\.statements/],
    [
      'a populate of everything, again and again',
      `populate[blocks][populate]=*&${list(120, index => `populate[tags][populate][articles][populate]${'[tags][populate][articles][populate]'.repeat(index)}=*`).slice(0, 400_000)}`,
    ],
  ]
  for (const [says, query, names = /./] of bombs)
    it(says, async () => {
      const response = await quickly(app, query)
      assertRefused(response, 400, query)
      assert.match(response.json().error.message, names)
      await assertUnharmed(app, before)
    })

  const harmless: readonly (readonly [says: string, query: string])[] = [
    ['a list with gaps', 'filters[id][$in][3]=1&filters[id][$in][900]=2'],
    ['a list of both kinds', 'filters[id][$in][]=1&filters[id][$in][5]=2'],
    ['900 values in one list', list(900, index => `filters[id][$in][${index}]=${index}`)],
    ['the same sort 3,000 times', `sort=${list(3000, () => 'title', ',')}`],
    [
      'the same sort 3,000 times in both directions',
      `sort=${list(3000, index => `title:${index % 2 ? 'asc' : 'desc'}`, ',')}`,
    ],
    ['the same field 900 times', list(900, index => `fields[${index}]=title`)],
    ['the same populate 3,000 times', `populate=${list(3000, () => 'tags', ',')}`],
    ['a pattern of wildcards', `filters[title][$contains]=${'%25'.repeat(3000)}x`],
    ['a pattern of single wildcards', `filters[title][$contains]=${'_'.repeat(9000)}x`],
    ['a pattern of stars and brackets', `filters[title][$contains]=${'*['.repeat(4000)}`],
    ['a pattern of backslashes', `filters[title][$contains]=${'\\'.repeat(9000)}`],
    ['a page at the end of the world', 'pagination[page]=999999999999999&pagination[pageSize]=100'],
  ]
  for (const [says, query] of harmless)
    it(`${says} is cheap, and no error`, async () => {
      assert.equal((await quickly(app, query)).statusCode, 200)
      await assertUnharmed(app, before)
    })

  it('a pattern of wildcards is no trap where they mean what they mean', async () => {
    const loose = await world({ config: { api: { rest: { dialect: 'strapi4' } } } })
    await loose.entries('api::article.article').create({ title: 'a'.repeat(200) })
    for (const query of [
      `filters[title][$contains]=${'%25a'.repeat(90)}b`,
      `filters[title][$contains]=${'a_%25'.repeat(60)}b`,
    ])
      assert.equal((await quickly(loose, query)).statusCode, 200)
    await loose.close()
  })

  it('other clients are answered while bombs arrive', async () => {
    const took = await processorTime(async () => {
      const attack = Promise.all(bombs.map(([, query]) => app.ask(`/api/articles?${query}`)))
      assert.equal((await app.ask('/api/tags')).statusCode, 200)
      await attack
    })
    assert.ok(took < (bombs.length * little) / 5)
  })
})

onEveryEngine('a circle of relations from a full page', engine => {
  let app: World
  let drop: () => Promise<void>
  let before: Record<string, number>
  beforeAll(async () => {
    const database = await engine.fresh()
    drop = () => database.drop()
    app = await world({ config: { database: database.database as never } })
    const tags: number[] = []
    for (let index = 0; index < 20; index += 1)
      tags.push(Number((await app.entries('api::tag.tag').create({ name: `tag ${index}` })).id))
    for (let index = 0; index < 150; index += 1)
      await app.entries('api::article.article').create({ title: `many ${index}`, author: 1, tags })
    before = await app.rows()
  })
  afterAll(async () => {
    await app.close()
    await drop()
  })

  const refused: readonly (readonly [says: string, query: string])[] = [
    ['populated twice around', 'populate=tags.articles.tags.articles'],
    ['populated six times around', `populate=${list(6, () => 'tags.articles', '.')}`],
    ['populated forty times around', `populate=${list(40, () => 'tags.articles', '.')}`],
    ['populated in brackets', 'populate[tags][populate][articles][populate][tags][populate][articles][populate]=*'],
    ['populated from the largest page', 'pagination[pageSize]=100&populate=tags.articles.author.articles'],
  ]
  for (const [says, query] of refused)
    it(`${says} is refused, and the response says how to raise the limit`, async () => {
      const response = await quickly(app, query)
      assertRefused(response, 400, query)
      assert.match(response.json().error.message, /more than 50000 entries.*rest\.limits\.entries/)
      await assertUnharmed(app, before)
    })

  const bounded: readonly (readonly [says: string, query: string])[] = [
    [
      'a filter as deep as the limit lets it be',
      'filters[tags][articles][tags][articles][tags][articles][tags][articles][tags][name][$contains]=e',
    ],
    [
      'its denial',
      'filters[$not][tags][articles][tags][articles][tags][articles][tags][articles][tags][name][$contains]=e',
    ],
    [
      'a search for what is missing',
      'filters[tags][articles][tags][articles][tags][articles][tags][articles][tags][name][$null]=true',
    ],
    ['a filter as wide as the limit lets it be', list(50, index => `filters[$and][${index}][tags][name]=red`)],
    ['a wide filter through single entries', list(50, index => `filters[$and][${index}][author][name]=Ada`)],
    ['a wide filter of pairs', list(16, index => `filters[$and][${index}][tags][articles][title]=a`)],
    ['a wide choice', list(50, index => `filters[$or][${index}][tags][name]=red`)],
    ['a sort as deep as the limit lets it be', 'sort=tags.articles.tags.name'],
    ['a sort through single entries', 'sort=author.articles.author.name'],
  ]
  for (const [says, query] of bounded)
    it(`${says} is answered in time, or told that it takes too long`, async () => {
      const response = await quickly(app, query)
      if (response.statusCode !== 200) {
        assertRefused(response, 400, query)
        assert.match(response.json().error.message, /longer than \d+ milliseconds.*statementTimeout/)
      }
      await assertUnharmed(app, before)
    })
})
