import assert from 'node:assert/strict'
import { expect, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { explorer } from '../../../plugins/explorer/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { type Api, contract, type World } from '../../support/contract.js'

let ran = 0
function count(): void {
  ran += 1
}
const counting = definePlugin({ name: 'counting', observe: { statement: count } })

const world = {
  types: {
    article: {
      attributes: {
        title: { type: 'string' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
      },
    },
  },
  plugins: [graphql, [explorer, { timing: 'always' }], counting],
  async rows(app) {
    const red = await app.entries('api::tag.tag').create({ name: 'red' })
    for (const title of ['one', 'two']) await app.entries('api::article.article').create({ title, tags: [red.id] })
  },
} satisfies World

contract('Server-Timing of GraphQL', world, (api: Api) => {
  /** The statements that a response says it took, once it has been checked that so many ran. */
  const told = async (request: Parameters<Api['app']['inject']>[0]) => {
    ran = 0
    const { headers, body, statusCode } = await api.app.inject(request)
    const [, statements] = /;desc="(\d+) statements?"/.exec(String(headers['server-timing'])) ?? []
    assert.equal(statements, String(ran), `${statusCode} ${headers['server-timing']} ${body}`)
    return Number(statements)
  }
  const graph = (query: string) => told({ method: 'POST', url: '/graphql', payload: { query } })

  it('counts statements as that of REST does', async () => {
    const rest = await told({
      url: '/api/articles?fields[0]=title&sort=title&populate[tags][fields][0]=name&pagination[limit]=10',
    })
    const selected = 'data { attributes { title tags { data { attributes { name } } } } } meta { pagination { total } }'
    const list = (sort: string) => `articles(sort: "${sort}") { ${selected} }`
    assert.equal(await graph(`{ ${list('title')} }`), rest)
    assert.ok(rest >= 2)
    const byGet = `/graphql?${new URLSearchParams({ query: `{ ${list('title:desc')} }` })}`
    expect(await told({ url: byGet })).toBeGreaterThanOrEqual(2)
  })

  it('counts those of all roots, of a batch and of writes', async () => {
    expect(await graph('{ a: articles(sort: "id") { data { id } } t: tags(sort: "name") { data { id } } }')).toBe(2)
    const operation = (sort: string) => ({ query: `{ articles(sort: "${sort}") { data { attributes { title } } } }` })
    const payload = [operation('createdAt'), operation('updatedAt')]
    expect(await told({ method: 'POST', url: '/graphql', payload })).toBe(2)
    const made = await graph('mutation { createArticle(data: { title: "new", tags: [1] }) { data { id } } }')
    const data = { title: 'newer', tags: [1] }
    expect(made).toBe(await told({ method: 'POST', url: '/api/articles', payload: { data } }))
  })

  it('counts none for what is refused before it runs', async () => {
    expect(await graph('{ nosuch }')).toBe(0)
  })
})
