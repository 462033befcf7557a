import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { type Answer, idsOf, type Server, said, serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

const relation = (relation: string, target: string, more: Record<string, string> = {}) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
})
const name = { type: 'string' }

const types = {
  article: {
    attributes: {
      name,
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      topics: relation('oneToMany', 'tag'),
      extras: relation('manyToMany', 'tag'),
      mainTag: relation('oneToOne', 'tag'),
      editor: relation('manyToOne', 'author'),
      related: relation('oneToMany', 'article'),
      friends: relation('manyToMany', 'article', { inversedBy: 'friendOf' }),
      friendOf: relation('manyToMany', 'article', { mappedBy: 'friends' }),
      subject: { type: 'relation', relation: 'morphToOne' },
      mentions: { type: 'relation', relation: 'morphToMany' },
    },
  },
  author: {
    attributes: {
      name,
      articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
      profile: relation('oneToOne', 'profile', { inversedBy: 'author' }),
    },
  },
  profile: { attributes: { name, author: relation('oneToOne', 'author', { mappedBy: 'profile' }) } },
  tag: {
    attributes: {
      name,
      articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
      subjectOf: relation('morphOne', 'article', { morphBy: 'subject' }),
      subjectsOf: relation('morphMany', 'article', { morphBy: 'subject' }),
      mentionedIn: relation('morphMany', 'article', { morphBy: 'mentions' }),
    },
  },
  category: {
    pluralName: 'categories',
    attributes: {
      name,
      parent: relation('manyToOne', 'category', { inversedBy: 'children' }),
      children: relation('oneToMany', 'category', { mappedBy: 'parent' }),
    },
  },
}

/** The entries that a write leaves in a relation, in order. */
const listed = async (server: Server, path: string, attribute: string) =>
  idsOf(await server.get(`${path}?populate=${attribute}`), attribute)

const message = ({ body }: Answer): string => body.error?.message ?? JSON.stringify(body)

