import assert from 'node:assert/strict'
import { it } from 'vitest'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { upload } from '../../plugins/upload/index.js'
import { type Answer, contract, idsOf, said, type World } from '../support/contract.js'

const relation = (relation: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation, target: `api::${target}.${target}`, required: true },
  ...more,
})

const types = {
  book: {
    attributes: {
      title: { type: 'string' },
      author: relation('manyToOne', 'author'),
      tags: relation('manyToMany', 'tag'),
      shelf: relation('oneToOne', 'shelf', { inversedBy: 'book', required: false }),
    },
  },
  // Their links are stored elsewhere than in a table for two fixed ends.
  page: { attributes: { sheet: relation('manyToOne', 'shelf', { useJoinTable: false }) } },
  shelf: {
    pluralName: 'shelves',
    attributes: { book: relation('oneToOne', 'book', { mappedBy: 'shelf' }), name: { type: 'string' } },
  },
  mention: { attributes: { of: { type: 'relation', relation: 'morphToOne', required: true } } },
  picture: { attributes: { file: { type: 'media', required: true }, more: { type: 'media', multiple: true } } },
  draft: {
    options: { draftAndPublish: true },
    attributes: {
      author: relation('manyToOne', 'author'),
      tags: relation('manyToMany', 'tag'),
      of: { type: 'relation', relation: 'morphToMany', required: true },
    },
  },
  list: { attributes: { items: { type: 'component', component: 'list.item', repeatable: true } } },
  author: { attributes: { name: { type: 'string' } } },
  tag: { attributes: { name: { type: 'string' } } },
}
const components = { 'list.item': { attributes: { tag: relation('oneToOne', 'tag') } } }

const world: World = {
  types,
  components,
  plugins: [draftAndPublish, upload],
  rows: async app => {
    for (const name of ['a', 'b', 'c']) {
      await app.entries('api::author.author').create({ name })
      await app.entries('api::tag.tag').create({ name })
    }
    const file = { name: 'a.png', hash: 'a', mime: 'image/png', size: 1, url: '/a.png', provider: 'local' }
    await app.entries('plugin::upload.file').create(file)
  },
}

/** The refusals of a body: each with its path. */
const refusals = ({ status, body }: Answer): unknown => [
  status,
  ...(body.error?.details?.errors ?? []).map(({ path, message }: { path: string[]; message: string }) => [
    path.join('.'),
    message,
  ]),
]

