import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { definePlugin, type Host } from '../../core/index.js'
import { type Server, startOn } from '../support/contract.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = {
  book: { attributes: { title: { type: 'string' } } },
  record: { attributes: { text: { type: 'string', unique: true } } },
}

/** Writes a record of every book, inside the book's transaction; some titles go wrong on purpose. */
const journal = definePlugin({
  name: 'journal',
  register: ({ entries }: Host) => ({ entries, stored: [] as string[] }),
  appliesTo: ({ uid }) => uid === 'api::book.book' || uid === 'api::record.record',
  hooks: {
    async afterWrite(row, { type, session, afterCommit }, { entries, stored }) {
      afterCommit(() => void stored.push(type.singularName))
      if (type.singularName !== 'book') return
      await entries('api::record.record', session).create({ text: row.title })
      assert.deepEqual(stored, [])
      if (row.title === 'swallowed')
        await (async () => session.run('insert into books (id) values (?)', [row.id]))().catch(() => undefined)
      if (row.title === 'broken') throw new Error('on purpose')
    },
  },
  routes: [{ method: 'GET', path: '/journal', action: null, run: ({ service }) => service.stored.splice(0) }],
})

onEveryEngine('entries inside a transaction', engine => {
  let fresh: FreshDatabase
  let server: Server
  beforeAll(async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { types, plugins: [journal] })
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })

  it('are stored with it, and what waits for the commit waits for the outer one', async () => {
    assert.equal((await server.post('/books', { title: 'first' })).status, 200)
    assert.equal(await server.count('records'), 1)
    assert.deepEqual((await server.get('/journal')).body, ['record', 'book'])
  })

  it('are undone with it', async () => {
    assert.equal((await server.post('/books', { title: 'broken' })).status, 500)
    assert.equal(await server.count('books'), 1)
    assert.equal(await server.count('records'), 1)
    assert.deepEqual((await server.get('/journal')).body, [])
  })

  it('are checked like any other, and a refusal undoes everything', async () => {
    const { status, body } = await server.post('/books', { title: 'first' })
    assert.equal(status, 400)
    assert.deepEqual(body.error.details.errors[0].path, ['text'])
    assert.equal(await server.count('books'), 1)
  })

  it('are all stored or none, where a hook swallows the error of a statement', async () => {
    const before = await server.count('books')
    const { status } = await server.post('/books', { title: 'swallowed' })
    // PostgreSQL keeps nothing of a transaction in which a statement has failed; the others go on.
    assert.equal(status, engine.name === 'postgres' ? 500 : 200)
    const stored = status === 200 ? 1 : 0
    assert.equal(await server.count('books'), before + stored)
    assert.equal((await server.get('/records?filters[text]=swallowed')).body.data.length, stored)
  })

  it('can be read back before it ends', async () => {
    const { store, entries } = server.app
    const seen = await store.transaction(async session => {
      await entries('api::record.record', session).create({ text: 'inside' })
      return entries('api::record.record', session).count({ text: 'inside' })
    })
    assert.equal(seen, 1)
  })
})
