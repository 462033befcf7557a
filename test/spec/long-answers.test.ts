import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = {
  note: {
    attributes: {
      text: { type: 'richtext' },
      parts: { type: 'relation', relation: 'oneToMany', target: 'api::part.part', mappedBy: 'note' },
    },
  },
  part: {
    attributes: {
      text: { type: 'richtext' },
      note: { type: 'relation', relation: 'manyToOne', target: 'api::note.note', inversedBy: 'parts' },
    },
  },
}
/** Letters of one, two, three and four bytes, so that no piece ends where another one would. */
const textOf = (index: number) => `${'x'.repeat(index % 7)}${'aé€😀'.repeat(2000 + index)}`
const count = 30

/** Stands around every route, so that answers go through koa. */
const around = definePlugin({
  name: 'around',
  middleware: [{ before: 'routing', run: () => (_, next) => next() }],
})

onEveryEngine('a response of a megabyte', engine => {
  for (const [says, plugins] of [
    ['straight to the socket', []],
    ['through middleware', [around]],
  ] as const)
    it(`comes whole, with its length and its tag, ${says}`, async () => {
      const fresh = await engine.fresh()
      const app = await createTestApp({ types, plugins, config: { database: fresh.database as never } })
      try {
        const [notes, parts] = [app.entries('api::note.note'), app.entries('api::part.part')]
        for (let index = 0; index < count; index += 1) await notes.create({ text: textOf(index) })
        for (let index = 0; index < count; index += 1) await parts.create({ text: textOf(index), note: 1 })
        const texts = Array.from({ length: count }, (_, index) => textOf(index))
        const attributes = (entries: { attributes: { text: string } }[]) => entries.map(one => one.attributes.text)

        const list = '/api/notes?sort=id&pagination[pageSize]=100'
        const one = '/api/notes/1?populate[parts][sort]=id'
        const { headers, rawPayload, json } = await app.inject(list)
        assert.deepEqual(attributes(json().data), texts)
        assert.equal(Number(headers['content-length']), rawPayload.length)
        assert.deepEqual(attributes((await app.inject(one)).json().data.attributes.parts.data), texts)

        for (const url of [list, one]) {
          const first = await app.inject(url)
          const { etag } = first.headers as { etag: string }
          const known = await app.inject({ url, headers: { 'if-none-match': etag } })
          assert.deepEqual([known.statusCode, known.payload], [304, ''])
          const head = await app.inject({ url, method: 'HEAD' })
          assert.deepEqual([head.payload, head.headers['content-length']], ['', first.headers['content-length']])
          assert.equal((await app.inject(url)).payload, first.payload)
        }
        const reply = await app.inject({ method: 'PUT', url: one, payload: { data: {} } })
        assert.deepEqual(attributes(reply.json().data.attributes.parts.data), texts)
      } finally {
        await app.close()
        await fresh.drop()
      }
    })
})
