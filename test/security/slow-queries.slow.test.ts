import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'
import { assertRefused } from './world.js'

const between = (relation: string, target: string, more: object) => ({ type: 'relation', relation, target, ...more })
const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      tags: between('manyToMany', 'api::tag.tag', { inversedBy: 'articles' }),
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: between('manyToMany', 'api::article.article', { mappedBy: 'tags' }),
    },
  },
}

const counter = definePlugin({
  name: 'counter',
  routes: [
    {
      method: 'GET',
      path: '/how-many',
      action: null,
      run: async ({ content }) => ({ count: await content.count('api::article.article') }),
    },
  ],
})

/** 3,000 articles with titles that are slow to look into, each with ten of a hundred tags: enough for a sort to go on for a minute. */
async function fill({ store }: TestApp): Promise<void> {
  const rows = (count: number, of: (index: number) => object) => Array.from({ length: count }, (_, index) => of(index))
  await store.transaction(async session => {
    for (const [table, all] of [
      ['articles', rows(3000, index => ({ title: `article ${index} ${'q'.repeat(200)}` }))],
      ['tags', rows(100, index => ({ name: `tag ${index}` }))],
      [
        'articles_tags_links',
        rows(30_000, index => ({ article_id: Math.floor(index / 10) + 1, tag_id: ((index * 7) % 100) + 1 })),
      ],
    ] as const)
      for (let from = 0; from < all.length; from += 300) {
        const { sql, bindings } = store
          .knex(table)
          .insert(all.slice(from, from + 300))
          .toSQL()
          .toNative()
        await session.run(sql, bindings)
      }
  })
}

onEveryEngine('a query that goes on for too long', engine => {
  let app: TestApp
  let drop: () => Promise<void>
  beforeAll(async () => {
    const { database, ...fresh } = await engine.fresh()
    drop = fresh.drop
    const filled = await createTestApp({ types, config: { database } })
    await fill(filled)
    await filled.close()
    // Servers on a busy machine need some time for the layout.
    const statementTimeout = engine.name === 'sqlite' ? 100 : 1000
    app = await createTestApp({ types, plugins: [counter], config: { database: { ...database, statementTimeout } } })
  })
  afterAll(async () => {
    await app.close()
    await drop()
  })

  const filters = Array.from({ length: 16 }, (_, at) => `filters[$or][${at}][tags][articles][title][$contains]=q${at}`)
  for (const url of [
    'articles?sort=tags.articles.title',
    'articles?sort=tags.articles.tags.name:desc&pagination[withCount]=false',
    'articles?pagination[pageSize]=100&populate[tags][sort]=articles.tags.articles.title',
    `articles?${filters.join('&')}`,
    `how-many?${filters.join('&')}`,
  ])
    it(`is ended, and the response says how to raise the limit: ${url.slice(0, 60)}`, async () => {
      const response = await app.inject(`/api/${url}`)
      // A database with a mind of its own may find a quick way.
      if (response.statusCode === 200 && engine.name !== 'sqlite') return
      assertRefused(response, 400)
      assert.match(response.json().error.message, /longer than 100+ milliseconds.*statementTimeout of config\/database/)
    })

  it('leaves the next one as good as ever', async () => {
    assert.equal((await app.inject('/api/articles?sort=title&filters[tags][name]=tag 1')).statusCode, 200)
    assert.equal((await app.inject('/api/articles?filters[tags][articles][title]=article 1')).statusCode, 200)
  })
})

it('many rows take their time as well, however little is asked of each (sqlite)', async () => {
  const app = await createTestApp({ types, config: { database: { client: 'sqlite', statementTimeout: 20 } } })
  await app.store.transaction(async session => {
    await session.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000) insert into articles (title) select 'article ' || i from n`,
      [],
    )
  })
  const letters = Array.from({ length: 25 }, (_, at) => `filters[$or][${at}][title][$containsi]=%C3%A9${at}`).join('&')
  for (const query of [letters, letters.replaceAll('%C3%A9', 'q').replaceAll('containsi', 'contains')]) {
    const response = await app.inject(`/api/articles?${query}`)
    assertRefused(response, 400)
    assert.match(response.json().error.message, /longer than 20 milliseconds.*statementTimeout of config\/database/)
  }
  assert.equal((await app.inject('/api/articles/7?fields=title')).statusCode, 200)
  await app.close()
})

it('0 is no limit', async () => {
  const app = await createTestApp({ types, config: { database: { statementTimeout: 0 } } })
  assert.equal((await app.inject('/api/articles?sort=tags.articles.title')).statusCode, 200)
  await app.close()
})
