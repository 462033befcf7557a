import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestAppOptions } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { type Server, startOn } from '../support/contract.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = { note: { attributes: { text: { type: 'string' } } }, tag: { attributes: { name: { type: 'string' } } } }

/** Tells how many notes there are in all, whatever a list shows. */
const totals = definePlugin({
  name: 'totals',
  appliesTo: ({ uid }) => uid === 'api::note.note',
  register: ({ entries }) => ({ entries, runs: 0 }),
  hooks: {
    async meta(_meta, { type, session, many, id, scope }, service) {
      service.runs += 1
      return { all: await service.entries(type.uid, session).count(), many, id, scope }
    },
  },
  routes: [{ method: 'GET', path: '/runs', action: null, run: ({ service }) => service.runs }],
})

onEveryEngine('what hooks add to the meta of a response', engine => {
  let fresh: FreshDatabase
  let server: Server
  beforeAll(async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { types, plugins: [totals] })
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })

  it('stands in the responses to lists, single entries and writes, as the database is then', async () => {
    const made = await server.post('/notes', { text: 'a' })
    assert.deepEqual(made.body.meta, { all: 1, many: false, id: 1, scope: 'public' })
    await server.post('/notes', { text: 'b' })
    const list = await server.get('/notes?filters[text]=a')
    const pagination = { page: 1, pageSize: 25, pageCount: 1, total: 1 }
    assert.deepEqual(list.body.meta, { pagination, all: 2, many: true, scope: 'public' })
    assert.deepEqual((await server.get('/notes/2')).body.meta, { all: 2, many: false, id: 2, scope: 'public' })
    assert.deepEqual((await server.get('/tags')).body.meta.all, undefined)
    const gone = await server.delete('/notes/2')
    assert.equal(gone.body.meta.id, 2)
  })

  it('changes with the rows, cached or not, and the tag of the response with it', async () => {
    const ask = (headers = {}) => server.get('/notes?filters[text]=a', headers)
    await ask()
    const first = await ask()
    const again = await ask({ 'if-none-match': String(first.headers.etag) })
    assert.deepEqual([first.status, again.status, again.text], [200, 304, ''])
    await server.post('/notes', { text: 'other' })
    const later = await ask({ 'if-none-match': String(first.headers.etag) })
    assert.equal(later.status, 200)
    assert.equal(later.body.meta.all, first.body.meta.all + 1)
  })
})

describe('the hook for meta', () => {
  const start = async (options: TestAppOptions) => {
    const app = await createTestApp({ types, ...options })
    onTestFinished(() => app.close())
    return app
  }

  it('does not run for a cached response', async () => {
    const app = await start({ plugins: [totals] })
    const runs = async () => (await app.inject('/api/runs')).json()
    for (const expected of [1, 2, 2, 2]) {
      await app.inject('/api/notes')
      assert.equal(await runs(), expected)
    }
    await app.inject({ method: 'POST', url: '/api/notes', payload: { data: {} } as never })
    await app.inject('/api/notes')
    assert.equal(await runs(), 4)
  })

  it('is shown to formats, and seen by responses that hooks shape', async () => {
    const shaping = definePlugin({
      name: 'shaping',
      hooks: {
        serialize: entry => {
          entry.text = 'seen'
        },
      },
      formats: {
        bare: { entry: 'plain', one: (entry, meta) => ({ entry, meta }), many: (entries, meta) => ({ entries, meta }) },
      },
    })
    const app = await start({ plugins: [totals, shaping] })
    await app.entries('api::note.note').create({ text: 'a' })
    const one = (await app.inject('/api/notes/1')).json()
    assert.deepEqual([one.data.attributes.text, one.meta.all], ['seen', 1])
    const bare = await start({ plugins: [totals, shaping], config: { api: { rest: { format: 'bare' } } } })
    assert.equal((await bare.inject('/api/notes')).json().meta.all, 0)
  })

  it('is told neither the caller nor the time, as its result is cached for all callers of a scope', async () => {
    const told: object[] = []
    const nosy = definePlugin({
      name: 'nosy',
      hooks: {
        meta: (_, about) => {
          told.push(about)
          return {}
        },
      },
    })
    const app = await start({ plugins: [nosy] })
    await app.inject('/api/notes')
    assert.deepEqual([told.length, ...told.map(about => 'caller' in about || 'now' in about)], [1, false])
  })

  it('fails the response where it gives nothing, or a name that is taken, and the log names the plugin', async () => {
    for (const [meta, message] of [
      [
        () => undefined,
        'plugin clumsy, meta: it returned nothing; expected the object that is merged into the meta (is a return missing?)',
      ],
      [
        () => ({ pagination: 1 }),
        'plugin clumsy, meta: it gives "pagination", which the meta of the response has already',
      ],
    ] as const) {
      const lines: string[] = []
      const log = createLog('error', { destination: { write: (line: string) => void lines.push(line) } })
      const app = await start({ plugins: [{ name: 'clumsy', hooks: { meta } } as never], log })
      assert.equal((await app.inject('/api/notes')).statusCode, 500)
      assert.equal(JSON.parse(lines[0] as string).err.message, message)
    }
  })
})
