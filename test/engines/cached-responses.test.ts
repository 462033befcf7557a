import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin, late } from '../../core/index.js'
import { assertCached } from '../support/cached.js'
import { start } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = { note: { attributes: { text: { type: 'string' } } } }
const rows = async (app: Parameters<NonNullable<Parameters<typeof start>[1]['rows']>>[0]) => {
  for (const text of ['a', 'b']) await app.entries('api::note.note').create({ text })
}

onEveryEngine('a response that is asked for again', engine => {
  const world = { types, rows }

  it('costs no statement while nothing has changed, where the database names its states', async () => {
    const api = await start(engine, world)
    for (const path of ['/notes?sort=text', '/notes/2']) {
      const first = await api.get(path)
      await api.get(path)
      const third = await api.get(path)
      assert.deepEqual(third.body, first.body)
      assertCached(engine, third.statements.length === 0, path)
    }
    await api.close()
  })

  it('is the new one after any write, of this server and of another program', async () => {
    const api = await start(engine, world)
    const texts = async () =>
      (await api.get('/notes?sort=text')).body.data.map((one: { attributes: { text: string } }) => one.attributes.text)
    for (let times = 0; times < 3; times += 1) assert.deepEqual(await texts(), ['a', 'b'])
    await api.send('PUT', '/notes/1', { data: { text: 'c' } })
    for (let times = 0; times < 3; times += 1) assert.deepEqual(await texts(), ['b', 'c'])
    const other = await createTestApp({ types, config: { database: api.app.config.database as never } })
    await other.entries('api::note.note').update(2, { text: 'd' })
    assert.deepEqual(await texts(), ['c', 'd'])
    await other.close()
    await api.close()
  })

  it('is not cached where the setting says so', async () => {
    const api = await start(engine, { ...world, rest: { responseCache: 0 } })
    for (let times = 0; times < 3; times += 1) assert.ok((await api.get('/notes/1')).statements.length > 0)
    await api.close()
  })
})

describe('responses to callers with rules of their own', () => {
  const plugin = definePlugin({
    name: 'own',
    authenticate: ({ headers }) => ({
      scope: 'own',
      can: () => true,
      id: String(headers['x-name']),
      rows: () => ({ text: { $eq: late(({ id }) => id) } }),
    }),
  })
  it('are never those of another one of the same scope', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    await rows(app)
    for (let times = 0; times < 3; times += 1)
      for (const name of ['a', 'b']) {
        const reply = await app.inject({ url: '/api/notes', headers: { 'x-name': name } })
        assert.deepEqual(
          reply.json().data.map((one: { attributes: { text: string } }) => one.attributes.text),
          [name],
        )
      }
    await app.close()
  })
})
