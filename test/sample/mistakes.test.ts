import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestAppOptions } from '../../core/index.js'
import { createLog } from '../../core/log.js'

const book = { attributes: { title: { type: 'string' } } }

/** The warnings of a start. */
async function warnings(options: TestAppOptions): Promise<string[]> {
  const lines: string[] = []
  const log = createLog('warn', { destination: { write: line => lines.push(JSON.parse(line).msg) } })
  const app = await createTestApp({ ...options, log })
  await app.close()
  return lines
}

describe('a start with a mistake in it', () => {
  it('stops at an option that is nearly one, and ignores those of other programs', async () => {
    const title = { type: 'string', colourOfTheEditor: 'red' }
    assert.deepEqual(await warnings({ types: { book: { attributes: { title } } } }), [])
    const types = { book: { attributes: { title: { ...title, requird: true } } } }
    await assert.rejects(createTestApp({ types }), {
      name: 'BootError',
      message: 'book.json: attribute "title": "requird" is not an option; did you mean "required"?',
    })
  })

  it('names types that are closed to everyone', async () => {
    const types = { book, shelf: book }
    assert.deepEqual(await warnings({ types, config: { api: { rest: { public: { book: ['find'] } } } } }), [
      'no request may read or write shelf: config/api can open types, with rest.public',
    ])
  })

  it('says what rest.public can name', async () => {
    await assert.rejects(createTestApp({ types: { book }, config: { api: { rest: { public: { books: true } } } } }), {
      name: 'BootError',
      message:
        'config/api: rest.public.books is neither the singular name nor the uid of a content type; there are book',
    })
  })

  it('says why the database cannot be used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stele-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const filename = join(folder, 'data.db')
    const advice = 'config/database and the variables DATABASE_... say where it is and who opens it'
    writeFileSync(filename, 'this is no database, and it is long enough to be taken for one'.repeat(20))
    await assert.rejects(createTestApp({ types: { book }, config: { database: { client: 'sqlite', filename } } }), {
      name: 'BootError',
      message: `the sqlite database ${filename} cannot be used: file is not a database\n${advice}`,
    })
    const database = { client: 'postgres', host: '127.0.0.1', port: 1, database: 'x' } as const
    await assert.rejects(createTestApp({ types: { book }, config: { database } }), {
      name: 'BootError',
      message: `the postgres database at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1\n${advice}`,
    })
  })
})

describe('a request with a mistake in it', () => {
  it('that is JSON without its type is told what is missing', async () => {
    const app = await createTestApp({ types: { book } })
    onTestFinished(() => app.close())
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = async (payload: string) =>
      (await app.inject({ method: 'POST', url: '/api/books', headers, payload })).json().error.message
    assert.equal(
      await post('{ "data": { "title": "a=b&c" } }'),
      'The body looks like JSON and was sent as application/x-www-form-urlencoded; send it with Content-Type: application/json',
    )
    assert.match(await post('title=a'), /^Missing "data" payload in the request body; the attributes are sent as/)
  })

  it('names the wrong place of a name', async () => {
    const author = { attributes: { books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book' } } }
    const app = await createTestApp({ types: { book, author } })
    onTestFinished(() => app.close())
    const said = async (query: string) => (await app.inject(`/api/authors?${query}`)).json().error.message
    assert.equal(
      await said('fields=books'),
      'fields: "books" of api::author.author leads to other entries or components; ask for it with populate',
    )
    assert.equal(
      await said('populate=createdAt'),
      'populate: "createdAt" of api::author.author is a plain field; it can be neither populated nor followed',
    )
    assert.match(await said('populate=bokos'), /did you mean "books"\?$/)
  })
})
