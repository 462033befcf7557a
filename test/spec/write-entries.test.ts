import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { idsOf, serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'
import { hashEachTime } from '../support/hash-once.js'
import { run } from '../support/run.js'

const types = {
  author: {
    attributes: {
      name: { type: 'string', required: true },
      mood: { type: 'string', default: 'calm' },
      extras: { type: 'json', default: { list: [] } },
      secret: { type: 'string', private: true },
      passphrase: { type: 'password' },
      fixed: { type: 'string', writable: false, default: 'by the server' },
      books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'author' },
    },
  },
  book: {
    attributes: {
      title: { type: 'string' },
      pages: { type: 'integer' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'books' },
    },
  },
  shelf: {
    pluralName: 'shelves',
    attributes: {
      code: { type: 'string', unique: true },
      books: { type: 'relation', relation: 'manyToMany', target: 'api::book.book' },
    },
  },
  homepage: {
    kind: 'singleType',
    attributes: { title: { type: 'string', required: true }, intro: { type: 'text', default: 'Welcome' } },
  },
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

onEveryEngine('writing entries', engine => {
  const server = serve(engine, { types })

  describe('POST of a collection type', () => {
    it('answers 200 with the created entry and an empty meta', async () => {
      const { status, body } = await server.post('/books', { title: 'Emma', pages: 474 })
      assert.equal(status, 200)
      const { createdAt, updatedAt, ...attributes } = body.data.attributes
      assert.deepEqual(attributes, { title: 'Emma', pages: 474 })
      assert.match(createdAt, iso)
      assert.equal(updatedAt, createdAt)
      assert.deepEqual(body.data.meta, { availableLocales: [] })
      assert.deepEqual(body.meta, {})
      assert.equal((await server.get(`/books/${body.data.id}`)).body.data.attributes.title, 'Emma')
    })

    it('gives every entry an id of its own that is a number', async () => {
      const [one, two] = [await server.make('/books'), await server.make('/books')]
      assert.equal(typeof one, 'number')
      assert.notEqual(one, two)
    })

    it('fills what is missing with the default of the schema, and what is null with null', async () => {
      const missing = await server.post('/authors', { name: 'a' })
      assert.equal(missing.body.data.attributes.mood, 'calm')
      assert.deepEqual(missing.body.data.attributes.extras, { list: [] })
      const cleared = await server.post('/authors', { name: 'a', mood: null })
      assert.equal(cleared.body.data.attributes.mood, null)
    })

    it('answers every attribute, those without a value as null', async () => {
      const { body } = await server.post('/books', {})
      assert.deepEqual(Object.keys(body.data.attributes), ['title', 'pages', 'createdAt', 'updatedAt'])
      assert.equal(body.data.attributes.title, null)
    })

    it('honours fields and populate in its response', async () => {
      const author = await server.make('/authors', { name: 'Jane' })
      const { body } = await server.post('/books?fields[0]=title&populate[author][fields][0]=name', {
        title: 'Emma',
        pages: 474,
        author,
      })
      assert.deepEqual(body.data.attributes, {
        title: 'Emma',
        author: { data: { id: author, attributes: { name: 'Jane' } } },
      })
    })

    it('refuses a wrong query and then stores nothing', async () => {
      const before = await server.count('books')
      for (const query of ['fields[0]=nope', 'populate=nope', 'sort=nope', 'filters[nope]=1'])
        assert.equal((await server.post(`/books?${query}`, { title: 'x' })).status, 400, query)
      assert.equal(await server.count('books'), before)
    })
  })

  describe('what a body cannot set', () => {
    const ignored = {
      id: 999_999,
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      createdBy: 1,
      updatedBy: 1,
    }
    const unknown = {
      nope: 'an unknown key',
      locale: 'fr',
      publishedAt: null,
      documentId: 'x',
      __proto__: { title: 'polluted' },
      constructor: { title: 'polluted' },
    }
    it('is ignored on create', async () => {
      const { status, body } = await server.post('/books', { ...ignored, title: 'kept' })
      assert.equal(status, 200)
      assert.notEqual(body.data.id, 999_999)
      assert.equal(body.data.attributes.title, 'kept')
      assert.doesNotMatch(body.data.attributes.createdAt, /^2001/)
      const [row] = await server.rows('books', ['created_by_id', 'updated_by_id'], { id: body.data.id })
      assert.deepEqual(row, { created_by_id: null, updated_by_id: null })
    })
    it('is named where the type has no such attribute', async () => {
      const before = await server.count('books')
      const id = await server.make('/books', { title: 'first' })
      for (const answer of [
        await server.post('/books', { title: 'second', ...unknown }),
        await server.put(`/books/${id}`, unknown),
      ]) {
        assert.equal(answer.status, 400)
        const { errors } = answer.body.error.details
        assert.deepEqual(
          errors.map(({ path }: { path: string[] }) => path),
          Object.keys(unknown).map(name => [name]),
        )
        assert.match(errors[0].message, /^nope is not an attribute of api::book\.book that can be written; it has /)
      }
      const meant = await server.post('/books', { titel: 'x' })
      assert.match(meant.body.error.message, /^titel is not an attribute .* did you mean "title"\?$/)
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`stray${index}`, 1]))
      assert.equal((await server.post('/books', { title: 'x', ...many })).body.error.details.errors.length, 20)
      assert.equal(await server.count('books'), before + 1)
    })
    it('is ignored on update', async () => {
      const id = await server.make('/books', { title: 'first' })
      const { status, body } = await server.put(`/books/${id}`, ignored)
      assert.equal(status, 200)
      assert.equal(body.data.id, id)
      assert.equal(body.data.attributes.title, 'first')
      assert.doesNotMatch(body.data.attributes.createdAt, /^2001/)
    })
    it('is ignored where the attribute is not writable, which begins with its default', async () => {
      const { body } = await server.post('/authors', { name: 'a', fixed: 'by me' })
      assert.equal(body.data.attributes.fixed, 'by the server')
      const { body: changed } = await server.put(`/authors/${body.data.id}`, { fixed: 'by me' })
      assert.equal(changed.data.attributes.fixed, 'by the server')
    })
  })

  describe('PUT of a collection type', () => {
    it('changes what is sent and nothing else', async () => {
      const id = await server.make('/books', { title: 'Emma', pages: 474 })
      const { status, body } = await server.put(`/books/${id}`, { pages: 475 })
      assert.equal(status, 200)
      assert.equal(body.data.id, id)
      assert.equal(body.data.attributes.title, 'Emma')
      assert.equal(body.data.attributes.pages, 475)
    })

    it('clears a field that is null', async () => {
      const id = await server.make('/books', { title: 'Emma', pages: 474 })
      assert.equal((await server.put(`/books/${id}`, { pages: null })).body.data.attributes.pages, null)
    })

    it('does not fall back to the default of a field that is cleared or not sent', async () => {
      const id = await server.make('/authors', { name: 'a', mood: null })
      assert.equal((await server.put(`/authors/${id}`, { name: 'b' })).body.data.attributes.mood, null)
    })

    it('moves updatedAt and keeps createdAt', async () => {
      const id = await server.make('/books', { title: 'Emma' })
      const old = engine.name === 'sqlite' ? '1600000000000' : "'2020-09-13 12:26:40'"
      await run(server.database, `update books set created_at = ${old}, updated_at = ${old} where id = ${id}`)
      const { createdAt, updatedAt } = (await server.put(`/books/${id}`, { pages: 1 })).body.data.attributes
      assert.equal(createdAt, '2020-09-13T12:26:40.000Z')
      assert.ok(Math.abs(Date.parse(updatedAt) - Date.now()) < 60_000, updatedAt)
    })

    it('changes only updatedAt for an empty data', async () => {
      const id = await server.make('/books', { title: 'Emma', pages: 474 })
      const { updatedAt: _, ...before } = (await server.get(`/books/${id}`)).body.data.attributes
      const { status, body } = await server.put(`/books/${id}`, {})
      const { updatedAt, ...after } = body.data.attributes
      assert.equal(status, 200)
      assert.deepEqual(after, before)
      assert.match(updatedAt, iso)
    })

    it('honours fields and populate in its response', async () => {
      const author = await server.make('/authors', { name: 'Jane' })
      const id = await server.make('/books', { title: 'Emma' })
      const { body } = await server.put(`/books/${id}?fields=title&populate[author][fields]=name`, { author })
      assert.deepEqual(body.data.attributes, {
        title: 'Emma',
        author: { data: { id: author, attributes: { name: 'Jane' } } },
      })
    })
  })

  describe('DELETE of a collection type', () => {
    it('answers the entry as it was, populated when asked', async () => {
      const author = await server.make('/authors', { name: 'Jane' })
      const id = await server.make('/books', { title: 'Emma', author })
      const { status, body } = await server.delete(`/books/${id}?fields=title&populate[author][fields]=name`)
      assert.equal(status, 200)
      assert.equal(body.data.id, id)
      assert.equal(body.data.attributes.title, 'Emma')
      assert.equal(body.data.attributes.author.data.id, author)
      assert.equal((await server.get(`/books/${id}`)).status, 404)
      assert.deepEqual(await server.rows('books', ['id'], { id }), [])
    })

    it('is 404 the second time', async () => {
      const id = await server.make('/books')
      assert.equal((await server.delete(`/books/${id}`)).status, 200)
      assert.equal((await server.delete(`/books/${id}`)).status, 404)
    })
  })

  describe('an id that no entry has', () => {
    for (const id of ['999999', '0', '-1', 'abc', '1.5', '1abc', '99999999999999999999', '2147483648', '%00'])
      it(`is 404 for PUT and DELETE: ${id}`, async () => {
        for (const reply of [await server.put(`/books/${id}`, { title: 'x' }), await server.delete(`/books/${id}`)]) {
          assert.equal(reply.status, 404)
          assert.equal(reply.body.data, null)
          assert.deepEqual(reply.body.error, { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} })
        }
      })
  })

  describe('a PUT to an id that no entry has', () => {
    it('is 404 as well where it names an entry that does not exist, or a value that another entry has', async () => {
      await server.make('/shelves', { code: 'taken' })
      for (const data of [
        { code: 'taken' },
        { books: [999_998] },
        { code: 'free', books: [await server.make('/books')] },
      ])
        assert.equal((await server.put('/shelves/999999', data)).status, 404, JSON.stringify(data))
    })

    it('leaves nothing behind, and the next one is served', async () => {
      const book = await server.make('/books', { title: 'Emma' })
      assert.equal((await server.put('/shelves/999999', { code: 'new', books: [book] })).status, 404)
      const id = await server.make('/shelves', { code: 'new', books: [book] })
      const answer = await server.put(`/shelves/${id}?populate=books`, { code: 'newer' })
      assert.deepEqual([answer.body.data.attributes.code, idsOf(answer, 'books')], ['newer', [book]])
    })
  })

  describe('what is never given out', () => {
    it('is a private attribute, which is stored', async () => {
      const { body } = await server.post('/authors', { name: 'a', secret: 'hush' })
      assert.equal('secret' in body.data.attributes, false)
      const [row] = await server.rows('authors', ['secret'], { id: body.data.id })
      assert.deepEqual(row, { secret: 'hush' })
      assert.equal(
        'secret' in (await server.put(`/authors/${body.data.id}`, { secret: 'h' })).body.data.attributes,
        false,
      )
      assert.equal('secret' in (await server.delete(`/authors/${body.data.id}`)).body.data.attributes, false)
    })

    it('is a password, which is stored as a bcrypt hash and changes with every write', async () => {
      hashEachTime()
      const { body } = await server.post('/authors', { name: 'a', passphrase: 'open sesame' })
      assert.equal('passphrase' in body.data.attributes, false)
      const { id } = body.data
      const stored = async () => String((await server.rows('authors', ['passphrase'], { id }))[0]?.passphrase)
      const first = await stored()
      assert.match(first, /^\$2[ab]\$10\$.{53}$/)
      await server.put(`/authors/${id}`, { passphrase: 'open sesame' })
      assert.notEqual(await stored(), first)
      await server.put(`/authors/${id}`, { passphrase: null })
      assert.deepEqual(await server.rows('authors', ['passphrase'], { id }), [{ passphrase: null }])
    })

    it('is not told in the error about a wrong value of it', async () => {
      const { body } = await server.post('/authors', { name: 'a', passphrase: 'x'.repeat(73) })
      assert.equal(body.error.status, 400)
      assert.doesNotMatch(JSON.stringify(body), /xxx/)
    })
  })

  describe('a body without a usable data', () => {
    const missing = 'Missing "data" payload in the request body; the attributes are sent as { "data": { ... } }'
    const cases = [
      { says: 'no data', send: {}, message: missing },
      { says: 'fields without data around them', send: { title: 'x' }, message: missing },
      { says: 'null', send: { data: null }, message: missing },
      { says: 'a text', send: { data: 'text' }, message: missing },
      { says: 'a number', send: { data: 1 }, message: missing },
      { says: 'a list as the body', send: [], message: missing },
      {
        says: 'a list',
        send: { data: [] },
        message: 'data must be an object, not a list',
      },
    ]
    for (const { says, send, message } of cases)
      it(`is 400: ${says}`, async () => {
        const id = await server.make('/books')
        for (const [method, url] of [
          ['POST', '/api/books'],
          ['PUT', `/api/books/${id}`],
          ['PUT', '/api/homepage'],
        ]) {
          const { statusCode, payload } = await server.app.inject({
            method: method as 'POST',
            url: url ?? '',
            payload: send,
          })
          assert.equal(statusCode, 400, url)
          const { error } = JSON.parse(payload)
          assert.equal(error.name, 'ValidationError')
          assert.equal(error.message, message)
        }
      })

    it('is told before the id is looked up', async () => {
      const { statusCode } = await server.app.inject({ method: 'PUT', url: '/api/books/999999', payload: {} })
      assert.equal(statusCode, 400)
    })
  })
})