contract('a required relation', world, api => {
  const whole = { author: 1, tags: [1, 2] }
  const book = () => api.make('/books', whole)
  const absent = (name: string) => [name, `${name} must be defined`]
  const isNull = (name: string) => [name, `${name} is required and cannot be null`]
  const empty = (name: string) => [name, `${name} is required and cannot be empty`]

  it('leads to an entry in what is created', async () => {
    assert.deepEqual(refusals(await api.post('/books', {})), [400, absent('author'), absent('tags')])
    assert.deepEqual(refusals(await api.post('/books', { author: null, tags: null })), [
      400,
      isNull('author'),
      isNull('tags'),
    ])
    for (const nothing of [{ set: [] }, { connect: [] }, { disconnect: [1] }, {}])
      assert.deepEqual(
        refusals(await api.post('/books', { author: nothing, tags: nothing })),
        [400, empty('author'), empty('tags')],
        JSON.stringify(nothing),
      )
    assert.deepEqual(refusals(await api.post('/books', { author: 1, tags: [] })), [400, empty('tags')])
    for (const author of [1, { id: 1 }, [1], { set: [1] }, { connect: [1] }])
      assert.equal((await api.post('/books', { author, tags: { connect: [{ id: 2 }] } })).status, 200)
    assert.equal(await api.count('books'), 5)
  })

  it('keeps an entry in what is updated, and may be left alone', async () => {
    const id = await book()
    const put = (data: object) => api.put(`/books/${id}`, data)
    assert.deepEqual(refusals(await put({ author: null, tags: null })), [400, isNull('author'), isNull('tags')])
    assert.deepEqual(refusals(await put({ author: [], tags: { set: [] } })), [400, empty('author'), empty('tags')])
    for (const data of [{ author: { disconnect: [1] } }, { tags: { disconnect: [1, 2] } }])
      assert.deepEqual(refusals(await put(data)), [400, empty(Object.keys(data)[0] ?? '')])
    const after = await api.get(`/books/${id}?populate=author,tags`)
    assert.deepEqual([idsOf(after, 'author'), idsOf(after, 'tags')], [1, [1, 2]])
    assert.equal((await put({ title: 'x', author: {}, tags: { disconnect: [1] } })).status, 200)
    assert.equal(
      (await put({ author: { disconnect: [1], connect: [2] }, tags: { connect: [], disconnect: [3] } })).status,
      200,
    )
    const last = await api.get(`/books/${id}?populate=author,tags`)
    assert.deepEqual([idsOf(last, 'author'), idsOf(last, 'tags')], [2, [2]])
  })

  it('is held to at its other side, in a column, to any type, of files and in components', async () => {
    assert.deepEqual(refusals(await api.post('/shelves', { name: 'x' })), [400, absent('book')])
    const shelf = await api.make('/shelves', { book: await book() })
    assert.deepEqual(refusals(await api.put(`/shelves/${shelf}`, { book: { disconnect: [await latest('books')] } })), [
      400,
      empty('book'),
    ])
    const page = await api.make('/pages', { sheet: shelf })
    assert.deepEqual(refusals(await api.put(`/pages/${page}`, { sheet: { disconnect: [shelf] } })), [
      400,
      empty('sheet'),
    ])
    assert.deepEqual(refusals(await api.post('/mentions', {})), [400, absent('of')])
    const mention = await api.make('/mentions', { of: { id: 1, __type: 'api::tag.tag' } })
    const gone = { of: { disconnect: [{ id: 1, __type: 'api::tag.tag' }] } }
    assert.deepEqual(refusals(await api.put(`/mentions/${mention}`, gone)), [400, empty('of')])
    assert.deepEqual(refusals(await api.post('/pictures', {})), [400, absent('file')])
    const picture = await api.make('/pictures', { file: 1 })
    assert.deepEqual(refusals(await api.put(`/pictures/${picture}`, { file: [] })), [400, empty('file')])
    assert.deepEqual(refusals(await api.post('/lists', { items: [{ tag: 1 }, {}] })), [
      400,
      ['items.1.tag', 'items[1].tag must be defined'],
    ])
  })
  const latest = async (table: string) => Math.max(...(await api.rows(table, ['id'])).map(({ id }) => Number(id)))

  it('may be empty in a draft, and leads to an entry in what is published', async () => {
    const id = await api.make('/drafts', { publishedAt: null })
    const lacking = [400, absent('author'), absent('tags'), absent('of')]
    assert.deepEqual(refusals(await api.send('POST', `/drafts/${id}/actions/publish`)), lacking)
    assert.deepEqual(refusals(await api.put(`/drafts/${id}`, { publishedAt: '2020-01-01' })), lacking)
    assert.equal((await api.put(`/drafts/${id}`, { ...whole, of: [{ id: 1, __type: 'api::tag.tag' }] })).status, 200)
    assert.equal((await api.put(`/drafts/${id}`, { tags: [] })).status, 200)
    assert.deepEqual(refusals(await api.send('POST', `/drafts/${id}/actions/publish`)), [400, absent('tags')])
    await api.put(`/drafts/${id}`, { tags: [2] })
    assert.equal((await api.send('POST', `/drafts/${id}/actions/publish`)).status, 200)
    assert.deepEqual(refusals(await api.put(`/drafts/${id}`, { tags: { disconnect: [2] } })), [400, empty('tags')])
  })

  it('is no longer held when the entry that it leads to is deleted or taken elsewhere', async () => {
    const author = await api.make('/authors')
    const id = await api.make('/books', { ...whole, author })
    assert.equal((await api.delete(`/authors/${author}`)).status, 200)
    assert.equal((await api.put(`/books/${id}`, { title: 'y' })).status, 200)
    assert.deepEqual(refusals(await api.put(`/books/${id}`, { author: null })), [400, isNull('author')])
  })
})

const strapi4 = { dialect: 'strapi4' } as const
contract('a required relation in the dialect of Strapi 4', { ...world, rest: strapi4 }, api => {
  it('may not be absent or null in what is created, nor null in what is updated; an empty list will do', async () => {
    const data = { author: 1, tags: [] }
    assert.deepEqual(said(await api.post('/books', { tags: [] })), [400, 'author must be defined.'])
    assert.deepEqual(said(await api.post('/books', { ...data, author: null })), [400, 'author must be defined.'])
    const id = await api.make('/books', data)
    assert.deepEqual(said(await api.put(`/books/${id}`, { tags: null })), [400, 'tags cannot be null.'])
    assert.equal((await api.put(`/books/${id}`, { author: { disconnect: [1] }, title: 'x' })).status, 200)
    assert.equal((await api.post('/books', { author: {}, tags: { connect: [] } })).status, 200)
  })

  it('is not looked at in drafts, and files are never required', async () => {
    assert.equal((await api.post('/pictures', {})).status, 200)
    const id = await api.make('/drafts', { publishedAt: null })
    assert.equal((await api.put(`/drafts/${id}`, { publishedAt: '2020-01-01' })).status, 200)
  })
})
