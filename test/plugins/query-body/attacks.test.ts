import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { queryBody } from '../../../plugins/query-body/index.js'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({
    types: {
      item: {
        attributes: {
          title: { type: 'string' },
          secret: { type: 'string', private: true },
          others: { type: 'relation', relation: 'manyToMany', target: 'api::item.item' },
        },
      },
    },
    plugins: [queryBody],
  })
  await app.entries('api::item.item').create({ title: 'a', secret: 'TOPSECRET' })
})
afterAll(() => app.close())

const send = (payload: string) =>
  app.inject({
    method: 'QUERY' as 'GET',
    url: '/api/items',
    headers: { 'content-type': 'application/json' },
    payload,
  })

const nested = (depth: number, open: string, inner: string, close: string) =>
  `{"filters":${open.repeat(depth)}${inner}${close.repeat(depth)}}`
const attacks: readonly [says: string, body: string, status: number][] = [
  ['groups, 200 deep', nested(200, '{"$and":[', '{"title":"a"}', ']}'), 400],
  ['lists, 300,000 deep', nested(300_000, '[', '', ']'), 400],
  ['relations, 60 deep', nested(60, '{"others":', '{"title":"a"}', '}'), 400],
  ['half a million numbers', JSON.stringify({ filters: { id: { $in: Array(500_000).fill(1) } } }), 400],
  ['eighty thousand parameters', `{${Array.from({ length: 80_000 }, (_, at) => `"p${at}":1`).join()}}`, 400],
  ['a text of a megabyte', JSON.stringify({ filters: { title: { $contains: 'x'.repeat(1_000_000) } } }), 400],
  ['a text of more than a megabyte', JSON.stringify({ filters: { title: 'x'.repeat(1_100_000) } }), 413],
  ['JSON in JSON, broken after a megabyte', JSON.stringify({ filters: `["${'x'.repeat(1_000_000)}` }), 400],
  ['a prototype', '{"__proto__":{"filters":{}}}', 400],
  ['a prototype in filters', '{"filters":{"__proto__":{"title":"a"}}}', 400],
  ['a constructor', '{"filters":{"constructor":{"prototype":{"polluted":1}}}}', 400],
  ['a parameter that every object has', '{"toString":1}', 400],
  ['a private attribute', '{"filters":{"secret":{"$startsWith":"T"}}}', 400],
  ['a private attribute in sort', '{"sort":["secret"]}', 400],
  ['a private attribute in fields', '{"fields":["secret"]}', 400],
  ['equal names, of which the last counts', '{"filters":{"secret":"x"},"filters":{"title":"a"}}', 200],
  ['equal names, of which the last is wrong', '{"filters":{"title":"a"},"filters":{"secret":"x"}}', 400],
  ['an operator that runs code', '{"filters":{"$where":"1=1"}}', 400],
  ['an object where a value stands', '{"filters":{"title":{"$eq":{"$ne":"x"}}}}', 400],
  ['SQL', JSON.stringify({ filters: { title: "a' or '1'='1" } }), 200],
  ['null bytes', '{"filters":{"title":"a\\u0000b"}}', 400],
  ['a page beyond all', '{"pagination":{"page":1e300}}', 200],
  ['numbers for everything', '{"filters":1,"sort":1,"fields":1,"populate":1,"pagination":1}', 400],
]
for (const [says, body, status] of attacks)
  it(`a body does no harm: ${says}`, async () => {
    const response = await send(body)
    assert.equal(response.statusCode, status, response.payload.slice(0, 500))
    assert.ok(!response.payload.includes('TOPSECRET'))
    assert.equal(Reflect.get({}, 'polluted'), undefined)
    // The server responds to the next request as before.
    assert.equal((await send('{"filters":{"title":"a"}}')).json().meta.pagination.total, 1)
  })
