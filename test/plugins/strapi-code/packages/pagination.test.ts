import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { get, schemaOf, start } from '../support/written.js'

const files = {
  'config/api.js': 'module.exports = { rest: { defaultLimit: 2, maxLimit: 4 } }',
  'src/api/item/content-types/item/schema.json': schemaOf('item'),
  'src/api/item/routes/item.js':
    "module.exports = { routes: [{ method: 'GET', path: '/pages', handler: 'item.pages', config: { auth: false } }] }",
  'src/api/item/controllers/item.js': `
    const { getPaginationInfo, convertPagedToStartLimit, shouldCount, transformPaginationResponse } =
      require('@strapi/strapi/lib/core-api/service/pagination')
    module.exports = {
      async pages({ query }) {
        const uid = 'api::item.item'
        const info = getPaginationInfo(query)
        const found = await strapi.entityService.findMany(uid, { sort: 'id', ...convertPagedToStartLimit(info) })
        const total = shouldCount(query) ? await strapi.entityService.count(uid) : undefined
        return { titles: found.map(({ title }) => title).join(''), pagination: transformPaginationResponse(info, total) }
      },
    }`,
  'src/index.js': `module.exports = { async bootstrap() {
    for (const title of 'abcdefg') await strapi.entityService.create('api::item.item', { data: { title } })
  } }`,
}

describe('@strapi/strapi/lib/core-api/service/pagination', () => {
  it('reads the page that a query asks for, within the limits of the app, and describes it', async () => {
    const project = await start(files)
    const cases: readonly (readonly [query: string, titles: string, pagination: object])[] = [
      ['', 'ab', { page: 1, pageSize: 2, pageCount: 4, total: 7 }],
      ['pagination[page]=2&pagination[pageSize]=3', 'def', { page: 2, pageSize: 3, pageCount: 3, total: 7 }],
      ['pagination[pageSize]=9', 'abcd', { page: 1, pageSize: 4, pageCount: 2, total: 7 }],
      ['pagination[start]=5&pagination[limit]=1', 'f', { start: 5, limit: 1, total: 7 }],
      ['pagination[limit]=-1', 'abcd', { start: 0, limit: 4, total: 7 }],
      ['pagination[withCount]=0', 'ab', { page: 1, pageSize: 2 }],
    ]
    for (const [query, titles, pagination] of cases)
      assert.deepEqual(await get(project, `/api/pages?${query}`), { status: 200, body: { titles, pagination } }, query)
  })

  it('has no limit where the app has none', async () => {
    const project = await start({ ...files, 'config/api.js': 'module.exports = { rest: { defaultLimit: 2 } }' })
    const { body } = await get(project, '/api/pages?pagination[limit]=-1')
    assert.deepEqual(body, { titles: 'abcdefg', pagination: { start: 0, limit: 7, total: 7 } })
  })

  it('refuses what is no page', async () => {
    const project = await start(files)
    const cases: readonly (readonly [query: string, says: string])[] = [
      [
        'pagination[page]=1&pagination[limit]=1',
        'Invalid pagination parameters. Expected either start/limit or page/pageSize',
      ],
      ['pagination[page]=x', 'Invalid parameter page'],
      ['pagination[withCount]=often', 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'],
    ]
    for (const [query, message] of cases) {
      const { status, body } = await get(project, `/api/pages?${query}`)
      assert.equal(status, 400, query)
      assert.deepEqual((body as { error: { message: string } }).error.message, message)
    }
  })
})
