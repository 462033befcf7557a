import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type Row, ValidationError, type Write } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { type Server, startOn } from '../support/contract.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { freeSlugs } from './examples/free-slugs.js'
import { history } from './examples/history.js'

const types = {
  page: {
    attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'string', required: true, unique: true },
      note: { type: 'string', private: true },
      secret: { type: 'password' },
      since: { type: 'datetime' },
      done: { type: 'boolean' },
    },
  },
}

onEveryEngine('the row as it was before a write', engine => {
  let fresh: FreshDatabase
  let server: Server
  beforeAll(async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { types, plugins: [freeSlugs, history] })
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })
  const kept = async () => {
    const found = await server.app.entries('plugin::history.version').find({ sort: 'id' })
    return found.map(({ entry, was }) => ({ entry, was: was as Row }))
  }

  it('is whole for an update and a delete, private columns included and secrets left out', async () => {
    const since = '2024-05-01T10:00:00.000Z'
    const made = await server.post('/pages', { title: 'One', note: 'hidden', secret: 'word', since, done: true })
    const { id, attributes } = made.body.data
    assert.deepEqual(await kept(), [])
    await server.put(`/pages/${id}`, { title: 'Two', done: false })
    await server.delete(`/pages/${id}`)
    const [updated, deleted] = await kept()
    const { createdAt, updatedAt } = attributes
    const first = { id, title: 'One', slug: 'one', note: 'hidden', since, done: true, createdAt, updatedAt }
    assert.deepEqual(updated, { entry: id, was: first })
    const later = String(deleted?.was.updatedAt)
    assert.deepEqual(deleted?.was, { ...first, title: 'Two', done: false, updatedAt: later })
    assert.ok(later >= updatedAt)
  })

  it('is that of the write before, however many come at once', async () => {
    const { id } = (await server.post('/pages', { title: 'Count', note: '0' })).body.data
    const before = (await kept()).length
    await Promise.all(Array.from({ length: 8 }, (_, at) => server.put(`/pages/${id}`, { note: `${at + 1}` })))
    const stages = (await kept()).slice(before).map(({ was }) => was.note)
    const last = (await server.app.entries('api::page.page').first({ where: { id }, fields: ['note'] }))?.note
    // Each change began where another ended: none saw a row that was not there any more, and none was skipped.
    assert.deepEqual([...stages, last].map(String).sort(), ['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  })

  it('lets a hook in the transaction give each of many creates at once a slug of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.post('/pages', { title: 'Same title' })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(8).fill(200),
    )
    const slugs = answers.map(({ body }) => body.data.attributes.slug).sort()
    assert.deepEqual(slugs, ['same-title', ...[2, 3, 4, 5, 6, 7, 8].map(number => `same-title-${number}`)])
  })

  it('costs one statement, and only where a hook asks for it', async () => {
    const { id } = (await server.post('/pages', { title: 'Costs' })).body.data
    const rows = (sql: string) => /select.*from .pages/i.test(sql) && /note/.test(sql) && /since/.test(sql)
    const watched = await server.put(`/pages/${id}?fields=title`, { title: 'Still' })
    assert.equal(watched.statements.filter(rows).length, 1)
    const version = (await kept()).length
    await server.app.entries('plugin::history.version').update(version, { of: 'else' })
    assert.equal((await kept()).length, version)
  })
})

