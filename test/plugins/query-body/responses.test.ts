import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { queryBody } from '../../../plugins/query-body/index.js'
import { type Answer, contract, refused } from '../../support/contract.js'

const uid = 'api::item.item'
const world = {
  types: {
    item: {
      attributes: {
        title: { type: 'string' },
        price: { type: 'decimal' },
        open: { type: 'boolean' },
        owner: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner' },
      },
    },
    owner: { attributes: { name: { type: 'string' } } },
    front: {
      kind: 'singleType',
      attributes: {
        title: { type: 'string' },
        owner: { type: 'relation', relation: 'oneToOne', target: 'api::owner.owner' },
      },
    },
    hidden: { attributes: { title: { type: 'string' } } },
  },
  plugins: [queryBody],
  rest: { public: { item: ['find', 'findOne', 'create'], owner: ['find'], front: ['find'] } },
} as const

contract(
  'a query in a body',
  {
    ...world,
    rows: async ({ entries }) => {
      for (const name of ['Ann', 'Bob']) await entries('api::owner.owner').create({ name })
      for (let index = 1; index <= 150; index += 1)
        await entries(uid).create({
          title: `t${index}`,
          price: index / 2,
          open: index % 2 === 0,
          owner: (index % 2) + 1,
        })
      await entries('api::front.front').create({ title: 'front', owner: 2 })
    },
  },
  api => {
    const ways: readonly [method: string, path: (path: string) => string][] = [
      ['QUERY', path => path],
      ['POST', path => `${path}/query`],
    ]
    for (const [method, at] of ways)
      describe(`sent with ${method}`, () => {
        const ask = (path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> =>
          api.send(method, at(path), body, headers)

        it('gives the list that the same query string gives', async () => {
          const body = {
            filters: { price: { $gte: 5, $lt: 7 }, open: true, owner: { name: { $eqi: 'ANN' } } },
            populate: { owner: { fields: ['name'] } },
            fields: ['title', 'price'],
            sort: ['price:desc'],
            pagination: { pageSize: 2, withCount: true },
          }
          const { status, body: given, headers } = await ask('/items', body)
          assert.equal(status, 200)
          assert.deepEqual(
            given.data.map(({ attributes }: { attributes: object }) => attributes),
            [
              { title: 't12', price: 6, owner: { data: { id: 1, attributes: { name: 'Ann' } } } },
              { title: 't10', price: 5, owner: { data: { id: 1, attributes: { name: 'Ann' } } } },
            ],
          )
          assert.deepEqual(given.meta, { pagination: { page: 1, pageSize: 2, pageCount: 1, total: 2 } })
          const place = headers['content-location']?.replace('/api', '')
          assert.equal((await api.get(place as string)).text, (await ask('/items', body)).text)
        })

        it('may hold more values than a URL', async () => {
          const { body } = await ask('/items', {
            filters: { id: { $in: Array.from({ length: 900 }, (_, index) => index + 100) } },
            fields: ['title'],
            pagination: { pageSize: 100 },
          })
          assert.equal(body.meta.pagination.total, 51)
        })

        it('gives one entry, and 404 where the caller sees none', async () => {
          const { body, headers } = await ask('/items/3', {
            fields: ['title'],
            populate: { owner: { fields: ['name'] } },
          })
          assert.deepEqual(body.data.attributes, {
            title: 't3',
            owner: { data: { id: 2, attributes: { name: 'Bob' } } },
          })
          assert.match(headers['content-location'] as string, /^\/api\/items\/3\?fields=/)
          refused(await ask('/items/999', {}), { status: 404 })
          refused(await ask('/items/query', {}), { status: 404 })
        })

        it('gives the entry of a single type', async () => {
          const { body, headers } = await ask('/front', { fields: ['title'] })
          assert.deepEqual(body.data.attributes, { title: 'front' })
          assert.equal(headers['content-location'], '/api/front?fields=%5B%22title%22%5D')
        })

        it('asks for nothing in particular where it is empty', async () => {
          const answer = await ask('/items', {})
          assert.equal(answer.text, (await api.get('/items')).text)
          assert.equal(answer.headers['content-location'], '/api/items')
        })

        it('takes values as they are: none of nothing is nothing, and null is no value', async () => {
          const total = async (filters: object) => (await ask('/items', { filters })).body.meta.pagination.total
          assert.equal(await total({ id: { $in: [] } }), 0)
          assert.equal(await total({ id: { $notIn: [] } }), 150)
          assert.equal(await total({ title: null }), 0)
          assert.equal(await total({ $or: [{ open: false }, { price: 1 }] }), 76)
          assert.equal(await total({ title: { $eq: '{"$ne":"x"}' } }), 0)
        })

        it('needs the permission of the list or the entry', async () => {
          refused(await ask('/hiddens', {}), { status: 403 })
          refused(await ask('/owners/1', {}), { status: 403 })
          refused(await ask('/items', { populate: { nothing: true } }), { status: 400, parameter: 'populate[nothing]' })
        })

        it('is answered 304 where the client has the response', async () => {
          const body = { fields: ['title'], sort: 'id' }
          const { headers } = await ask('/items', body)
          assert.ok(headers.etag)
          const known = await ask('/items', body, { 'if-none-match': headers.etag as string })
          assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', headers.etag])
          assert.equal(known.headers['content-location'], headers['content-location'])
          // The tag is that of the address, too.
          const place = headers['content-location']?.replace('/api', '') as string
          assert.equal((await api.get(place, { 'if-none-match': headers.etag as string })).status, 304)
          const other = await ask('/items', { ...body, sort: 'title' }, { 'if-none-match': headers.etag as string })
          assert.equal(other.status, 200)
        })

        it('costs the statements of the same query string', async () => {
          const body = {
            filters: { owner: { name: 'Bob' } },
            populate: { owner: true },
            sort: [`price:${method === 'POST' ? 'asc' : 'desc'}`],
          }
          const asked = await ask('/items', body)
          const again = await api.get(asked.headers['content-location']?.replace('/api', '') as string)
          assert.ok(asked.statements.length > 0)
          // The plan is the same; a total that is known from before is not read again, and concurrent statements have no order.
          assert.deepEqual(
            again.statements.toSorted(),
            asked.statements.filter(sql => !/count\(\*\)/i.test(sql) || again.statements.includes(sql)).toSorted(),
          )
        })

        it('ignores a key of idempotency', async () => {
          const { status, headers } = await ask('/items', {}, { 'idempotency-key': 'not a key' })
          assert.deepEqual([status, headers['idempotency-replayed']], [200, undefined])
        })

        it('is too long to be an address from 2000 characters on', async () => {
          const { status, headers } = await ask('/items', { filters: { title: 'x'.repeat(2000) } })
          assert.deepEqual([status, headers['content-location']], [200, undefined])
        })

        const object = 'The body must be a JSON object with the parameters of the query, such as { "filters": {} }'
        const wrong: readonly [says: string, body: unknown, message: RegExp | string, parameter?: string][] = [
          ['a list', [], object],
          ['no body', undefined, object],
          ['a text', '"filters"', /^The body must be a JSON object or list$/],
          ['broken JSON', '{"filters":', /JSON/],
          [
            'an unknown parameter',
            { filter: {} },
            /^filter: is not a parameter of api::item.item; there are fields/,
            'filter',
          ],
          [
            'a name in brackets',
            { 'filters[title]': 'x' },
            'filters[title]: is not a name; write objects within objects',
            'filters[title]',
          ],
          ['a name of nothing', { '': 'x' }, ': is not a name; write objects within objects'],
          ['a number for filters', { filters: 5 }, /^filters: needs an attribute/, 'filters'],
          [
            'an object for a value',
            { filters: { title: { $eq: {} } } },
            /takes a value, not an object/,
            'filters[title][$eq]',
          ],
          ['a page that is none', { pagination: { page: 0 } }, /is too small/, 'pagination[page]'],
          ['a list for a text', { _q: ['a'] }, '_q: takes the text to look for', '_q'],
          ['half of a pair of characters', { _q: '\ud800' }, '_q: is not valid Unicode', '_q'],
          [
            'more values than parameters may be sent',
            { filters: { id: { $in: Array(1001).fill(1) } } },
            /^The query has more than 1000 parameters/,
          ],
        ]
        for (const [says, body, message, parameter] of wrong)
          it(`is refused where it is wrong: ${says}`, async () => {
            const answer = await ask('/items', body)
            refused(answer, { status: 400, message, ...(parameter !== undefined && { parameter }) })
            assert.equal(answer.headers['content-location'], undefined)
          })

        it('is refused next to a query string', async () => {
          const answer = await api.send(method, `${at('/items')}?sort=title`, {})
          refused(answer, {
            status: 400,
            message: 'The query is in the body; send nothing behind the question mark, or use GET',
          })
        })

        it('is refused in any other form than JSON', async () => {
          for (const type of [
            'application/x-www-form-urlencoded',
            'text/plain',
            'multipart/form-data; boundary=x',
            'application/xml',
          ])
            refused(await ask('/items', 'filters[title]=x', { 'content-type': type }), {
              status: 415,
              message: 'The Content-Type of the body is not one that is read here; send application/json',
            })
          refused(await ask('/items', '{}', { 'content-type': '' }), {
            status: 415,
            message: /has no Content-Type; send application\/json/,
          })
        })
      })

    it('is shown by OPTIONS, with the form that QUERY takes', async () => {
      const { headers } = await api.send('OPTIONS', '/items')
      assert.equal(headers.allow, 'HEAD, GET, QUERY, POST')
      assert.equal(headers['accept-query'], 'application/json')
      assert.equal((await api.send('OPTIONS', '/items/1/query')).headers.allow, 'POST')
    })

    it('leaves a POST to the list what it is: a create', async () => {
      refused(await api.send('POST', '/items', { filters: {} }), { status: 400, message: /Missing "data"/ })
    })
  },
)