onEveryEngine('the shapes of a relation in a body', engine => {
  const server = serve(engine, { types })
  let tags: number[]
  let authors: number[]
  beforeAll(async () => {
    tags = await server.makeMany('/tags', 20)
    authors = await server.makeMany('/authors', 12)
  })
  /** Ids count from 1 in the order of creation, so the n-th tag may be written as n. */
  const fresh = () => server.make('/articles', { tags: [1, 2], author: 3 })

  it('has its scenery', () => {
    assert.deepEqual(
      tags,
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    assert.deepEqual(authors.slice(0, 3), [1, 2, 3])
  })

  describe('of many', () => {
    const cases: { says: string; send: unknown; gives: number[]; onCreate?: number[] }[] = [
      { says: 'a list of ids', send: [3, 1, 5], gives: [3, 1, 5] },
      { says: 'ids as text', send: ['3', '1'], gives: [3, 1] },
      { says: 'a list of objects', send: [{ id: 3 }, { id: '1' }], gives: [3, 1] },
      { says: 'the link form', send: [{ id: 3, type: 'api::tag.tag' }], gives: [3] },
      { says: 'a single id', send: 3, gives: [3] },
      { says: 'a single id as text', send: '3', gives: [3] },
      { says: 'a single object', send: { id: 3 }, gives: [3] },
      { says: 'the same id twice', send: [3, 3, 1, '3'], gives: [3, 1] },
      { says: 'null', send: null, gives: [] },
      { says: 'an empty list', send: [], gives: [] },
      { says: 'set', send: { set: [4, 3] }, gives: [4, 3] },
      { says: 'set with objects', send: { set: [{ id: 4 }, { id: '3' }] }, gives: [4, 3] },
      { says: 'an empty set', send: { set: [] }, gives: [] },
      { says: 'set to null', send: { set: null }, gives: [] },
      { says: 'an empty object', send: {}, gives: [1, 2], onCreate: [] },
      { says: 'unknown keys', send: { bogus: [3] }, gives: [1, 2], onCreate: [] },
      { says: 'empty lists', send: { connect: [], disconnect: [] }, gives: [1, 2], onCreate: [] },
      { says: 'connect that is null', send: { connect: null }, gives: [1, 2], onCreate: [] },
      { says: 'connect', send: { connect: [3, '4', { id: 5 }] }, gives: [1, 2, 3, 4, 5], onCreate: [3, 4, 5] },
      { says: 'disconnect', send: { disconnect: [1] }, gives: [2], onCreate: [] },
      { says: 'disconnect with objects', send: { disconnect: [{ id: 1 }, { id: '2' }] }, gives: [], onCreate: [] },
      { says: 'disconnect of one id', send: { disconnect: 2 }, gives: [1], onCreate: [] },
      { says: 'disconnect of what is not connected', send: { disconnect: [7, 9999] }, gives: [1, 2], onCreate: [] },
      { says: 'connect and disconnect', send: { connect: [3], disconnect: [1] }, gives: [2, 3], onCreate: [3] },
      {
        says: 'the same in connect and disconnect',
        send: { connect: [1], disconnect: [1] },
        gives: [2, 1],
        onCreate: [1],
      },
      { says: 'connecting again moves to the end', send: { connect: [1] }, gives: [2, 1], onCreate: [1] },
    ]
    for (const { says, send, gives, onCreate = gives } of cases) {
      it(`${says}: on update`, async () => {
        const id = await fresh()
        const reply = await server.put(`/articles/${id}?populate=tags`, { tags: send })
        assert.equal(reply.status, 200, message(reply))
        assert.deepEqual(idsOf(reply, 'tags'), gives)
        assert.deepEqual(await listed(server, `/articles/${id}`, 'tags'), gives)
      })
      it(`${says}: on create`, async () => {
        const reply = await server.post('/articles?populate=tags', { tags: send })
        assert.equal(reply.status, 200, message(reply))
        assert.deepEqual(idsOf(reply, 'tags'), onCreate)
        assert.deepEqual(await listed(server, `/articles/${reply.body.data.id}`, 'tags'), onCreate)
      })
    }
  })

  describe('of one', () => {
    const cases: { says: string; send: unknown; gives: number | null; onCreate?: number | null }[] = [
      { says: 'an id', send: 4, gives: 4 },
      { says: 'an id as text', send: '4', gives: 4 },
      { says: 'an object', send: { id: 4 }, gives: 4 },
      { says: 'the link form', send: { id: 4, type: 'api::author.author' }, gives: 4 },
      { says: 'a list of one', send: [4], gives: 4 },
      { says: 'a list, of which the last stays', send: [4, 5], gives: 5 },
      { says: 'set', send: { set: [4, 5] }, gives: 5 },
      { says: 'connect', send: { connect: [4] }, gives: 4 },
      { says: 'connect of several, of which the last stays', send: { connect: [4, { id: 5 }] }, gives: 5 },
      { says: 'connect at the start', send: { connect: [{ id: 4, position: { start: true } }] }, gives: 4 },
      { says: 'connect of what is connected', send: { connect: [3] }, gives: 3 },
      { says: 'disconnect of another', send: { disconnect: [5] }, gives: 3, onCreate: null },
      { says: 'disconnect', send: { disconnect: [3] }, gives: null },
      { says: 'connect and disconnect', send: { connect: [4], disconnect: [3] }, gives: 4 },
      { says: 'null', send: null, gives: null },
      { says: 'an empty list', send: [], gives: null },
      { says: 'an empty set', send: { set: [] }, gives: null },
      { says: 'an empty object', send: {}, gives: 3, onCreate: null },
    ]
    for (const { says, send, gives, onCreate = gives } of cases) {
      it(`${says}: on update`, async () => {
        const id = await fresh()
        const reply = await server.put(`/articles/${id}?populate=author`, { author: send })
        assert.equal(reply.status, 200, message(reply))
        assert.deepEqual(idsOf(reply, 'author'), gives)
        assert.equal(
          (await server.rows('articles_author_links', ['id'], { article_id: id })).length,
          gives === null ? 0 : 1,
        )
      })
      it(`${says}: on create`, async () => {
        const reply = await server.post('/articles?populate=author', { author: send })
        assert.equal(reply.status, 200, message(reply))
        assert.deepEqual(idsOf(reply, 'author'), onCreate)
      })
    }
  })

  describe('position', () => {
    const sequence = [
      { id: 6, position: { after: 1 } },
      { id: 7, position: { before: 2 } },
      { id: 8, position: { end: true } },
      9,
      { id: 10, position: { start: true } },
    ]
    it("the specification's sequence on update gives [10, 1, 6, 7, 2, 8, 9]", async () => {
      const id = await fresh()
      const reply = await server.put(`/articles/${id}?populate=tags`, { tags: { connect: sequence } })
      assert.deepEqual(idsOf(reply, 'tags'), [10, 1, 6, 7, 2, 8, 9])
      assert.deepEqual(await listed(server, `/articles/${id}`, 'tags'), [10, 1, 6, 7, 2, 8, 9])
    })
    it("the specification's sequence on create gives [10, 1, 6, 7, 2, 8, 9]", async () => {
      const reply = await server.post('/articles?populate=tags', { tags: { connect: [1, { id: 2 }, ...sequence] } })
      assert.deepEqual(idsOf(reply, 'tags'), [10, 1, 6, 7, 2, 8, 9])
    })
    for (const attribute of ['topics', 'extras'])
      it(`the specification's sequence in a one-way relation to many (${attribute})`, async () => {
        const id = await server.make('/articles', { [attribute]: [1, 2] })
        const reply = await server.put(`/articles/${id}?populate=${attribute}`, { [attribute]: { connect: sequence } })
        assert.deepEqual(idsOf(reply, attribute), [10, 1, 6, 7, 2, 8, 9])
      })
    it("the specification's sequence in a one-to-many relation, written from the one", async () => {
      const articles = await Promise.all(Array.from({ length: 10 }, () => server.make('/articles')))
      const nth = (n: number) => articles[n - 1] as number
      const author = await server.make('/authors', { articles: [nth(1), nth(2)] })
      const reply = await server.put(`/authors/${author}?populate=articles`, {
        articles: {
          connect: [
            { id: nth(6), position: { after: nth(1) } },
            { id: nth(7), position: { before: nth(2) } },
            { id: nth(8), position: { end: true } },
            nth(9),
            { id: nth(10), position: { start: true } },
          ],
        },
      })
      assert.deepEqual(idsOf(reply, 'articles'), [10, 1, 6, 7, 2, 8, 9].map(nth))
    })

    const cases = [
      { says: 'moves what is connected already', connect: [{ id: 2, position: { start: true } }], gives: [2, 1] },
      { says: 'after the last', connect: [{ id: 3, position: { after: 2 } }], gives: [1, 2, 3] },
      { says: 'before the first', connect: [{ id: 3, position: { before: 1 } }], gives: [3, 1, 2] },
      {
        says: 'each step sees the one before',
        connect: [3, { id: 4, position: { before: 3 } }, { id: 5, position: { after: 4 } }],
        gives: [1, 2, 4, 5, 3],
      },
      {
        says: 'several at the start stand in reverse',
        connect: [
          { id: 3, position: { start: true } },
          { id: 4, position: { start: true } },
        ],
        gives: [4, 3, 1, 2],
      },
      {
        says: 'an anchor that is connected later in the list',
        connect: [{ id: 3, position: { before: 4 } }, { id: 4 }],
        gives: [1, 2, 3, 4],
      },
      {
        says: 'an anchor connected later that has an anchor itself',
        connect: [
          { id: 3, position: { after: 4 } },
          { id: 4, position: { after: 5 } },
          { id: 5, position: { start: true } },
        ],
        gives: [5, 4, 3, 1, 2],
      },
      { says: 'an anchor as text', connect: [{ id: 3, position: { before: '2' } }], gives: [1, 3, 2] },
    ]
    for (const { says, connect, gives } of cases)
      it(says, async () => {
        const reply = await server.put(`/articles/${await fresh()}?populate=tags`, { tags: { connect } })
        assert.equal(reply.status, 200, message(reply))
        assert.deepEqual(idsOf(reply, 'tags'), gives)
      })
  })

  describe('refused', () => {
    const notThere = (ids: readonly unknown[], name = 'tags', uid = 'api::tag.tag') => {
      const named = ids.map(id => JSON.stringify(id).slice(0, 40)).join(', ')
      return ids.length === 1
        ? `${name} names an entry of ${uid} that does not exist or may not be seen: ${named}`
        : `${name} names ${ids.length} entries of ${uid} that do not exist or may not be seen: ${named}`
    }
    const neither = (name: string, sent: unknown) =>
      `${name} takes ids, or objects with an id; ${JSON.stringify(sent)} is neither`
    const listOf = (name: string) => `${name} takes a list of ids, or of objects with an id`
    const anchor = (id: number, position: object) =>
      `There was a problem connecting relation with id ${id} at position ${JSON.stringify(position)}. The relation with id ${Object.values(position)[0]} needs to be connected first.`
    const circle =
      'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it'
    const onePlace = 'position takes exactly one of before: <id>, after: <id>, start: true, end: true'
    const twice = (id: number) =>
      `The relation with id ${id} is already connected. You cannot connect the same relation twice.`
    const cases: { says: string; send: Record<string, unknown>; message: string }[] = [
      { says: 'an unknown id', send: { tags: [9999] }, message: notThere([9999]) },
      { says: 'several unknown ids are counted', send: { tags: [3, 9999, 9998] }, message: notThere([9999, 9998]) },
      {
        says: 'an unknown id to one',
        send: { author: 9999 },
        message: notThere([9999], 'author', 'api::author.author'),
      },
      {
        says: 'an unknown id to one, as an object',
        send: { author: { id: 9999 } },
        message: notThere([9999], 'author', 'api::author.author'),
      },
      { says: 'an unknown id in connect', send: { tags: { connect: [9999] } }, message: notThere([9999]) },
      { says: 'an unknown id in set', send: { tags: { set: [9999] } }, message: notThere([9999]) },
      ...(['abc', '', 0, 1.5, -1, '1,2', 2 ** 31, 2 ** 53, '99999999999999999999'] as const).map(id => ({
        says: `what can be no id: ${JSON.stringify(id)}`,
        send: { author: id },
        message: notThere([id], 'author', 'api::author.author'),
      })),
      { says: 'a text that is no id', send: { tags: 'abc' }, message: notThere(['abc']) },
      { says: 'true', send: { author: true }, message: neither('author', true) },
      { says: 'null in a list', send: { tags: [null] }, message: neither('tags', null) },
      {
        says: 'an object without id in a list',
        send: { tags: [{ name: 'news' }] },
        message: neither('tags', { name: 'news' }),
      },
      { says: 'a list in a list', send: { tags: [[1]] }, message: neither('tags', [1]) },
      { says: 'connect with one id', send: { tags: { connect: 3 } }, message: listOf('tags.connect') },
      { says: 'connect with an object', send: { tags: { connect: { id: 3 } } }, message: listOf('tags.connect') },
      { says: 'set with one id', send: { tags: { set: 3 } }, message: listOf('tags.set') },
      { says: 'set with an object', send: { author: { set: { id: 4 } } }, message: listOf('author.set') },
      {
        says: 'a position without id',
        send: { tags: { connect: [{ position: { start: true } }] } },
        message: neither('tags', { position: { start: true } }),
      },
      {
        says: 'before an entry that is not connected',
        send: { tags: { connect: [{ id: 12, position: { before: 19 } }] } },
        message: anchor(12, { before: 19 }),
      },
      {
        says: 'after an entry that does not exist',
        send: { tags: { connect: [{ id: 12, position: { after: 9999 } }] } },
        message: anchor(12, { after: 9999 }),
      },
      {
        says: 'after an entry that the same write disconnects',
        send: { tags: { disconnect: [1], connect: [{ id: 12, position: { after: 1 } }] } },
        message: anchor(12, { after: 1 }),
      },
      { says: 'before itself', send: { tags: { connect: [{ id: 12, position: { before: 12 } }] } }, message: circle },
      {
        says: 'each before the other',
        send: {
          tags: {
            connect: [
              { id: 12, position: { before: 13 } },
              { id: 13, position: { before: 12 } },
            ],
          },
        },
        message: circle,
      },
      ...[
        {},
        { start: false },
        { end: 'yes' },
        { before: null },
        { before: 0 },
        { bogus: 1 },
        { start: true, end: true },
        { before: 1, after: 2 },
        'start',
        null,
        [],
      ].map(position => ({
        says: `the position ${JSON.stringify(position)}`,
        send: { tags: { connect: [{ id: 12, position }] } },
        message: onePlace,
      })),
      {
        says: 'the same id with two positions',
        send: {
          tags: {
            connect: [
              { id: 5, position: { start: true } },
              { id: 5, position: { end: true } },
            ],
          },
        },
        message: twice(5),
      },
    ]
    for (const { says, send, message: expected } of cases)
      it(says, async () => {
        const id = await fresh()
        await server.put(`/articles/${id}`, { name: 'before' })
        const entries = await server.count('articles')
        const put = await server.put(`/articles/${id}`, { name: 'after', ...send })
        const post = await server.post('/articles', { name: 'new', ...send })
        assert.deepEqual(said(put), [400, expected])
        assert.deepEqual(said(post), [400, expected])
        assert.equal(put.body.error.name, 'ValidationError')
        assert.equal(put.body.error.details.errors[0].path[0], Object.keys(send)[0])
        // A failed write stores nothing of either: no scalar, no link, no entry.
        assert.equal((await server.get(`/articles/${id}`)).body.data.attributes.name, 'before')
        assert.deepEqual(await listed(server, `/articles/${id}`, 'tags'), [1, 2])
        assert.equal(await server.count('articles'), entries)
      })

    it('more than one wrong relation is told at once', async () => {
      const { body } = await server.post('/articles', { tags: [null], author: { connect: 3 } })
      assert.equal(body.error.message, '2 errors occurred')
      assert.deepEqual(
        body.error.details.errors.map(({ path }: { path: string[] }) => path),
        [['author'], ['tags']],
      )
    })
  })

  describe('where the dialects differ', () => {
    const v4 = serve(engine, { types, config: { api: { rest: { dialect: 'strapi4' } } } })
    beforeAll(async () => {
      await v4.makeMany('/tags', 12)
    })
    const both = { set: [3], connect: [1] }
    const exclusive = 'set replaces all relations and must not be combined with connect or disconnect'

    it('set next to connect or disconnect: refused, or set wins', async () => {
      for (const send of [both, { set: [3], disconnect: [1] }, { set: [3], connect: [] }])
        assert.deepEqual(said(await server.post('/articles', { tags: send })), [400, exclusive])
      assert.deepEqual(idsOf(await v4.post('/articles?populate=tags', { tags: both }), 'tags'), [3])
      assert.deepEqual(
        idsOf(await v4.post('/articles?populate=tags', { tags: { set: [3], disconnect: [1] } }), 'tags'),
        [3],
      )
    })
    const connectedTwice = 'The relation with id 1 is already connected. You cannot connect the same relation twice.'
    for (const connect of [
      [1, { id: 1 }],
      [{ id: 1 }, 1],
      [1, '1'],
      [1, { id: '1' }],
      [{ id: 1 }, { id: 1, position: { end: true } }],
    ])
      it(`the same id twice, written differently: refused in both: ${JSON.stringify(connect)}`, async () => {
        for (const one of [server, v4])
          assert.deepEqual(said(await one.post('/articles', { tags: { connect } })), [400, connectedTwice])
      })
    for (const connect of [
      [1, 1],
      ['1', '1'],
      [{ id: 1 }, { id: 1 }],
      [
        { id: 1, position: { start: true } },
        { position: { start: true }, id: 1 },
      ],
    ])
      it(`the same id twice in one connect: refused, or taken once: ${JSON.stringify(connect)}`, async () => {
        assert.deepEqual(said(await server.post('/articles', { tags: { connect } })), [400, connectedTwice])
        assert.deepEqual(idsOf(await v4.post('/articles?populate=tags', { tags: { connect } }), 'tags'), [1])
      })
    it('the same id at two positions: refused in both', async () => {
      const connect = [
        { id: 1, position: { start: true } },
        { id: 1, position: { end: true } },
      ]
      const { status, body } = await v4.post('/articles', { tags: { connect } })
      assert.equal(status, 400)
      assert.deepEqual(body.error.details, {})
    })
    it('a position with two keys or an unknown one: refused in both', async () => {
      for (const position of [{ start: true, end: true }, { bogus: 1 }])
        assert.equal((await v4.post('/articles', { tags: { connect: [{ id: 1, position }] } })).status, 400)
    })
    for (const position of [{}, { start: false }, { before: null }, 'start', null])
      it(`a position that says nothing: refused, or the end: ${JSON.stringify(position)}`, async () => {
        const connect = [{ id: 2 }, { id: 1, position }]
        assert.equal((await server.post('/articles', { tags: { connect } })).status, 400)
        assert.deepEqual(idsOf(await v4.post('/articles?populate=tags', { tags: { connect } }), 'tags'), [2, 1])
      })
    for (const position of [{ after: 9 }, { before: 9 }, { after: 9999 }]) {
      const place = JSON.stringify(position)
      it(`a position that is not connected, with strict: false: the end, in both: ${place}`, async () => {
        for (const one of [server, v4]) {
          const id = await one.make('/articles', { tags: [1, 3] })
          const tags = {
            options: { strict: false },
            connect: [
              { id: 2, position },
              { id: 4, position: { start: true } },
            ],
          }
          const reply = await one.put(`/articles/${id}?populate=tags`, { tags })
          assert.equal(reply.status, 200, message(reply))
          assert.deepEqual(idsOf(reply, 'tags'), [4, 1, 3, 2])
          const made = await one.post('/articles?populate=tags', { tags })
          assert.deepEqual(idsOf(made, 'tags'), [4, 2])
        }
      })
      for (const options of [{ strict: true }, {}, undefined])
        it(`a position that is not connected: refused in both: ${place}, ${JSON.stringify(options)}`, async () => {
          const connect = [{ id: 2, position }]
          for (const one of [server, v4]) {
            const [status, text] = said(await one.post('/articles', { tags: { options, connect } }))
            assert.equal(status, 400)
            assert.match(String(text), /needs to be connected first/)
          }
        })
    }
    it('strict: false places what it can, and a circle stays refused', async () => {
      const options = { strict: false }
      for (const one of [server, v4]) {
        const connect = [{ id: 1, position: { after: 2 } }, 2, { id: 3, position: { before: 1 } }]
        assert.deepEqual(
          idsOf(await one.post('/articles?populate=tags', { tags: { options, connect } }), 'tags'),
          [2, 3, 1],
        )
        const circle = [
          { id: 1, position: { after: 2 } },
          { id: 2, position: { after: 1 } },
        ]
        assert.equal((await one.post('/articles', { tags: { options, connect: circle } })).status, 400)
      }
    })
    for (const options of [{ strict: 'no' }, { strict: null }, { loose: true }, [], 'strict', null, 1])
      it(`options that are none: refused in both: ${JSON.stringify(options)}`, async () => {
        for (const one of [server, v4])
          for (const send of [{ connect: [1] }, { set: [1] }, {}])
            assert.deepEqual(said(await one.post('/articles', { tags: { ...send, options } })), [
              400,
              'options takes { strict: true } or { strict: false }',
            ])
      })
    it('unknown ids: every attribute and its ids are named, or they are counted', async () => {
      const send = { tags: { connect: [9999, 3, '9998', 'x'] }, author: 9999, topics: [9999, 9997] }
      const { message: text, details } = (await server.post('/articles', send)).body.error
      assert.equal(text, '3 errors occurred')
      assert.deepEqual(
        details.errors.map(({ path, message: one }: { path: string[]; message: string }) => [
          path,
          one.replace(/^.*: /, ''),
        ]),
        [
          [['author'], '9999'],
          [['tags'], '9999, 9998, "x"'],
          [['topics'], '9999, 9997'],
        ],
      )
      const counted = (await v4.post('/articles', { ...send, author: null })).body.error
      assert.equal(counted.message, '4 relation(s) of type api::tag.tag associated with this entity do not exist')
      assert.deepEqual(counted.details.errors[0].path, [])
    })
    it('of many unknown ids the first ones are named', async () => {
      const tags = Array.from({ length: 14 }, (_, index) => 9001 + index)
      const { message: text } = (await server.post('/articles', { tags })).body.error
      assert.match(text, /^tags names 14 entries .*: 9001, .*, 9010 and 4 more$/)
    })
  })

  it('takes a thousand ids in one set', async () => {
    const many = await server.makeMany('/tags', 1000)
    const shuffled = [...many].reverse()
    const id = await server.make('/articles', { tags: many })
    const reply = await server.put(`/articles/${id}`, { tags: shuffled })
    assert.equal(reply.status, 200, message(reply))
    const rows = await server.rows('articles_tags_links', ['tag_order', 'tag_id'], { article_id: id })
    assert.deepEqual(
      rows,
      shuffled.map((tag_id, index) => ({ tag_order: index + 1, tag_id })),
    )
    assert.equal((await server.put(`/articles/${id}`, { tags: { disconnect: many.slice(0, 999) } })).status, 200)
    assert.deepEqual(await listed(server, `/articles/${id}`, 'tags'), [many[999]])
  })
})

onEveryEngine('the kinds of relations', engine => {
  const server = serve(engine, { types })
  const make = (path: string, data = {}) => server.make(path, data)

  describe('one-way to one', () => {
    it('a target may belong to several owners', async () => {
      const tag = await make('/tags')
      const owners = [await make('/articles', { mainTag: tag }), await make('/articles', { mainTag: tag })]
      for (const id of owners) assert.equal(await listed(server, `/articles/${id}`, 'mainTag'), tag)
      assert.deepEqual(
        await server.rows('articles_main_tag_links', ['article_id', 'tag_id'], { tag_id: tag }),
        owners.map(article_id => ({ article_id, tag_id: tag })),
      )
    })
    it('many-to-one without an inverse shares its target too', async () => {
      const editor = await make('/authors')
      const owners = [await make('/articles', { editor }), await make('/articles', { editor })]
      for (const id of owners) assert.equal(await listed(server, `/articles/${id}`, 'editor'), editor)
    })
  })

  describe('two-way one to one', () => {
    it('is seen from both sides, whichever was written', async () => {
      const profile = await make('/profiles')
      const author = await make('/authors', { profile })
      assert.equal(await listed(server, `/profiles/${profile}`, 'author'), author)
      const second = await make('/profiles', { author: await make('/authors') })
      assert.notEqual(await listed(server, `/profiles/${second}`, 'author'), null)
    })
    it('takes a target away from its former owner, from either side', async () => {
      const [profile, other] = [await make('/profiles'), await make('/profiles')]
      const first = await make('/authors', { profile })
      const second = await make('/authors', { profile })
      assert.equal(await listed(server, `/authors/${first}`, 'profile'), null)
      assert.equal(await listed(server, `/authors/${second}`, 'profile'), profile)
      await server.put(`/profiles/${other}`, { author: second })
      assert.equal(await listed(server, `/profiles/${profile}`, 'author'), null)
      assert.equal(await listed(server, `/authors/${second}`, 'profile'), other)
      assert.equal((await server.rows('authors_profile_links', ['id'], { author_id: second })).length, 1)
    })
    it('a target that two entries take at the same time ends with one of them', async () => {
      const profile = await make('/profiles')
      const replies = await Promise.all([1, 2, 3, 4].map(() => server.post('/authors', { profile })))
      for (const reply of replies) assert.equal(reply.status, 200, message(reply))
      assert.equal((await server.rows('authors_profile_links', ['id'], { profile_id: profile })).length, 1)
    })
  })

  describe('one to many and many to one', () => {
    it('is the same relation from both sides; new links stand last in the list of the one', async () => {
      const author = await make('/authors')
      const articles = [await make('/articles', { author }), await make('/articles', { author })]
      assert.deepEqual(await listed(server, `/authors/${author}`, 'articles'), articles)
      const reply = await server.put(`/authors/${author}?populate=articles`, { articles: [...articles].reverse() })
      assert.deepEqual(idsOf(reply, 'articles'), [...articles].reverse())
      const third = await make('/articles', { author })
      assert.deepEqual(await listed(server, `/authors/${author}`, 'articles'), [articles[1], articles[0], third])
    })
    it('takes articles away from their former author', async () => {
      const articles = [await make('/articles'), await make('/articles')]
      const first = await make('/authors', { articles })
      const second = await make('/authors', { articles: { connect: [articles[0]] } })
      assert.deepEqual(await listed(server, `/authors/${first}`, 'articles'), [articles[1]])
      assert.deepEqual(await listed(server, `/authors/${second}`, 'articles'), [articles[0]])
      assert.equal(await listed(server, `/articles/${articles[0]}`, 'author'), second)
    })
    it('articles that two authors take at the same time end with one of them', async () => {
      const article = await make('/articles')
      const replies = await Promise.all([1, 2, 3, 4].map(() => server.post('/authors', { articles: [article] })))
      for (const reply of replies) assert.equal(reply.status, 200, message(reply))
      assert.equal((await server.rows('articles_author_links', ['id'], { article_id: article })).length, 1)
    })
    it('clearing from the side of the many leaves the others', async () => {
      const author = await make('/authors')
      const [one, two] = [await make('/articles', { author }), await make('/articles', { author })]
      await server.put(`/articles/${one}`, { author: null })
      assert.deepEqual(await listed(server, `/authors/${author}`, 'articles'), [two])
    })
  })

  describe('one-way to many', () => {
    for (const attribute of ['topics', 'extras'])
      it(`targets are shared, in the order of each owner (${attribute})`, async () => {
        const [a, b] = [await make('/tags'), await make('/tags')]
        const one = await make('/articles', { [attribute]: [a, b] })
        const two = await make('/articles', { [attribute]: [b, a] })
        assert.deepEqual(await listed(server, `/articles/${one}`, attribute), [a, b])
        assert.deepEqual(await listed(server, `/articles/${two}`, attribute), [b, a])
      })
  })

  describe('many to many', () => {
    it('is seen and written from both sides, each in its own order', async () => {
      const [a, b] = [await make('/articles'), await make('/articles')]
      const tag = await make('/tags', { articles: [b, a] })
      assert.deepEqual(await listed(server, `/tags/${tag}`, 'articles'), [b, a])
      assert.deepEqual(await listed(server, `/articles/${a}`, 'tags'), [tag])
      const c = await make('/articles')
      const reply = await server.put(`/tags/${tag}?populate=articles`, {
        articles: { connect: [{ id: c, position: { before: a } }] },
      })
      assert.deepEqual(idsOf(reply, 'articles'), [b, c, a])
    })
    it('a pair that both sides connect at the same time is linked once', async () => {
      const [article, tag] = [await make('/articles'), await make('/tags')]
      const replies = await Promise.all([
        server.put(`/articles/${article}`, { tags: { connect: [tag] } }),
        server.put(`/tags/${tag}`, { articles: { connect: [article] } }),
        server.put(`/articles/${article}`, { tags: [tag] }),
        server.put(`/tags/${tag}`, { articles: [article] }),
      ])
      for (const reply of replies) assert.equal(reply.status, 200, message(reply))
      assert.equal((await server.rows('articles_tags_links', ['id'], { article_id: article })).length, 1)
    })
  })

  describe('to the type itself', () => {
    it('one-way: an entry may lead to itself', async () => {
      const [a, b] = [await make('/articles'), await make('/articles')]
      const reply = await server.put(`/articles/${a}?populate=related`, { related: [b, a] })
      assert.deepEqual(idsOf(reply, 'related'), [b, a])
      assert.deepEqual(await listed(server, `/articles/${b}`, 'related'), [])
    })
    it('two-way: each side has its own list', async () => {
      const [a, b, c] = [await make('/articles'), await make('/articles'), await make('/articles')]
      await server.put(`/articles/${a}`, { friends: [c, b] })
      assert.deepEqual(await listed(server, `/articles/${a}`, 'friends'), [c, b])
      assert.deepEqual(await listed(server, `/articles/${b}`, 'friendOf'), [a])
      assert.deepEqual(await listed(server, `/articles/${b}`, 'friends'), [])
      await server.put(`/articles/${b}`, { friendOf: [c, a] })
      assert.deepEqual(await listed(server, `/articles/${b}`, 'friendOf'), [c, a])
      assert.deepEqual(await listed(server, `/articles/${c}`, 'friends'), [b])
    })
    it('two-way, both sides in one write: a link that the one makes is there for the other', async () => {
      const [a, b] = [await make('/articles'), await make('/articles')]
      const send = { friends: { connect: [a, b] }, friendOf: { connect: [a, b] } }
      const reply = await server.put(`/articles/${a}?populate[0]=friends&populate[1]=friendOf`, send)
      assert.equal(reply.status, 200, message(reply))
      assert.deepEqual(idsOf(reply, 'friends'), [a, b])
      assert.deepEqual(new Set(idsOf(reply, 'friendOf') as number[]), new Set([a, b]))
      assert.equal(
        (await server.rows('articles_friends_links', ['id'], { article_id: a, inv_article_id: a })).length,
        1,
      )
    })
    it('parent and children', async () => {
      const [a, b, c] = [await make('/categories'), await make('/categories'), await make('/categories')]
      await server.put(`/categories/${a}`, { children: [c, b] })
      assert.deepEqual(await listed(server, `/categories/${a}`, 'children'), [c, b])
      assert.equal(await listed(server, `/categories/${b}`, 'parent'), a)
      await server.put(`/categories/${b}`, { parent: c })
      assert.deepEqual(await listed(server, `/categories/${a}`, 'children'), [c])
      assert.deepEqual(await listed(server, `/categories/${c}`, 'children'), [b])
    })
  })

  describe('polymorphic', () => {
    it('morphToOne leads to an entry of any type', async () => {
      const [tag, author] = [await make('/tags', { name: 't' }), await make('/authors', { name: 'a' })]
      const id = await make('/articles', { subject: { id: tag, __type: 'api::tag.tag' } })
      const [row] = await server.rows('articles', ['target_id', 'target_type'], { id })
      assert.deepEqual(row, { target_id: tag, target_type: 'api::tag.tag' })
      const reply = await server.put(`/articles/${id}?populate=subject`, {
        subject: { connect: [{ id: author, __type: 'api::author.author' }] },
      })
      assert.equal(reply.status, 200, message(reply))
      assert.equal(reply.body.data.attributes.subject.data.id, author)
      assert.equal(reply.body.data.attributes.subject.data.attributes.name, 'a')
      await server.put(`/articles/${id}`, { subject: null })
      assert.deepEqual(await server.rows('articles', ['target_id', 'target_type'], { id }), [
        { target_id: null, target_type: null },
      ])
    })
    it('morphToMany keeps entries of several types in one order', async () => {
      const [tag, author] = [await make('/tags'), await make('/authors')]
      const mentions = [
        { id: author, __type: 'api::author.author' },
        { id: tag, __type: 'api::tag.tag' },
      ]
      const id = await make('/articles', { mentions })
      const columns = ['order', 'mentions_id', 'mentions_type']
      assert.deepEqual(await server.rows('articles_mentions_morphs', columns, { article_id: id }), [
        { order: 1, mentions_id: author, mentions_type: 'api::author.author' },
        { order: 2, mentions_id: tag, mentions_type: 'api::tag.tag' },
      ])
      await server.put(`/articles/${id}`, { mentions: { disconnect: [mentions[0]] } })
      assert.deepEqual(await server.rows('articles_mentions_morphs', columns, { article_id: id }), [
        { order: 1, mentions_id: tag, mentions_type: 'api::tag.tag' },
      ])
    })
    it('morphOne and morphMany are the other end of morphToOne', async () => {
      const [a, b] = [await make('/articles'), await make('/articles')]
      const tag = await make('/tags', { subjectsOf: [a, b] })
      assert.deepEqual(await server.rows('articles', ['id', 'target_id', 'target_type'], { target_id: tag }), [
        { id: a, target_id: tag, target_type: 'api::tag.tag' },
        { id: b, target_id: tag, target_type: 'api::tag.tag' },
      ])
      await server.put(`/tags/${tag}`, { subjectsOf: { disconnect: [a] } })
      assert.equal(await listed(server, `/tags/${tag}`, 'subjectOf'), b)
    })
    it('morphMany is the other end of morphToMany', async () => {
      const [a, b] = [await make('/articles'), await make('/articles')]
      const tag = await make('/tags', { mentionedIn: [b, a] })
      assert.deepEqual(new Set((await listed(server, `/tags/${tag}`, 'mentionedIn')) as number[]), new Set([a, b]))
      assert.deepEqual(idsOf(await server.get(`/articles/${a}?populate=mentions`), 'mentions'), [tag])
    })
    it('both ends of morphToMany show the same, whichever made the link', async () => {
      const id = await make('/articles')
      const [first, second] = [await make('/tags', { mentionedIn: [id] }), await make('/tags')]
      await server.put(`/articles/${id}`, { mentions: { connect: [{ id: second, __type: 'api::tag.tag' }] } })
      assert.deepEqual(idsOf(await server.get(`/articles/${id}?populate=mentions`), 'mentions'), [first, second])
      for (const tag of [first, second]) assert.deepEqual(await listed(server, `/tags/${tag}`, 'mentionedIn'), [id])
    })
    for (const [says, subject] of [
      ['a type that does not exist', { id: 1, __type: 'api::nope.nope' }],
      ['an entry that does not exist', { id: 99999, __type: 'api::tag.tag' }],
      ['no type', { id: 1 }],
    ] as const)
      it(`refuses ${says}`, async () => {
        for (const send of [{ subject }, { mentions: [subject] }])
          assert.equal((await server.post('/articles', send)).status, 400)
      })
  })

  describe('deleting', () => {
    it('a target removes its links and leaves the owners', async () => {
      const [tag, kept] = [await make('/tags'), await make('/tags')]
      const author = await make('/authors')
      const id = await make('/articles', {
        tags: [tag, kept],
        topics: [tag],
        mainTag: tag,
        author,
        subject: { id: tag, __type: 'api::tag.tag' },
        mentions: [{ id: tag, __type: 'api::tag.tag' }],
      })
      await server.delete(`/tags/${tag}`)
      await server.delete(`/authors/${author}`)
      assert.deepEqual(await listed(server, `/articles/${id}`, 'tags'), [kept])
      for (const attribute of ['mainTag', 'author', 'subject'])
        assert.equal(await listed(server, `/articles/${id}`, attribute), null, attribute)
      for (const table of [
        'articles_topics_links',
        'articles_main_tag_links',
        'articles_author_links',
        'articles_mentions_morphs',
      ])
        assert.deepEqual(await server.rows(table, ['id'], { article_id: id }), [], table)
      assert.deepEqual(await server.rows('articles', ['target_id', 'target_type'], { id }), [
        { target_id: null, target_type: null },
      ])
    })
    it('an owner removes its links and leaves the targets', async () => {
      const tag = await make('/tags')
      const id = await make('/articles', {
        tags: [tag],
        topics: [tag],
        mentions: [{ id: tag, __type: 'api::tag.tag' }],
      })
      await server.delete(`/articles/${id}`)
      for (const table of ['articles_tags_links', 'articles_topics_links', 'articles_mentions_morphs'])
        assert.deepEqual(await server.rows(table, ['id'], { article_id: id }), [], table)
      assert.equal((await server.get(`/tags/${tag}`)).status, 200)
    })
  })
})

onEveryEngine('the rows of relations', engine => {
  const server = serve(engine, { types })
  const make = (path: string, data = {}) => server.make(path, data)

  it('manyToMany: the owner list counts 1, 2, 3 after every write, the inverse order is one more than the last', async () => {
    const [t1, t2, t3] = [await make('/tags'), await make('/tags'), await make('/tags')]
    const columns = ['tag_order', 'tag_id', 'article_order']
    const first = await make('/articles', { tags: [t1, t2, t3] })
    const second = await make('/articles', { tags: [t3] })
    assert.deepEqual(await server.rows('articles_tags_links', columns, { article_id: first }), [
      { tag_order: 1, tag_id: t1, article_order: 1 },
      { tag_order: 2, tag_id: t2, article_order: 1 },
      { tag_order: 3, tag_id: t3, article_order: 1 },
    ])
    assert.deepEqual(await server.rows('articles_tags_links', columns, { article_id: second }), [
      { tag_order: 1, tag_id: t3, article_order: 2 },
    ])
    await server.put(`/articles/${first}`, { tags: { disconnect: [t1] } })
    assert.deepEqual(await server.rows('articles_tags_links', columns, { article_id: first }), [
      { tag_order: 1, tag_id: t2, article_order: 1 },
      { tag_order: 2, tag_id: t3, article_order: 1 },
    ])
    // The inverse list of t3 keeps its gap: the next entry stands after the last.
    await server.put(`/articles/${first}`, { tags: [t2] })
    await make('/articles', { tags: [t3] })
    const inverse = await server.rows('articles_tags_links', ['article_order'], { tag_id: t3 })
    assert.deepEqual(inverse, [{ article_order: 2 }, { article_order: 3 }])
  })

  it('a write that changes nothing keeps the rows as they are', async () => {
    const tags = [await make('/tags'), await make('/tags')]
    const id = await make('/articles', { tags })
    const before = await server.rows('articles_tags_links', ['id', 'tag_order'], { article_id: id })
    await server.put(`/articles/${id}`, { tags })
    assert.deepEqual(await server.rows('articles_tags_links', ['id', 'tag_order'], { article_id: id }), before)
  })

  it('manyToOne: the order among the articles of an author', async () => {
    const author = await make('/authors')
    const [a, b] = [await make('/articles', { author }), await make('/articles', { author })]
    assert.deepEqual(
      await server.rows('articles_author_links', ['article_id', 'author_id', 'article_order'], { author_id: author }),
      [
        { article_id: a, author_id: author, article_order: 1 },
        { article_id: b, author_id: author, article_order: 2 },
      ],
    )
  })

  it('one-way to many: the order in the list of the owner alone', async () => {
    const [t1, t2] = [await make('/tags'), await make('/tags')]
    const id = await make('/articles', { topics: [t2, t1] })
    assert.deepEqual(await server.rows('articles_topics_links', ['tag_order', 'tag_id'], { article_id: id }), [
      { tag_order: 1, tag_id: t2 },
      { tag_order: 2, tag_id: t1 },
    ])
  })

  it('to the type itself, two-way: article_order counts the owner list, inv_article_order the inverse', async () => {
    const [a, b, c] = [await make('/articles'), await make('/articles'), await make('/articles')]
    await server.put(`/articles/${a}`, { friends: [c, b] })
    await server.put(`/articles/${b}`, { friends: [c] })
    const columns = ['article_id', 'inv_article_id', 'article_order', 'inv_article_order']
    assert.deepEqual(await server.rows('articles_friends_links', columns, {}), [
      { article_id: a, inv_article_id: b, article_order: 2, inv_article_order: 1 },
      { article_id: a, inv_article_id: c, article_order: 1, inv_article_order: 1 },
      { article_id: b, inv_article_id: c, article_order: 1, inv_article_order: 2 },
    ])
  })

  it('parent: the child, its parent, and its order among the children', async () => {
    const [a, b, c] = [await make('/categories'), await make('/categories'), await make('/categories')]
    await server.put(`/categories/${a}`, { children: [c, b] })
    assert.deepEqual(
      await server.rows('categories_parent_links', ['category_order', 'category_id', 'inv_category_id']),
      [
        { category_order: 1, category_id: c, inv_category_id: a },
        { category_order: 2, category_id: b, inv_category_id: a },
      ],
    )
  })
})