onEveryEngine('writing a single type', engine => {
  const server = serve(engine, { types })

  it('does not exist before it is written, is made by the first PUT, changed by the next, gone after DELETE', async () => {
    assert.equal((await server.get('/homepage')).status, 404)
    assert.equal((await server.delete('/homepage')).status, 404)

    assert.equal((await server.put('/homepage', {})).body.error.message, 'title must be defined')
    assert.equal((await server.get('/homepage')).status, 404)

    const made = await server.put('/homepage', { title: 'Hello' })
    assert.equal(made.status, 200)
    assert.equal(made.body.data.attributes.intro, 'Welcome')

    const changed = await server.put('/homepage?fields=title', { title: 'Hi' })
    assert.equal(changed.body.data.id, made.body.data.id)
    assert.deepEqual(changed.body.data.attributes, { title: 'Hi' })
    assert.equal(await server.count('homepages'), 1)

    const gone = await server.delete('/homepage')
    assert.equal(gone.status, 200)
    assert.equal(gone.body.data.attributes.title, 'Hi')
    assert.equal((await server.get('/homepage')).status, 404)
    assert.equal((await server.delete('/homepage')).status, 404)
    assert.notEqual((await server.put('/homepage', { title: 'Again' })).body.data.id, made.body.data.id)
    await server.delete('/homepage')
  })

  it('is made once by several first PUTs at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => server.put('/homepage', { title: `t${n}` })))
    assert.deepEqual(
      replies.map(({ status }) => status),
      new Array(6).fill(200),
    )
    assert.equal(await server.count('homepages'), 1)
    await server.delete('/homepage')
  })

  it('has no POST and no address with an id', async () => {
    assert.equal((await server.post('/homepage', { title: 'x' })).status, 405)
    assert.equal((await server.get('/homepage/1')).status, 404)
  })
})
