import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin } from '../../core/index.js'
import { assertCached } from '../support/cached.js'
import { start, type World } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = {
  note: {
    attributes: {
      text: { type: 'string' },
      data: { type: 'json' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    },
  },
  author: { attributes: { name: { type: 'string' } } },
} as const

const rows: World['rows'] = async app => {
  await app.entries('api::author.author').create({ name: 'Ada' })
  for (const text of ['a', 'b']) await app.entries('api::note.note').create({ text, data: { list: [1] }, author: 1 })
}

const onNotes = (uid: string) => uid === 'api::note.note'

/** Sends a request three times: the third response may be cached. */
const thrice = async <T>(ask: () => Promise<T>): Promise<readonly [T, T, T]> => [await ask(), await ask(), await ask()]

onEveryEngine('a response that hooks shape', engine => {
  it('is cached where serialize shapes it, until something is written', async () => {
    let calls = 0
    const plugin = definePlugin({
      name: 'shouting',
      appliesTo: ({ uid }) => onNotes(uid),
      hooks: {
        serialize(entry) {
          calls += 1
          entry.text = String(entry.text).toUpperCase()
        },
      },
    })
    const api = await start(engine, { types, rows, plugins: [plugin] })
    for (const path of ['/notes?sort=text', '/notes/1?populate=author']) {
      const [first, second, third] = await thrice(() => api.get(path))
      assert.match(first.text, /"text":"A"/)
      assert.equal(third.text, first.text)
      assertCached(engine, third.statements.length === 0, path)
      assert.equal((await api.get(path, { 'if-none-match': String(second.headers.etag) })).status, 304)
    }
    const before = calls
    await api.get('/notes?sort=text')
    assertCached(engine, calls === before)
    await api.send('PUT', '/notes/1', { data: { text: 'c' } })
    assert.match((await api.get('/notes?sort=text')).text, /"text":"B".*"text":"C"/)
    await api.close()
  })

  it('is cached where a format shapes it', async () => {
    const flat = definePlugin({
      name: 'flat',
      formats: { flat: { entry: 'plain', one: entry => entry, many: entries => entries } },
    })
    const api = await start(engine, { types, rows, plugins: [flat], rest: { format: 'flat' } })
    const [first, , third] = await thrice(() => api.get('/notes?sort=text&fields[0]=text'))
    assert.deepEqual(first.body, [
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ])
    assert.equal(third.text, first.text)
    assertCached(engine, third.statements.length === 0)
    await api.close()
  })

  it('is made anew by afterFind for each request, of entries that nothing has changed', async () => {
    let calls = 0
    const plugin = definePlugin({
      name: 'counting',
      appliesTo: ({ uid }) => onNotes(uid),
      hooks: {
        afterFind(entries) {
          calls += 1
          for (const entry of entries) {
            entry.text = `${entry.text}${calls}`
            ;(entry.data as { list: number[] } | undefined)?.list.push(calls)
          }
        },
      },
    })
    const api = await start(engine, { types, rows, plugins: [plugin] })
    for (const path of ['/notes?sort=text', '/notes/1?populate=author']) {
      calls = 0
      const replies = await thrice(() => api.get(path))
      const ofFirst = replies.map(({ body: { data } }) => (Array.isArray(data) ? data[0] : data).attributes)
      assert.deepEqual(
        ofFirst.map(({ text, data }) => [text, data.list]),
        [
          ['a1', [1, 1]],
          ['a2', [1, 2]],
          ['a3', [1, 3]],
        ],
      )
      assertCached(engine, replies[2].statements.length === 0, path)
      assert.equal(new Set(replies.map(({ headers }) => headers.etag)).size, 3)
    }
    await api.close()
  })

  it('is the cached one where afterFind only looks, and 304 for who has it', async () => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      name: 'looking',
      appliesTo: ({ uid }) => onNotes(uid),
      hooks: {
        afterFind(entries, { now }) {
          seen.push(...entries.map(({ text, author }) => [text, typeof author, now instanceof Date]))
        },
      },
    })
    const api = await start(engine, { types, rows, plugins: [plugin] })
    seen.length = 0
    const [first, , third] = await thrice(() => api.get('/notes?sort=text&populate=author&pagination[pageSize]=1'))
    assert.equal(third.text, first.text)
    assertCached(engine, third.statements.length === 0)
    const again = await api.get('/notes?sort=text&populate=author&pagination[pageSize]=1', {
      'if-none-match': String(third.headers.etag),
    })
    assert.equal(again.status, 304)
    assert.deepEqual(
      seen,
      Array.from({ length: 4 }, () => ['a', 'object', true]),
    )
    await api.close()
  })

  it('is read anew where afterFind sees entries within entries', async () => {
    let calls = 0
    const plugin = definePlugin({
      name: 'authors',
      appliesTo: ({ uid }) => uid === 'api::author.author',
      hooks: {
        afterFind(entries) {
          calls += 1
          for (const entry of entries) entry.name = `${entry.name}${calls}`
        },
      },
    })
    const api = await start(engine, { types, rows, plugins: [plugin] })
    calls = 0
    const names = (await thrice(() => api.get('/notes/1?populate=author'))).map(
      ({ body }) => body.data.attributes.author.data.attributes.name,
    )
    assert.deepEqual(names, ['Ada1', 'Ada2', 'Ada3'])
    await api.close()
  })

  it('is 404 where there is no entry, whatever is cached', async () => {
    const plugin = definePlugin({ name: 'looking', hooks: { afterFind: () => undefined } })
    const api = await start(engine, { types, rows, plugins: [plugin] })
    await thrice(() => api.get('/notes/1'))
    const missing = await thrice(() => api.get('/notes/9'))
    assert.deepEqual(
      missing.map(({ status }) => status),
      [404, 404, 404],
    )
    await api.send('DELETE', '/notes/1')
    assert.equal((await api.get('/notes/1')).status, 404)
    await api.close()
  })
})