describe('a hook in the transaction', () => {
  const note = { attributes: { text: { type: 'string', required: true }, word: { type: 'password' } } }
  const withHook = async (inTransaction: (write: Write) => Write | Promise<Write>, log = createLog('silent')) => {
    const app = await createTestApp({
      types: { note },
      plugins: [definePlugin({ name: 'inside', hooks: { inTransaction } })],
      log,
    })
    onTestFinished(() => app.close())
    return app
  }
  const post = (app: Awaited<ReturnType<typeof withHook>>, data: object) =>
    app.inject({ method: 'POST', url: '/api/notes', payload: { data } as never })

  it('runs after beforeWrite and before afterWrite, each in the order of the plugins', async () => {
    const order: string[] = []
    const named = (name: string) =>
      definePlugin({
        name,
        hooks: {
          beforeWrite: write => {
            order.push(`${name} beforeWrite`)
            return write
          },
          inTransaction: write => {
            order.push(`${name} inTransaction`)
            return write
          },
          afterWrite: (_, { afterCommit }) => {
            order.push(`${name} afterWrite`)
            afterCommit(() => void order.push(`${name} afterCommit`))
          },
        },
      })
    const app = await createTestApp({ types: { note }, plugins: [named('one'), named('two')] })
    await post(app, { text: 'a' })
    await app.close()
    assert.deepEqual(
      order,
      ['beforeWrite', 'inTransaction', 'afterWrite', 'afterCommit'].flatMap(stop => [`one ${stop}`, `two ${stop}`]),
    )
  })

  it('may add what the schema requires; what it leaves invalid is refused with everything that is wrong', async () => {
    const app = await withHook(write => ({ ...write, data: { text: 'added', ...write.data } }))
    assert.equal((await post(app, {})).json().data.attributes.text, 'added')
    const idle = await withHook(write => write)
    const refused = await post(idle, { word: 5 })
    assert.equal(refused.statusCode, 400)
    assert.deepEqual(
      refused.json().error.details.errors.map(({ path }: { path: string[] }) => path.join('.')),
      ['text', 'word'],
    )
    assert.equal(await idle.entries('api::note.note').count(), 0)
  })

  it('has secrets hashed before, and those that it changes within', async () => {
    const { compare } = await import('@node-rs/bcrypt')
    const words = async (app: Awaited<ReturnType<typeof withHook>>) =>
      (await app.entries('api::note.note').first({ fields: ['word'], sort: 'id:desc' }))?.word as string
    const app = await withHook(write => ({ ...write, data: { ...write.data, text: 'changed' } }))
    await post(app, { text: 'a', word: 'first' })
    assert.ok(await compare('first', await words(app)))
    const other = await withHook(write => ({ ...write, data: { ...write.data, word: 'second' } }))
    await post(other, { text: 'a', word: 'first' })
    assert.ok(await compare('second', await words(other)))
  })

  it('refuses a write, which then changes nothing', async () => {
    const app = await withHook(() => {
      throw new ValidationError('not now')
    })
    assert.equal((await post(app, { text: 'a' })).json().error.message, 'not now')
    assert.equal(await app.entries('api::note.note').count(), 0)
  })

  it('cannot make another write of it', async () => {
    const lines: string[] = []
    const log = createLog('error', { destination: { write: (line: string) => void lines.push(line) } })
    const app = await withHook(write => ({ ...write, action: 'delete' }), log)
    assert.equal((await post(app, { text: 'a' })).statusCode, 500)
    assert.match(lines.join(''), /plugin inside, inTransaction: it changed the action or the id of the write/)
  })

  it('is told the row as it was, if it asks', async () => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      name: 'guard',
      hooks: {
        inTransaction: {
          before: true,
          run: (write, { before }) => {
            seen.push(before?.text)
            return write
          },
        },
      },
    })
    const app = await createTestApp({ types: { note }, plugins: [plugin] })
    const notes = app.entries('api::note.note')
    await notes.create({ text: 'a' })
    await notes.update(1, { text: 'b' })
    await notes.delete(1)
    await app.close()
    assert.deepEqual(seen, [undefined, 'a', 'b'])
  })

  it('that is neither a function nor asks for the row stops the start', async () => {
    const wrong = { name: 'clumsy', hooks: { afterWrite: { run: () => undefined } } } as never
    await assert.rejects(
      createTestApp({ plugins: [wrong] }),
      /plugin clumsy: the hook afterWrite is neither a function nor { before: true, run }/,
    )
    const early = { name: 'clumsy', hooks: { beforeWrite: { before: true, run: (write: Write) => write } } } as never
    await assert.rejects(
      createTestApp({ plugins: [early] }),
      /the hook beforeWrite is of type object; expected a function/,
    )
  })
})
