import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { pickedFrom, pickerQueries } from '../../../../plugins/console/model/form/picker.js'
import type { LinkInfo, TypeMeta } from '../../../../plugins/console/model/meta.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { Client, type DialectName } from './world.js'

const to = (target: string) => ({ type: 'relation', relation: 'manyToMany', target })
const types = {
  page: {
    attributes: {
      title: { type: 'string' },
      tags: to('api::tag.tag'),
      books: to('api::book.book'),
      codes: to('api::code.code'),
    },
  },
  tag: { options: { draftAndPublish: true }, attributes: { name: { type: 'string' }, colour: { type: 'string' } } },
  book: { attributes: { title: { type: 'string' }, text: { type: 'text' } }, search: ['title', 'text'] },
  code: { attributes: { number: { type: 'integer' } } },
}

for (const dialect of ['spec', 'strapi4'] as const satisfies DialectName[])
  describe(`a picker in ${dialect}`, () => {
    let app: TestApp
    let client: Client
    beforeAll(async () => {
      app = await createTestApp({ types, plugins: [draftAndPublish], config: { api: { rest: { dialect } } } })
      client = new Client(app)
      for (const name of ['rye', 'dark rye', '100%', 'Rye bread', '_x'])
        await client.send('POST', '/api/tags', {}, { name, colour: `of ${name}`, publishedAt: null })
      for (let index = 0; index < 30; index += 1) await client.send('POST', '/api/tags', {}, { name: `z ${index}` })
      await client.send('POST', '/api/books', {}, { title: 'Baking', text: 'with rye and wheat' })
      await client.send('POST', '/api/books', {}, { title: 'Sourdough', text: 'slowly' })
      await client.send('POST', '/api/codes', {}, { number: 7 })
    })
    afterAll(() => app?.close())

    /** The entries that are offered, after as many requests. */
    async function pick(name: string, uid: string, text: string) {
      const holder = client.type('api::page.page')
      const type = client.type(uid) as TypeMeta
      const link = holder.attributes.find(one => one.name === name) as LinkInfo
      let asked = 0
      for (const query of pickerQueries(client.kinds, link, holder, { type, search: { text } })) {
        asked += 1
        const { status, body, text: said } = await client.send('GET', String(type.path), query)
        assert.equal(status, 200, said)
        const found = pickedFrom(type, body)
        if (found.length > 0) return { asked, found }
      }
      return { asked, found: [] }
    }

    const cases: [says: string, name: string, uid: string, text: string, asked: number, found: unknown[]][] = [
      ['finds by the start of the main field, drafts as well', 'tags', 'api::tag.tag', 'rye', 1, [1, 4]],
      ['finds anywhere in it where nothing begins so', 'tags', 'api::tag.tag', ' ark ', 2, [2]],
      ['finds signs as they are', 'tags', 'api::tag.tag', '100%', 1, [3]],
      ['finds nothing', 'tags', 'api::tag.tag', 'spelt', 2, []],
      ['finds by words where there is an index', 'books', 'api::book.book', 'rye', 1, [1]],
      ['finds by words while the last one is typed', 'books', 'api::book.book', 'wheat -with "ry', 1, [1]],
      ['finds parts of words as well', 'books', 'api::book.book', 'urdou', 3, [2]],
      ['finds by id where nothing names an entry', 'codes', 'api::code.code', '1', 1, [1]],
      ['asks for no id that is none', 'codes', 'api::code.code', 'x', 0, []],
    ]
    for (const [says, name, uid, text, asked, ids] of cases)
      it(says, async () => {
        const picked = await pick(name, uid, text)
        assert.deepEqual([picked.asked, picked.found.map(({ id }) => id).sort()], [asked, ids])
      })

    it('lists the first twenty before anything is typed, with what names them and their state', async () => {
      const { found } = await pick('tags', 'api::tag.tag', '')
      assert.equal(found.length, 20)
      const one = found.find(({ id }) => id === 3)
      assert.deepEqual(one, { id: 3, uid: 'api::tag.tag', values: { name: '100%', publishedAt: null } })
    })
  })
