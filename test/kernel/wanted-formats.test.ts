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

const serving = definePlugin({
  name: 'serving',
  config: { type: 'object', properties: { action: { type: 'string', default: 'find' } } },
  formats: {
    third: {
      entry: 'plain',
      one: entry => ({ by: 'third', ...entry }),
      many: entries => ({ by: 'third', items: entries }),
      error: ({ message }) => ({ by: 'third', message }),
      serves: {
        test: ({ singularName }, action, settings) => singularName === 'note' && action === settings.action,
        unless: { header: 'Usual-Shape', test: value => value === 'yes' },
      },
    },
  },
})

it('a plugin has an action on a type answered in its format, by its settings', async () => {
  const { ask } = await serve([flat('first', 'one'), flat('second', 'two'), serving])
  assert.equal((await ask('/api/notes')).json().by, 'third')
  assert.ok((await ask('/api/notes/1')).json().data.attributes)
  assert.equal((await ask('/api/memos')).json().by, 'second', 'a type whose schema names a format keeps it')
  assert.equal((await ask('/api/notes', 'one')).json().by, 'first', 'a request that wants another gets that')
  const usual = await ask('/api/notes', undefined, { 'usual-shape': 'yes' })
  assert.ok(usual.json().data[0].attributes)
  assert.match(String(usual.headers.vary), /Usual-Shape/)
  assert.equal((await ask('/api/notes', undefined, { 'usual-shape': 'no' })).json().by, 'third')
  assert.equal((await ask('/api/notes?filters[odd]=1')).json().error.status, 400, 'errors are in the usual form')
})

it('such a format comes before that of the settings, which requests without it get as well', async () => {
  const { ask } = await serve([flat('first', 'one'), flat('second', 'two'), serving], { format: 'first' })
  assert.equal((await ask('/api/notes')).json().by, 'third')
  assert.equal((await ask('/api/notes/1')).json().by, 'first')
  assert.ok((await ask('/api/notes/1', undefined, { 'usual-shape': 'yes' })).json().data.attributes)
})

const later = (async () => true) as unknown as () => boolean

it('a test of types that returns a promise is refused with the first response', async () => {
  const late = definePlugin({
    name: 'late',
    formats: { late: { entry: 'plain', one: String, many: String, serves: { test: later } } },
  })
  const { app } = await serve([flat('second', 'two'), late])
  assert.equal((await app.inject('/api/notes')).statusCode, 500)
})
