import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { contract, refused } from '../support/contract.js'

const types = {
  item: {
    attributes: {
      string: { type: 'string' },
      text: { type: 'text' },
      richtext: { type: 'richtext' },
      enumeration: { type: 'enumeration', enum: ['a', 'b'] },
      email: { type: 'email' },
      password: { type: 'password' },
      uid: { type: 'uid' },
      date: { type: 'date' },
      time: { type: 'time' },
      datetime: { type: 'datetime' },
      timestamp: { type: 'timestamp' },
      integer: { type: 'integer' },
      biginteger: { type: 'biginteger' },
      float: { type: 'float' },
      decimal: { type: 'decimal' },
      boolean: { type: 'boolean' },
      json: { type: 'json' },
      array: { type: 'array' },
      others: { type: 'relation', relation: 'manyToMany', target: 'api::item.item' },
    },
  },
  'blog-post': { attributes: { title: { type: 'string' } } },
}

const full = {
  string: 'short',
  text: 'long',
  richtext: '# rich',
  enumeration: 'b',
  email: 'Ann@example.org',
  uid: 'a-b',
  date: '2024-02-29',
  time: '08:05:00.000',
  datetime: '2024-02-29T10:00:00.123Z',
  timestamp: String(Date.UTC(2024, 1, 29, 10)),
  integer: -7,
  biginteger: '9223372036854775807',
  float: 0.1,
  decimal: 12.5,
  boolean: false,
  json: { a: [1, 'x', null, true], b: { c: '"quoted"' } },
  array: ['one', 2],
}

const awkward = [
  '"quotes" and \\backslashes\\',
  'lines\nand\ttabs\r\n',
  'Ünïcödé, 漢字, العربية',
  'emoji 👩‍👩‍👧 and 🎉',
  'separators \u2028 and \u2029',
  '</script><b>&amp;',
  '\u0001\u001f\u007f',
  "it's; -- drop table items",
  '%s $1 ?? :name',
  ' spaces around ',
  '',
]

contract(
  'the response',
  {
    types,
    rows: async ({ entries }) => {
      await entries('api::item.item').create({
        ...full,
        password: 'hunter2',
        datetime: '2024-02-29T12:00:00.123+02:00',
        timestamp: '2024-02-29T10:00:00Z',
        time: '08:05:00',
      })
      await entries('api::item.item').create({})
      for (const text of awkward) await entries('api::item.item').create({ string: text, text, json: text })
      await entries('api::blog-post.blog-post').create({ title: 'Hello' })
    },
  },
  api => {
    it('to one entry is { data: { id, attributes, meta }, meta }', async () => {
      const { status, headers, body } = await api.get('/items/1')
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.deepEqual(Object.keys(body), ['data', 'meta'])
      assert.deepEqual(body.meta, {})
      assert.deepEqual(Object.keys(body.data), ['id', 'attributes', 'meta'])
      assert.equal(body.data.id, 1)
      assert.deepEqual(body.data.meta, { availableLocales: [] })
    })

    it('to a list is { data: [...], meta: { pagination } }, every entry with its own meta', async () => {
      const { status, body } = await api.get('/items')
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['data', 'meta'])
      assert.deepEqual(body.meta, { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 13 } })
      for (const entry of body.data) {
        assert.deepEqual(Object.keys(entry), ['id', 'attributes', 'meta'])
        assert.deepEqual(entry.meta, { availableLocales: [] })
      }
    })

    it('holds the attributes in the order of the schema, then createdAt and updatedAt', async () => {
      const { body } = await api.get('/items/1')
      assert.deepEqual(Object.keys(body.data.attributes), [...Object.keys(full), 'createdAt', 'updatedAt'])
    })

    it('holds every kind of value in its own form', async () => {
      const { createdAt, updatedAt, ...attributes } = (await api.get('/items/1')).body.data.attributes
      assert.deepEqual(attributes, full)
      for (const at of [createdAt, updatedAt]) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })

    it('holds null for every value that is missing', async () => {
      const { createdAt: _c, updatedAt: _u, ...attributes } = (await api.get('/items/2')).body.data.attributes
      assert.deepEqual(attributes, Object.fromEntries(Object.keys(full).map(name => [name, null])))
    })

    it('gives texts back as they were, whatever stands in them', async () => {
      const { body } = await api.get('/items?filters[id][$gt]=2&sort=id')
      for (const name of ['string', 'text', 'json'])
        assert.deepEqual(
          body.data.map((entry: { attributes: Record<string, unknown> }) => entry.attributes[name]),
          awkward,
        )
    })

    it('is the same text whether one entry or a list is asked for', async () => {
      const one = (await api.get('/items/1?populate=others')).text
      const [first] = (await api.get('/items?populate=others&filters[id]=1')).body.data
      assert.equal(one, JSON.stringify({ data: first, meta: {} }))
    })

    it('to a list without entries is an empty list', async () => {
      const { status, body } = await api.get('/items?filters[string]=none')
      assert.equal(status, 200)
      assert.deepEqual(body, { data: [], meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } } })
    })

    it("carries an id of the request, the client's own where it has one", async () => {
      assert.match((await api.get('/items')).headers['x-request-id'] ?? '', /^[\w-]+$/)
      assert.equal((await api.get('/items', { 'x-request-id': 'mine-1' })).headers['x-request-id'], 'mine-1')
      assert.equal((await api.get('/nothing', { 'x-request-id': 'mine-2' })).headers['x-request-id'], 'mine-2')
      assert.notEqual(
        (await api.get('/items', { 'x-request-id': 'not <harmless>' })).headers['x-request-id'],
        'not <harmless>',
      )
    })
  },
)

