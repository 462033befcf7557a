import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { trash } from '../../plugins/trash/index.js'
import { contract, idsOf, type World } from '../support/contract.js'

const toOne = (relation: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation, target: `api::${target}.${target}`, useJoinTable: false },
  ...more,
})
const name = { type: 'string' }

const types = {
  favourite: {
    attributes: {
      post: toOne('manyToOne', 'post', { inversedBy: 'favourites' }),
      owner: toOne('manyToOne', 'owner'),
      kind: { type: 'string' },
    },
    indexes: [{ attributes: ['post', 'owner'], unique: true }],
  },
  // A relation that only one entry can have, with an attribute beside it.
  seat: {
    attributes: { holder: toOne('oneToOne', 'owner', { inversedBy: 'seat' }), row: { type: 'integer' } },
    indexes: [{ attributes: ['row', 'holder'], unique: true, name: 'one_seat_in_a_row' }],
  },
  post: {
    attributes: {
      name,
      favourites: { type: 'relation', relation: 'oneToMany', target: 'api::favourite.favourite', mappedBy: 'post' },
    },
  },
  owner: {
    attributes: {
      name,
      seat: { type: 'relation', relation: 'oneToOne', target: 'api::seat.seat', mappedBy: 'holder' },
    },
  },
  page: {
    pluginOptions: { i18n: { localized: true } },
    options: { trash: true },
    attributes: {
      title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      post: toOne('oneToOne', 'post'),
      owner: toOne('manyToOne', 'owner'),
    },
    indexes: [{ attributes: ['post', 'owner'], unique: true }],
  },
}

const world: World = {
  types,
  plugins: [[i18n, { locales: ['en', 'de'] }], trash],
  rows: async app => {
    for (const name of ['a', 'b', 'c']) {
      await app.entries('api::post.post').create({ name })
      await app.entries('api::owner.owner').create({ name })
    }
  },
}

