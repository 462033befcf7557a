import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'

const flat = (name: string, value: string) =>
  definePlugin({
    name,
    formats: {
      [name]: {
        entry: 'plain',
        one: entry => ({ by: name, ...entry }),
        many: (entries, meta) => ({ by: name, items: entries, meta }),
        error: ({ message }) => ({ by: name, message }),
        wants: { header: 'Response-Shape', test: sent => sent === value || sent === 'any' },
      },
    },
  })

const types = {
  note: { attributes: { text: { type: 'string' } } },
  memo: { attributes: { text: { type: 'string' } }, options: { format: 'second' } },
}

async function serve(plugins = [flat('first', 'one'), flat('second', 'two')], rest = {}) {
  const app = await createTestApp({
    types: plugins.length > 0 ? types : { note: types.note },
    plugins,
    config: { api: { rest } },
  })
  onTestFinished(() => app.close())
  await app.entries('api::note.note').create({ text: 'a' })
  const ask = (url: string, shape?: string, headers = {}) =>
    app.inject({ url, headers: { ...headers, ...(shape !== undefined && { 'response-shape': shape }) } })
  return { app, ask }
}

it('a request chooses the format of its response by a header', async () => {
  const { app, ask } = await serve()
  for (let round = 0; round < 3; round += 1) {
    assert.ok((await ask('/api/notes/1')).json().data.attributes)
    assert.equal((await ask('/api/notes/1', 'one')).json().by, 'first')
    assert.equal((await ask('/api/notes/1', 'two')).json().by, 'second')
    assert.equal((await ask('/api/notes', 'one')).json().items[0].text, 'a')
    assert.ok((await ask('/api/notes', 'other')).json().data[0].attributes)
  }
  const made = await app.inject({
    method: 'POST',
    url: '/api/notes',
    headers: { 'response-shape': 'two' },
    payload: { data: { text: 'b' } },
  })
  assert.deepEqual([made.json().by, made.json().text], ['second', 'b'])
})

it('errors are in the format that was chosen, and the first of several that want a request is used', async () => {
  const { ask } = await serve()
  assert.deepEqual((await ask('/api/notes/9', 'two')).json(), { by: 'second', message: 'Not Found' })
  assert.equal((await ask('/api/notes/1', 'any')).json().by, 'first')
})

it('a type whose schema names a format keeps it', async () => {
  const { app, ask } = await serve()
  await app.entries('api::memo.memo').create({ text: 'm' })
  assert.equal((await ask('/api/memos/1', 'one')).json().by, 'second')
})

it('what one format is answered with is no response in another', async () => {
  const { ask } = await serve()
  await ask('/api/notes')
  const { headers } = await ask('/api/notes')
  assert.match(String(headers.vary), /Response-Shape/)
  const tag = { 'if-none-match': String(headers.etag) }
  assert.equal((await ask('/api/notes', undefined, tag)).statusCode, 304)
  assert.equal((await ask('/api/notes', 'one', tag)).statusCode, 200)
})

it('without such a format no response varies by more than it did', async () => {
  const { ask } = await serve([])
  assert.equal((await ask('/api/notes', 'one')).headers.vary, 'Origin')
})
