import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, it } from 'vitest'
import { type AnyPlugin, createTestApp, definePlugin, type TestApp } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      rating: { type: 'integer' },
      number: { type: 'integer', index: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
}
/** A plugin that sees rows makes the server read them as objects, on SQLite too. */
const onlooker = definePlugin({ name: 'onlooker', hooks: { afterFind: () => undefined } })

const articles = 620
const queries = [
  '',
  '&sort=rating:desc',
  '&sort=number',
  '&filters[number][$gt]=9&sort=id:desc',
  '&sort=rating,title:desc&populate=author',
  '&sort=author.name:desc&fields=title&populate[author][populate][articles][sort]=rating',
  '&filters[rating][$ne]=3&filters[author][name][$notNull]=true&sort=rating&fields=rating',
]

onEveryEngine('a page behind many others', engine => {
  let fresh: FreshDatabase
  const apps: TestApp[] = []
  const statements: string[] = []
  const open = async (plugins: readonly AnyPlugin[]) => {
    const log = createLog('trace', { destination: { write: line => void statements.push(JSON.parse(line).sql ?? '') } })
    apps.push(await createTestApp({ types, plugins, log, config: { database: fresh.database } }))
  }
  beforeAll(async () => {
    fresh = await engine.fresh()
    await open([])
    await open([onlooker])
    const { store } = apps[0] as TestApp
    const insert = (table: string, count: number, of: (index: number) => object) =>
      store.transaction(async session => {
        for (let from = 0; from < count; from += 100) {
          const rows = Array.from({ length: Math.min(100, count - from) }, (_, index) => of(from + index))
          const { sql, bindings } = store.knex(table).insert(rows).toSQL().toNative()
          await session.run(sql, bindings)
        }
      })
    await insert('authors', 10, index => ({ name: `author ${index % 7}` }))
    await insert('articles', articles, index => ({
      title: `article ${index % 50}`,
      rating: (index * 7) % 11,
      number: index,
    }))
    await insert('articles_author_links', articles, index => ({ article_id: index + 1, author_id: (index % 10) + 1 }))
  })
  afterAll(async () => {
    for (const app of apps) await app.close()
    await fresh.drop()
  })

  for (const query of queries)
    it(`goes on where the one before it ends: ${query || 'in the usual order'}`, async () => {
      for (const app of apps) {
        const page = async (start: number, limit: number) => {
          const { statusCode, payload } = await app.inject(
            `/api/articles?pagination[start]=${start}&pagination[limit]=${limit}${query}`,
          )
          assert.equal(statusCode, 200, payload)
          return JSON.parse(payload).data
        }
        const [last, ...next] = await page(499, 8)
        assert.equal(next.length, 7)
        assert.deepEqual(await page(500, 7), next)
        assert.deepEqual((await page(498, 2))[1], last)
        assert.deepEqual(await page(5000, 7), [])
      }
    })

  const isFoundById = async (query: string): Promise<boolean> => {
    statements.length = 0
    await apps[1]?.inject(`/api/articles?pagination[withCount]=false&${query}`)
    assert.equal(statements.filter(Boolean).length, 1)
    return /in \(select t\.id from .* limit \? offset \?\)/.test(statements.join())
  }

  it('is found by its ids where the database would sort whole rows', async () => {
    const sortsWholeRows = engine.name === 'sqlite'
    assert.equal(await isFoundById('sort=rating&pagination[start]=510'), sortsWholeRows)
    assert.equal(await isFoundById('sort=rating'), sortsWholeRows)
    assert.equal(await isFoundById('filters[number][$gt]=3&pagination[start]=510'), sortsWholeRows)
  })

  it('is read as it comes in the order of its ids or of an index', async () => {
    assert.equal(await isFoundById('pagination[start]=510'), false)
    assert.equal(await isFoundById('filters[rating][$gt]=3&sort=id:desc&pagination[start]=510'), false)
    assert.equal(await isFoundById('sort=number'), false)
  })
})
