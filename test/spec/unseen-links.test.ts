import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Caller, definePlugin } from '../../core/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { upload } from '../../plugins/upload/index.js'
import { encode, temporaryFolder } from '../plugins/upload/world.js'
import { type Body, contract } from '../support/contract.js'

const article = 'api::article.article'
const tag = 'api::tag.tag'
const file = 'plugin::upload.file'
const tags = { type: 'relation', relation: 'manyToMany', target: tag } as const

const openFiles = { $or: [{ caption: { $null: true } }, { caption: 'open' }] }

/** Finds the tags that are open, and may name the title and the tags. */
const limited: Caller = {
  scope: 'limited',
  can: () => true,
  rows: (_, uid) => (uid === tag ? { isOpen: true } : uid === file ? openFiles : undefined),
  fields: (action, uid) =>
    uid === article && (action === 'create' || action === 'update')
      ? new Set(['title', 'tags', 'files', 'part', 'locale'])
      : undefined,
  sets: action => (action === 'create' ? { state: 'new' } : undefined),
}
const callers = definePlugin({ name: 'callers', authenticate: () => limited })

contract(
  'a caller with row rules',
  {
    types: {
      article: {
        pluginOptions: { i18n: { localized: true } },
        attributes: {
          title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
          state: { type: 'string' },
          tags,
          files: { type: 'media', multiple: true },
          first: { type: 'relation', relation: 'manyToOne', target: tag },
          part: { type: 'component', component: 'shared.part' },
        },
      },
      tag: { attributes: { name: { type: 'string' }, isOpen: { type: 'boolean' } } },
    },
    components: {
      'shared.part': { attributes: { text: { type: 'string' }, tags, files: { type: 'media', multiple: true } } },
    },
    plugins: [callers, [i18n, { locales: ['en', 'de'] }], [upload, { folder: temporaryFolder() }]],
    async rows({ entries }) {
      for (const name of ['open', 'also open', 'shut']) {
        await entries(tag).create({ name, isOpen: name !== 'shut' })
        const stored = { hash: name, mime: 'text/plain', size: 1, url: `/uploads/${name}.txt`, provider: 'local' }
        await entries(file).create({ name, ...stored, caption: name === 'shut' ? 'shut' : 'open' })
      }
    },
  },
  api => {
    const made = async () => {
      const data = {
        title: 'made',
        tags: [3, 1],
        files: [3, 1],
        first: 3,
        part: { text: 'part', tags: [3], files: [3, 1] },
      }
      return Number((await api.app.entries(article).create(data)).id)
    }
    const stored = async (id: number): Promise<Body> => {
      const populate = {
        tags: true,
        files: true,
        first: true,
        part: { populate: { tags: true, files: true } },
      } as const
      const [entry] = await api.app.entries(article).find({ where: { id }, populate })
      return entry
    }
    const ids = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id)

    const cases: readonly (readonly [sent: unknown, gives: readonly number[]])[] = [
      [[2], [2, 3]],
      [{ set: [2, 1] }, [2, 1, 3]],
      [{ set: [] }, [3]],
      [null, [3]],
      [{ disconnect: [3] }, [1, 3]],
      [{ disconnect: [1] }, [3]],
      [{ connect: [2] }, [3, 1, 2]],
    ]
    for (const [sent, gives] of cases)
      it(`keeps links to what it does not see: ${JSON.stringify(sent)}`, async () => {
        const id = await made()
        const { status, text } = await api.put(`/articles/${id}`, { tags: sent })
        assert.equal(status, 200, text)
        assert.deepEqual(ids((await stored(id)).tags), gives)
      })

    for (const [sent, gives] of cases.filter(([sent]) => !Object.hasOwn(Object(sent), 'connect')))
      it(`keeps files that it does not see: ${JSON.stringify(sent)}`, async () => {
        const id = await made()
        const { status, text } = await api.put(`/articles/${id}`, { files: sent })
        assert.equal(status, 200, text)
        assert.deepEqual(ids((await stored(id)).files), gives)
      })

    it('keeps files that it does not see where others are uploaded to the list', async () => {
      const id = await made()
      const { body, type } = encode([
        ...([
          ['ref', article],
          ['refId', String(id)],
          ['field', 'files'],
          ['fileInfo', '{ "caption": "open" }'],
        ] as const),
        ['files', 'new.txt', 'text/plain', 'new'],
      ])
      const headers = { 'content-type': type }
      const sent = await api.app.inject({ method: 'POST', url: '/api/upload', payload: body, headers })
      assert.equal(sent.statusCode, 200, sent.body)
      const [{ id: added }] = JSON.parse(sent.body)
      assert.deepEqual(ids((await stored(id)).files), [1, added, 3])
    })

    const forms: readonly (readonly [data: object, gives: (added: number) => readonly number[]])[] = [
      [{}, added => [1, added, 3]],
      [{ files: [2] }, added => [2, added, 3]],
      [{ files: { set: [2, 1] } }, added => [2, 1, added, 3]],
      [{ files: { disconnect: [{ id: 1 }] } }, added => [added, 3]],
      [{ files: null }, added => [added, 3]],
    ]
    for (const [data, gives] of forms)
      it(`keeps files that it does not see where others come in a form: ${JSON.stringify(data)}`, async () => {
        const id = await made()
        const { body, type } = encode([
          ['data', JSON.stringify(data)],
          ['files.files', 'new.txt', 'text/plain', 'new'],
          ['files.part.files', 'inner.txt', 'text/plain', 'inner'],
        ])
        const headers = { 'content-type': type }
        const sent = await api.app.inject({ method: 'PUT', url: `/api/articles/${id}`, payload: body, headers })
        assert.equal(sent.statusCode, 200, sent.body)
        const { files, part } = await stored(id)
        const named = (list: readonly { id: number; name: string }[], name: string) =>
          list.find(one => one.name === name)?.id ?? 0
        assert.deepEqual(ids(files), gives(named(files, 'new.txt')))
        assert.deepEqual(ids(part.files), [1, named(part.files, 'inner.txt'), 3])
      })

    it('keeps those of components, and of entries without such rules none', async () => {
      const id = await made()
      const { part } = await stored(id)
      const { status, text } = await api.put(`/articles/${id}`, { part: { id: part.id, tags: [1] } })
      assert.equal(status, 200, text)
      assert.deepEqual(ids((await stored(id)).part.tags), [1, 3])
      await api.app.entries(article).update(id, { tags: [1] })
      assert.deepEqual(ids((await stored(id)).tags), [1])
    })

    it('links nothing that it does not see', async () => {
      const id = await made()
      for (const sent of [[3], { connect: [3] }, { set: [1, 3] }])
        assert.equal((await api.put(`/articles/${id}`, { tags: sent })).status, 400, JSON.stringify(sent))
      assert.equal((await api.post('/articles', { title: 'x', tags: [3] })).status, 400)
    })

    it('may send what the server sets, which does not count', async () => {
      const { status, body, text } = await api.post('/articles', { title: 'new', state: 'old' })
      assert.equal(status, 200, text)
      assert.equal((await stored(body.data.id)).state, 'new')
      assert.equal((await api.put(`/articles/${body.data.id}`, { state: 'old' })).status, 400)
    })

    it('makes localizations that share what it does not see', async () => {
      const id = await made()
      const { status, body, text } = await api.post(`/articles/${id}/localizations`, { locale: 'de', title: 'de' })
      assert.equal(status, 200, text)
      const { tags, first, part } = await stored(body.data.id)
      assert.deepEqual([ids(tags), first.id, ids(part.tags)], [[3, 1], 3, [3]])
    })
  },
)