contract(
  'the refusal',
  { types, rows: ({ entries }) => entries('api::blog-post.blog-post').create({ title: 'Hello' }) },
  api => {
    const notFound = { data: null, error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} } }

    describe('of what is not there is 404', () => {
      const paths = [
        ['an id that no entry has', '/blog-posts/2'],
        ['the id 0', '/blog-posts/0'],
        ['a negative id', '/blog-posts/-1'],
        ['a word', '/blog-posts/abc'],
        ['an id and more', '/blog-posts/1abc'],
        ['a fraction', '/blog-posts/1.5'],
        ['an id beyond any', '/blog-posts/99999999999999999999'],
        ['an exponent', '/blog-posts/1e0'],
        ['an id with a space', '/blog-posts/1%20'],
        ['a collection by its singular name', '/blog-post'],
        ['a name that nothing has', '/nothing'],
        ['something below an entry', '/blog-posts/1/title'],
        ['nothing at all', ''],
        ['the root', '/'],
        ['a type of the server', '/admin-users'],
        ['a name that every object has', '/constructor'],
      ] as const
      for (const [says, path] of paths)
        it(`${says}: ${path}`, async () => {
          const { status, body } = await api.get(path)
          assert.equal(status, 404)
          assert.deepEqual(body, notFound)
        })
    })

    it('of a wrong parameter is 400, says which one, what is wrong and what is right', async () => {
      const answer = await api.get('/blog-posts?filters[title][$foo]=x')
      refused(answer, { status: 400, name: 'ValidationError', parameter: 'filters[title][$foo]' })
      const { data, error } = answer.body
      assert.equal(data, null)
      assert.deepEqual(Object.keys(error), ['status', 'name', 'message', 'details'])
      assert.match(error.message, /^filters\[title\]\[\$foo\]: "\$foo" is not an operator; there are \$eq, \$eqi, \$ne/)
      assert.equal(error.details.errors.length, 1)
      const [{ path, message, name }] = error.details.errors
      assert.deepEqual(path, ['filters', 'title', '$foo'])
      assert.ok(error.message.endsWith(message))
      assert.equal(name, 'ValidationError')
    })

    it('of a misspelt operator names the one that was meant', async () => {
      const answer = await api.get('/blog-posts?filters[title][$contain]=x')
      refused(answer, {
        status: 400,
        message: /"\$contain" is not an operator; did you mean "\$contains"\? there are \$eq/,
      })
    })

    it('has the same four members where the address is none', async () => {
      for (const path of ['/%E0%A4%A', '//items'])
        assert.deepEqual(Object.entries((await api.get(path)).body.error).slice(-1), [['details', {}]], path)
    })

    it('is JSON, with the same headers as any response', async () => {
      for (const path of ['/blog-posts/99', '/blog-posts?nope=1']) {
        const { headers } = await api.get(path)
        assert.equal(headers['content-type'], 'application/json; charset=utf-8')
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.ok(headers['x-request-id'])
      }
    })

    it('repeats no more of a long value than is needed to recognise it', async () => {
      const long = 'x'.repeat(5000)
      for (const ask of [
        `sort=${long}`,
        `filters[${long}]=1`,
        `fields=${long}`,
        `populate=${long}`,
        `${long}=1`,
        `filters[title][${long}]=1`,
      ]) {
        const { status, body } = await api.get(`/blog-posts?${ask}`)
        assert.equal(status, 400)
        assert.ok(body.error.message.length < 6000, ask.slice(0, 20))
      }
    })
  },
)