contract('a relation in a column', world, api => {
  const taken = /^post and owner must be unique together/
  const post = (data: object) => api.post('/favourites', data)
  const clear = async () => {
    for (const { id } of await api.rows('favourites', ['id'])) await api.delete(`/favourites/${id}`)
  }
  /** The post and owner of each favourite, the oldest first. */
  const stored = async () => {
    const rows = await api.rows('favourites', ['id', 'post_id', 'owner_id'])
    const byAge = rows.toSorted((one, other) => Number(one.id) - Number(other.id))
    return byAge.map(row => [row.post_id, row.owner_id].map(id => (id === null ? null : Number(id))))
  }

  it('is populated, filtered, sorted and counted from both sides', async () => {
    await clear()
    const id = await api.make('/favourites', { post: 2, owner: 3, kind: 'x' })
    await api.make('/favourites', { post: { connect: [1] }, owner: { id: 3 } })
    assert.equal(idsOf(await api.get(`/favourites/${id}?populate=post`), 'post'), 2)
    assert.deepEqual(idsOf(await api.get('/posts/2?populate=favourites'), 'favourites'), [id])
    const found = async (query: string) =>
      (await api.get(`/favourites?${query}`)).body.data.map(({ id }: { id: number }) => id)
    assert.deepEqual(await found('filters[post][name]=b'), [id])
    assert.deepEqual(await found('sort=post.name'), [id + 1, id])
    const posts = await api.get('/posts?filters[favourites][kind]=x&fields=name')
    assert.deepEqual(
      posts.body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      ['b'],
    )
  })

  it('makes a pair that no two entries have, however it is written', async () => {
    await clear()
    const id = await api.make('/favourites', { post: 1, owner: 1 })
    for (const data of [
      { post: 1, owner: 1 },
      { post: { connect: [1] }, owner: { set: [{ id: 1 }] } },
    ]) {
      const { status, body } = await post(data)
      assert.equal(status, 400)
      assert.match(body.error.message, taken)
      assert.deepEqual(body.error.details.errors[0].path, ['post'])
    }
    const other = await api.make('/favourites', { post: 1, owner: 2 })
    assert.equal((await api.put(`/favourites/${other}`, { owner: 1 })).status, 400)
    assert.equal((await api.put(`/favourites/${other}`, { kind: 'y' })).status, 200)
    assert.deepEqual(await stored(), [
      [1, 1],
      [1, 2],
    ])
    // The pair is free once one of its sides has gone elsewhere.
    assert.equal((await api.put(`/favourites/${id}`, { post: 2 })).status, 200)
    assert.equal((await api.put(`/favourites/${other}`, { owner: 1 })).status, 200)
  })

  it('does not count what is empty', async () => {
    await clear()
    for (const data of [{ post: 1 }, { post: 1 }, { owner: 1, post: null }, {}, {}])
      assert.equal((await post(data)).status, 200)
    const id = await api.make('/favourites', { post: 1, owner: 1 })
    assert.equal((await api.put(`/favourites/${id}`, { owner: { disconnect: [1] } })).status, 200)
    assert.equal((await post({ post: 1, owner: 1 })).status, 200)
    assert.equal((await api.put(`/favourites/${id}`, { owner: { connect: [1] } })).status, 400)
  })

  it('holds for what is written at the other side', async () => {
    await clear()
    const [one, other] = [
      await api.make('/favourites', { post: 1, owner: 1 }),
      await api.make('/favourites', { post: 2, owner: 1 }),
    ]
    const moved = await api.put('/posts/1', { favourites: { connect: [other] } })
    assert.equal(moved.status, 400)
    assert.deepEqual(await stored(), [
      [1, 1],
      [2, 1],
    ])
    assert.equal((await api.put('/posts/1', { favourites: [other] })).status, 200)
    assert.deepEqual(await stored(), [
      [null, 1],
      [1, 1],
    ])
    assert.equal((await api.put(`/favourites/${one}`, { post: 1 })).status, 400)
  })

  it('lets one of many writers at once pass', async () => {
    await clear()
    const all = await Promise.all(Array.from({ length: 50 }, () => post({ post: 3, owner: 3 })))
    // A busy machine may refuse some of them for now.
    const made = all.filter(({ status }) => status === 200)
    const others = all.filter(({ status, body }) => status !== 200 && status !== 503 && !taken.test(body.error.message))
    assert.deepEqual([made.length <= 1, others.map(({ text }) => text)], [true, []])
    const last = await post({ post: 3, owner: 3 })
    assert.equal(last.status, made.length === 1 ? 400 : 200, last.text)
    assert.deepEqual(await stored(), [[3, 3]])
  })

  it('is emptied when the entry that it leads to is deleted', async () => {
    await clear()
    const gone = await api.make('/posts', { name: 'gone' })
    await api.make('/favourites', { post: gone, owner: 2 })
    assert.equal((await api.delete(`/posts/${gone}`)).status, 200)
    assert.deepEqual(await stored(), [[null, 2]])
    assert.equal((await post({ post: gone, owner: 2 })).status, 400)
  })

  it('is taken from the entry that had it, where only one can', async () => {
    const first = await api.make('/seats', { holder: 1, row: 1 })
    const second = await api.make('/seats', { holder: 1, row: 1 })
    assert.equal(idsOf(await api.get(`/seats/${first}?populate=holder`), 'holder'), null)
    assert.equal(idsOf(await api.get('/owners/1?populate=seat'), 'seat'), second)
    assert.equal((await api.put('/owners/1', { seat: first })).status, 200)
    assert.equal(idsOf(await api.get(`/seats/${second}?populate=holder`), 'holder'), null)
  })

  it('is shared by localizations, and what is in the trash does not count', async () => {
    const id = await api.make('/pages', { title: 'a', post: 1, owner: 1 })
    assert.equal((await api.post(`/pages/${id}/localizations`, { locale: 'de', title: 'b' })).status, 200)
    assert.equal((await api.post('/pages', { post: 1, owner: 1 })).status, 400)
    assert.equal((await api.put(`/pages/${id}`, { owner: 2 })).status, 200)
    const rows = (await api.rows('pages', ['owner_id'])).map(row => Number(row.owner_id))
    assert.deepEqual(rows, [2, 2])
    assert.equal((await api.delete(`/pages/${id}`)).status, 200)
    assert.equal((await api.post('/pages', { post: 1, owner: 2 })).status, 200)
  })
})

describe('an index of attributes that are no columns', () => {
  const start = (attributes: object, indexed: string[]) =>
    createTestApp({
      types: {
        note: { attributes, indexes: [{ attributes: indexed, unique: true }] } as never,
        post: { attributes: { name } },
      },
    })
  it.each([
    [
      'a relation with a table of its own',
      { post: toOne('manyToOne', 'post', { useJoinTable: true }) },
      'post',
      /with "useJoinTable": false they are a column of this type/,
    ],
    [
      'a relation to many entries',
      { posts: { ...toOne('manyToMany', 'post') } },
      'posts',
      /those to one entry of one type can be/,
    ],
    ['no attribute', { name }, 'nam', /"nam", which is not a column of the type$/],
  ])('is refused with what can be done: %s', async (_, attributes, indexed, message) => {
    await assert.rejects(start(attributes, [indexed]), { name: 'BootError', message })
  })
})
