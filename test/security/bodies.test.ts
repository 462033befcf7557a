import { strict as assert } from 'node:assert'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest'
import { assertRefused, assertUnharmed, type World, world } from './world.js'

let app: World
let before: Record<string, number>
beforeAll(async () => {
  app = await world({ config: { server: { body: { json: 10_000, form: 2_000 } } } })
})
// Counted anew, so that one failure does not make the rest fail.
beforeEach(async () => {
  before = await app.rows()
})
afterAll(() => app.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const type = (value: string) => ({ headers: { 'content-type': value } })
const encoded = (value: string) => ({ headers: { 'content-encoding': value } })
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
const good = JSON.stringify({ data: { title: 'never stored' } })

interface Attack {
  readonly says: string
  readonly body: unknown
  readonly more?: { readonly headers: Record<string, string> }
  readonly status?: number | readonly number[]
}

const attacks: readonly Attack[] = [
  ...[
    '{',
    '{"data":',
    '{"data":{"title":"x"}',
    '{data:{}}',
    "{'data':{}}",
    '{"data":{"title":x}}',
    '[1,]',
    '{"a":1,}',
    '\u0000',
    '{"data":{}}garbage',
    'NaN',
    '-',
    '{"data":{"title":"\\x"}}',
  ].map((body): Attack => ({ says: `malformed JSON ${JSON.stringify(body)}`, body })),
  ...['"text"', '""', '1', '-1.5e3', 'true', 'false', 'null'].map(
    (body): Attack => ({ says: `JSON that is no object: ${body}`, body }),
  ),
  ...[
    '[]',
    '[{"data":{"title":"x"}}]',
    '{}',
    '{"title":"x"}',
    '{"data":null}',
    '{"data":"text"}',
    '{"data":1}',
    '{"data":true}',
    '{"data":[]}',
    '{"data":[{"title":"x"}]}',
    '{"DATA":{"title":"x"}}',
    '{"__proto__":{"data":{"title":"x"}}}',
    '{"constructor":{"prototype":{"data":{}}}}',
    '',
  ].map((body): Attack => ({ says: `a body without an object in data: ${body || 'nothing'}`, body })),
  ...[
    'text/plain',
    'text/html',
    'application/xml',
    'application/octet-stream',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application',
    '*/*',
    ';',
    'json',
    'application/json, text/plain',
    'application/jsonx',
  ].map((value): Attack => ({ says: `the content type ${value}`, body: good, more: type(value), status: [400, 415] })),
  { says: 'JSON over the limit', body: JSON.stringify({ data: { title: 'x'.repeat(20_000) } }), status: 413 },
  { says: 'spaces over the limit', body: `${' '.repeat(20_000)}${good}`, status: 413 },
  { says: 'a form over its own limit', body: `data[title]=${'x'.repeat(3_000)}`, more: { headers: form }, status: 413 },
  {
    says: 'a length that promises more than is sent',
    body: good,
    more: { headers: { 'content-length': '99999' } },
    status: [400, 413],
  },
  {
    says: 'a gzip bomb',
    body: gzipSync(JSON.stringify({ data: { title: 'x'.repeat(5_000_000) } })),
    more: encoded('gzip'),
    status: 413,
  },
  { says: 'a deflate bomb', body: deflateSync(' '.repeat(5_000_000)), more: encoded('deflate'), status: 413 },
  { says: 'a brotli bomb', body: brotliCompressSync(' '.repeat(5_000_000)), more: encoded('br'), status: 413 },
  { says: 'broken gzip', body: gzipSync(good).subarray(0, 20), more: encoded('gzip') },
  { says: 'gzip that is none', body: good, more: encoded('gzip') },
  { says: 'deflate that is none', body: good, more: encoded('deflate') },
  { says: 'brotli that is none', body: good, more: encoded('br') },
  {
    says: 'gzip with a wrong checksum',
    body: Buffer.concat([gzipSync(good).subarray(0, -8), Buffer.alloc(8, 1)]),
    more: encoded('gzip'),
  },
  { says: 'an unknown encoding', body: good, more: encoded('rot13'), status: [400, 415] },
  { says: 'gzip twice', body: gzipSync(gzipSync(good)), more: encoded('gzip, gzip'), status: [400, 415] },
  { says: 'lists nested 2,000 deep', body: `{"data":{"title":"x","extra":${nested(2000, '[', ']')}}}` },
  {
    says: 'objects nested 1,000 deep',
    body: `{"data":{"title":"x","extra":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}}`,
  },
  { says: 'a form nested deep', body: `other${'[a]'.repeat(500)}=1`, more: { headers: form } },
  {
    says: 'a form of thousands of names',
    body: Array.from({ length: 800 }, (_, i) => `${i}=`)
      .join('&')
      .slice(0, 1990),
    more: { headers: form },
  },
]

describe('a bad body is refused', () => {
  for (const method of ['POST', 'PUT'] as const)
    for (const { says, body, more, status = 400 } of attacks)
      it(`${method} with ${says}`, async () => {
        const response = await app.send(method, method === 'POST' ? '/api/articles' : '/api/articles/1', body, more)
        assertRefused(response, status)
        await assertUnharmed(app, before)
      })
})

const values: readonly (readonly [says: string, data: Record<string, unknown>])[] = [
  ['an object for a text', { title: {} }],
  ['a list for a text', { title: ['x'] }],
  ['a number for a text', { title: 5 }],
  ['null for what is required', { title: null }],
  ['a null byte in a text', { title: 'a\0b' }],
  ['a text that is too long', { title: 'x'.repeat(201) }],
  ['an object for an integer', { title: 'x', views: { $gt: 1 } }],
  ['a fraction for an integer', { title: 'x', views: 1.5 }],
  ['a huge integer', { title: 'x', views: 1e300 }],
  ['a text for an integer', { title: 'x', views: '1; drop table articles' }],
  ['a big integer of 20 digits', { title: 'x', big: '99999999999999999999' }],
  ['a big integer beyond 64 bits', { title: 'x', big: '9223372036854775808' }],
  ['a big integer that is an object', { title: 'x', big: { toString: '1' } }],
  ['no number for a float', { title: 'x', rating: 'NaN' }],
  ['an infinite float', { title: 'x', rating: 'Infinity' }],
  ['an object for a boolean', { title: 'x', active: {} }],
  ['a word for a boolean', { title: 'x', active: 'maybe' }],
  ['an unknown word of an enumeration', { title: 'x', kind: 'constructor' }],
  ['an object for an enumeration', { title: 'x', kind: { toString: 'news' } }],
  ['an e-mail that is none', { title: 'x', contact: 'a@b' }],
  ['an e-mail of 5,000 dots', { title: 'x', contact: `a@${'a.'.repeat(2500)}` }],
  ['an e-mail that is an object', { title: 'x', contact: { $ne: null } }],
  ['a date that does not exist', { title: 'x', released: '2024-02-31' }],
  ['the year 0', { title: 'x', released: '0000-01-01' }],
  ['an object for a date', { title: 'x', released: {} }],
  ['a time of 25 hours', { title: 'x', opens: '25:00:00' }],
  ['a moment beyond the calendar', { title: 'x', happened: '+275760-09-13T00:00:00Z' }],
  ['a moment before the calendar', { title: 'x', happened: -8640000000000000 }],
  ['a uid with spaces', { title: 'x', slug: 'a b' }],
  ['a uid that is taken', { title: 'x', slug: 'article-2' }],
  ['a password of 73 bytes', { title: 'x', pin: 'x'.repeat(73) }],
  ['a password with a null byte', { title: 'x', pin: 'a\0' }],
  ['a password that is an object', { title: 'x', pin: { toString: 'x' } }],
  ['an unknown entry of a relation', { title: 'x', author: 99_999 }],
  ['a negative id', { title: 'x', author: -1 }],
  ['a fraction for an id', { title: 'x', author: 1.5 }],
  ['a huge id', { title: 'x', author: 1e300 }],
  ['a text that is no id', { title: 'x', author: 'abc' }],
  ['an id in hex', { title: 'x', author: '0x1' }],
  ['an id with an exponent', { title: 'x', author: '1e0' }],
  ['an id with spaces', { title: 'x', author: ' 1 ' }],
  ['SQL for an id', { title: 'x', author: '1 or 1=1' }],
  ['a boolean for an id', { title: 'x', author: true }],
  ['an object for an id', { title: 'x', author: { id: { $gt: 0 } } }],
  ['an object with traps for an id', { title: 'x', author: { id: { toString: '1', valueOf: '1' } } }],
  ['a list of lists', { title: 'x', tags: [[1]] }],
  ['unknown entries in a list', { title: 'x', tags: [1, 99_999] }],
  ['an unknown entry to connect', { title: 'x', tags: { connect: [99_999] } }],
  ['a text to connect', { title: 'x', tags: { connect: 'abc' } }],
  ['a position that is an object', { title: 'x', tags: { connect: [{ id: 1, position: { before: { id: 1 } } }] } }],
  ['a position in the prototype', { title: 'x', tags: { connect: [{ id: 1, position: { constructor: 1 } }] } }],
  ['two positions', { title: 'x', tags: { connect: [{ id: 1, position: { start: true, end: true } }] } }],
  ['100,000 entries of a relation', { title: 'x', tags: Array.from({ length: 2000 }, () => 1).concat(99_999) }],
  ['an entry of any type without a type', { title: 'x', anything: [1] }],
  ['an entry of a type that does not exist', { title: 'x', anything: [{ id: 1, __type: 'constructor' }] }],
  ['a text for a component', { title: 'x', seo: 'x' }],
  ['a list for a component', { title: 'x', seo: [{}] }],
  ['an object for a list of components', { title: 'x', slides: { 0: {} } }],
  ['null in a list of components', { title: 'x', slides: [null] }],
  ['a component without what it requires', { title: 'x', slides: [{}] }],
  ['a zone without a component', { title: 'x', blocks: [{ text: 'x' }] }],
  ['a zone with an unknown component', { title: 'x', blocks: [{ __component: 'shared.branch' }] }],
  ['a zone with a component of the prototype', { title: 'x', blocks: [{ __component: '__proto__' }] }],
  ['a zone with an object for a component', { title: 'x', blocks: [{ __component: { toString: 'shared.quote' } }] }],
  ['a component in itself, 200 deep', { title: 'x', tree: chain(200) }],
]

function chain(depth: number): Record<string, unknown> {
  let inner: Record<string, unknown> = {}
  for (let level = 0; level < depth; level += 1) inner = { child: inner }
  return inner
}

describe('a bad value is refused and nothing is half written', () => {
  for (const [says, data] of values) {
    it(`on create: ${says}`, async () => {
      // The values before the bad one are valid: they must not be stored either.
      const response = await app.send('POST', '/api/articles', {
        data: { tags: [1], seo: { metaTitle: 'x' }, slides: [{ caption: 'x' }], ...data },
      })
      assertRefused(response)
      await assertUnharmed(app, before)
    })
    it(`on update: ${says}`, async () => {
      const answer = await app.ask('/api/articles/1?populate=*')
      assertRefused(await app.send('PUT', '/api/articles/1', { data }))
      assert.equal((await app.ask('/api/articles/1?populate=*')).payload, answer.payload)
      await assertUnharmed(app, before)
    })
  }

  it('a component of another entry is not taken', async () => {
    const other = (await app.ask('/api/articles/2?populate=*')).json().data.attributes
    for (const data of [
      { seo: { id: other.seo.id, metaTitle: 'stolen' } },
      { slides: [{ id: other.slides[0].id, caption: 'stolen' }] },
      { blocks: [{ __component: 'shared.quote', id: other.blocks[0].id, text: 'stolen' }] },
      { tree: { id: 99_999, label: 'x' } },
      { tree: { id: -1 } },
      { tree: { id: { toString: '1' } } },
      { tree: { id: 'constructor' } },
    ])
      assertRefused(await app.send('PUT', '/api/articles/1', { data }))
    assert.deepEqual((await app.ask('/api/articles/2?populate=*')).json().data.attributes.seo, other.seo)
    await assertUnharmed(app, before)
  })
})

/** Attributes that entries have, and that no request writes. */
const isOfEntries = ['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']

describe('what no request may write is ignored where entries have it, and named otherwise', () => {
  const names = [
    'id',
    'createdAt',
    'updatedAt',
    'createdBy',
    'updatedBy',
    'created_by_id',
    'created_at',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'nosuch',
    'articles_tags_links',
  ]
  for (const name of names)
    it(`"${name}" in the data of an entry, a component and a zone`, async () => {
      const text = (value: string) => `{"data":{"headline":"hello","${name}":${value}}}`
      const former = (await app.ask('/api/homepage')).json().data
      for (const value of ['1', '"2001-01-01T00:00:00.000Z"', '{"id":1}', '{"polluted":true}', 'null', '[1]']) {
        const response = await app.send('PUT', '/api/homepage', text(value))
        // A key that reaches for the prototype is refused before anybody looks at it.
        if (name === '__proto__') {
          assertRefused(response)
          continue
        }
        if (!isOfEntries.includes(name)) {
          assertRefused(response, 400, `"${name}"`)
          continue
        }
        assert.equal(response.statusCode, 200, response.payload)
        const { id, attributes } = response.json().data
        assert.equal(id, former.id)
        assert.deepEqual(Object.keys(attributes), Object.keys(former.attributes))
        assert.equal(attributes.createdAt, former.attributes.createdAt)
        assert.notEqual(attributes.updatedAt, '2001-01-01T00:00:00.000Z')
        const part = `{"${name}":${value}}`
        const inner = await app.send('PUT', '/api/articles/3', `{"data":{"seo":${part},"extra":${part}}}`)
        assert.ok([200, 400].includes(inner.statusCode), inner.payload)
      }
      assert.equal(({} as Record<string, unknown>).polluted, undefined)
      assert.equal(await app.entries('api::author.author').count({ createdBy: { $notNull: true } }), 0)
      await assertUnharmed(app, {
        ...before,
        ...(await sizes(
          'components_shared_seos',
          'components_shared_socials',
          'components_shared_seos_components',
          'articles_components',
        )),
      })
    })

  /** Article 3 is written on purpose here, so the rows of its parts come and go. */
  async function sizes(...tables: string[]): Promise<Record<string, number>> {
    const all = await app.rows()
    return Object.fromEntries(tables.map(name => [name, all[name] ?? 0]))
  }
})

it('a body that is read is read whole: the next request on it starts clean', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 ? app.ask('/api/tags?sort=id') : app.send('POST', '/api/articles', '{"data":{"title":'),
    ),
  )
  for (const [index, answer] of answers.entries()) assert.equal(answer.statusCode, index % 2 ? 200 : 400)
  await assertUnharmed(app, await app.rows())
})
