import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../core/index.js'

/** A plugin that looks at rows makes the server read them as objects; without it SQLite writes the answers itself. */
const onlooker = definePlugin({ name: 'onlooker', hooks: { afterFind: () => undefined } })

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      extra: { type: 'json' },
      rating: { type: 'float' },
      big: { type: 'biginteger' },
      seen: { type: 'timestamp' },
      on: { type: 'boolean' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.slide'] },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
    },
  },
}
const components = {
  'shared.seo': {
    attributes: {
      title: { type: 'string' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
    },
  },
  'shared.slide': {
    attributes: { data: { type: 'json' }, tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' } },
  },
}

const asks = [
  '',
  '?sort=title:desc&pagination[pageSize]=3',
  '?populate=*',
  '?populate[author][populate][articles][populate]=tags',
  '?populate[tags][sort]=name:desc&populate[tags][filters][name][$ne]=tag 3&populate[tags][fields]=name',
  '?populate[author][filters][name][$contains]=n&populate[tags][fields]=id',
  '?populate[seo][populate]=slides&populate[slides][populate]=tag',
  '?populate[seo][fields]=id&populate[slides][fields]=id',
  '?populate[blocks][populate]=*',
  '?fields=id&populate=author',
  '?filters[tags][name][$startsWith]=tag&populate[tags][populate][articles][fields]=title',
]

const awkward = ['plain', 'quote " and \\ and \n new line', '{"not":"json"}', '}', 'ünï 東京 😀', '']

async function fill(app: TestApp): Promise<void> {
  for (let n = 1; n <= 5; n += 1) await app.entries('api::tag.tag').create({ name: `tag ${n}` })
  for (const name of ['Ann', 'Bo']) await app.entries('api::author.author').create({ name })
  for (const [index, title] of awkward.entries())
    await app.entries('api::article.article').create({
      title,
      extra: [null, [1, 2], { a: { b: '}' } }, 'text', 0, null][index],
      rating: [1, 1.5, 0.1 + 0.2, -3, 1e21, null][index],
      big: ['1', '9007199254740993', '-5', null, '0', '7'][index],
      seen: 1_700_000_000_000 + index,
      on: [true, false, null, true, false, null][index],
      author: index % 3 || null,
      tags: [1, 2, 3, 4, 5].slice(index % 4).reverse(),
      seo: index % 2 ? { title, slides: [{ data: title, tag: 2 }, { data: { x: '}' } }] } : null,
      slides: [{ data: [title] }, { data: null, tag: 3 }].slice(index % 3),
      blocks: [
        { __component: 'shared.slide', data: {} },
        { __component: 'shared.seo', title },
      ].slice(index % 3),
    })
}

const withoutTimes = (body: string): unknown =>
  JSON.parse(body, (key, value) => (key === 'createdAt' || key === 'updatedAt' ? 'then' : value))

describe('a response that SQLite writes', () => {
  let written: TestApp
  let read: TestApp
  beforeAll(async () => {
    written = await createTestApp({ types, components })
    read = await createTestApp({ types, components, plugins: [onlooker] })
    await fill(written)
    await fill(read)
  })
  afterAll(async () => {
    await written.close()
    await read.close()
  })

  for (const ask of asks)
    it(`is the one that is put together from rows: ${ask || 'a plain list'}`, async () => {
      const [one, other] = await Promise.all([written, read].map(app => app.inject(`/api/articles${ask}`)))
      assert.equal(one?.statusCode, 200, one?.payload)
      assert.deepEqual(withoutTimes(one?.payload ?? ''), withoutTimes(other?.payload ?? ''))
    })

  it('has every millisecond of a time', async () => {
    for (const time of [0, 1, 999, -1, 951_782_399_999, 1_709_164_800_001, 253_402_300_799_999]) {
      const { id } = await written.entries('api::article.article').create({ title: 'time', seen: time })
      const stamp = new Date(time).toISOString()
      await written.store.transaction(async session => {
        await session.run('update articles set created_at = ? where id = ?', [time, id])
      })
      const answer = await written.inject(`/api/articles/${id}?fields[0]=createdAt&fields[1]=seen`)
      assert.deepEqual(answer.json().data.attributes, { createdAt: stamp, seen: String(time) })
      await written.entries('api::article.article').delete(Number(id))
    }
  })

  it('has every digit of a number', async () => {
    const short = [0.01, 4.7, 1.1, 12345.67, 99_999_999.99, 123_456_789.01, 0.1 + 0.7, 0.005, 1 / 3, 2 ** -40]
    const numbers = short.flatMap(number => [number, -number, number * (1 + 2 ** -52), number * (1 - 2 ** -53)])
    for (const rating of numbers) {
      const { id } = await written.entries('api::article.article').create({ title: 'number', rating })
      const answer = await written.inject(`/api/articles/${id}?fields[0]=rating`)
      assert.equal(answer.json().data.attributes.rating, rating)
      await written.entries('api::article.article').delete(Number(id))
    }
  })

  it('is the same for what rows of another server may hold', async () => {
    const odd = [
      ['created_at', '2021-02-03 04:05:06'],
      ['created_at', 'long ago'],
      ['extra', 12],
      ['extra', 'no document'],
    ]
    for (const [column, value] of odd) {
      const answers = [written, read].map(async app => {
        const { id } = await app.entries('api::article.article').create({ title: 'odd' })
        await app.store.transaction(async session => {
          await session.run(`update articles set ${column} = ? where id = ?`, [value, id])
        })
        const answer = await app.inject(`/api/articles/${id}?fields[0]=createdAt&fields[1]=extra`)
        await app.entries('api::article.article').delete(Number(id))
        const { createdAt, extra } = answer.json().data.attributes
        return column === 'extra' ? extra : createdAt
      })
      const [one, other] = await Promise.all(answers)
      assert.deepEqual(one, other)
      assert.equal(one, value === '2021-02-03 04:05:06' ? '2021-02-03T04:05:06.000Z' : value)
    }
  })

  it('has all rows that are let through of a list that is longer than one statement should write', async () => {
    const app = await createTestApp({ types, components })
    const tags: number[] = []
    for (let n = 0; n < 300; n += 1)
      tags.push(Number((await app.entries('api::tag.tag').create({ name: `${n % 3} ${n}` })).id))
    const { id } = await app.entries('api::article.article').create({ title: 'many', tags })
    const filter = 'populate[tags][filters][name][$startsWith]=2'
    const answer = (await app.inject(`/api/articles/${id}?${filter}`)).json()
    assert.equal(answer.data.attributes.tags.data.length, 100)
    assert.deepEqual(
      answer.data.attributes.tags.data.map(({ id: tag }: { id: number }) => tag),
      tags.filter((_, n) => n % 3 === 2),
    )
    await app.close()
  })

  it('is fetched list by list where one list is longer than one statement should write', async () => {
    const articles = Array.from({ length: 250 }, (_, index) => index)
    const ids: number[] = []
    for (const index of articles) {
      const { id } = await written.entries('api::article.article').create({ title: `long ${index}` })
      ids.push(Number(id))
    }
    const { id } = await written.entries('api::tag.tag').create({ name: 'long', articles: ids })
    const url = `/api/tags/${id}?populate[articles][fields]=title`
    for (const answer of [
      await written.inject(url),
      await written.inject({ method: 'PUT', url, payload: { data: { name: 'longer' } } }),
    ]) {
      const found = answer.json().data.attributes.articles.data as { attributes: { title: string } }[]
      assert.deepEqual(
        found.map(entry => entry.attributes.title),
        articles.map(index => `long ${index}`),
      )
    }
  })
})
