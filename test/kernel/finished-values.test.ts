import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { createTestApp, definePlugin, type RouteCall, type TestApp } from '../../core/index.js'

const uid = 'api::note.note'
type Listed = { data: { id: number; attributes: Record<string, unknown> }[]; meta: Record<string, unknown> }

const route = (path: string, run: (call: RouteCall) => unknown) => ({ method: 'GET', path, action: null, run }) as const

/** Changes what the content service has answered. */
const shouting = definePlugin({
  name: 'shouting',
  routes: [
    route('/loud', async ({ content }) => {
      const { data, meta } = (await content.find(uid, { whole: true })).value() as Listed
      for (const { attributes } of data) attributes.text = String(attributes.text).toUpperCase()
      return { data, meta: { ...meta, loud: true } }
    }),
    route('/quiet', async ({ content }) => (await content.find(uid)).value()),
    route('/made', async ({ content }) => (await content.create(uid, { text: 'made' })).value()),
    route('/long', async ({ content }) => {
      const { data } = (
        await content.find(uid, { query: 'fields=text&pagination[pageSize]=100', whole: true })
      ).value() as Listed
      return { length: data.length }
    }),
  ],
})

let app: TestApp
beforeAll(async () => {
  const types = { note: { attributes: { text: { type: 'text' } } } }
  app = await createTestApp({ types, plugins: [shouting] })
  await app.entries(uid).create({ text: 'one' })
})
afterAll(() => app.close())

it('a response of the content service is a value that code may change', async () => {
  for (let times = 0; times < 3; times += 1) {
    const { data, meta } = (await app.inject('/api/loud')).json() as Listed
    assert.deepEqual([data[0]?.attributes.text, meta.loud], ['ONE', true])
    // The cached response stays as it was.
    assert.equal((await app.inject('/api/notes')).json().data[0].attributes.text, 'one')
  }
  assert.equal((await app.inject('/api/made')).json().data.attributes.text, 'made')
})

it('is there whole, whatever the client has', async () => {
  const { headers } = await app.inject('/api/notes')
  const known = { 'if-none-match': String(headers.etag) }
  assert.equal((await app.inject({ url: '/api/notes', headers: known })).statusCode, 304)
  assert.equal((await app.inject({ url: '/api/loud', headers: known })).statusCode, 200)
  const quiet = await app.inject({ url: '/api/quiet', headers: known })
  // A response that was not asked for whole may be just the fact that it is the same.
  assert.equal(quiet.statusCode, 500)
})

it('is read of long responses too', async () => {
  for (let count = 0; count < 40; count += 1) await app.entries(uid).create({ text: 'x'.repeat(10_000) })
  assert.deepEqual((await app.inject('/api/long')).json(), { length: 42 })
})
