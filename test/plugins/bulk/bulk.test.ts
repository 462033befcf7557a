import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { bulk } from '../../../plugins/bulk/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { type Answer, type Api, contract, refused } from '../../support/contract.js'

const types = {
  item: {
    attributes: {
      title: { type: 'string', required: true },
      code: { type: 'string', unique: true },
      owner: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
    options: { draftAndPublish: true },
  },
  tag: { attributes: { name: { type: 'string' } } },
}

/** `x-may` is what a request may do, `x-owner` whose items it reaches. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const may = headers['x-may']
    const owner = headers['x-owner']
    return {
      scope: `${may} ${owner}`,
      can: action => may === undefined || String(may).split(' ').includes(action),
      ...(owner !== undefined && {
        rows: (_: string, uid: string) => (uid === 'api::item.item' ? { owner: { $eq: String(owner) } } : undefined),
      }),
    }
  },
})

/** Titles of stored entries that `afterCommit` was called with; it must not be called for writes that are rolled back. */
const told: string[] = []
const listener = definePlugin({
  name: 'listener',
  appliesTo: ({ uid }) => uid === 'api::item.item',
  hooks: {
    afterWrite(row, { afterCommit }) {
      afterCommit(() => void told.push(String(row.title)))
    },
  },
})

function suite(api: Api): void {
  const send = (operations: unknown, more: object = {}, headers: Record<string, string> = {}) =>
    api.send('POST', '/items/bulk', { operations, ...more }, headers)
  const statuses = ({ body }: Answer) => body.results.map(({ status }: { status: number }) => status)
  const make = (title: string, more: object = {}) => api.make('/items', { title, ...more })
  const titleOf = async (id: number) =>
    (await api.get(`/items/${id}?publicationState=preview`)).body.data?.attributes.title

  it('creates, updates, deletes and publishes, in order, and answers each as if it came alone', async () => {
    const tag = await api.make('/tags', { name: 'x' })
    const [first, second, third] = [await make('One'), await make('Two'), await make('Three', { publishedAt: null })]
    const answer = await api.send('POST', '/items/bulk?fields[0]=title&populate[tags][fields][0]=name', {
      operations: [
        { create: { title: 'New', tags: [tag] } },
        { update: first, data: { title: 'One more' } },
        { delete: String(second) },
        { publish: third },
        { unpublish: first },
        { update: first, data: { title: 'Last' } },
      ],
    })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(statuses(answer), [200, 200, 200, 200, 200, 200])
    const [made, , , , , last] = answer.body.results
    assert.deepEqual(made.data.attributes, { title: 'New', tags: { data: [{ id: tag, attributes: { name: 'x' } }] } })
    assert.deepEqual([last.data.attributes.title, last.meta], ['Last', {}])
    refused(await api.get(`/items/${second}`), { status: 404 })
    assert.equal((await api.get(`/items/${third}`)).status, 200)
    refused(await api.get(`/items/${first}`), { status: 404 })
  })
  it('gives the ids alone, unless the query asks for more', async () => {
    const id = await make('Id')
    const answer = await send([{ update: id, data: { title: 'x' } }, { delete: id }])
    const result = { status: 200, data: { id }, meta: {} }
    assert.deepEqual(answer.body, { results: [result, result] })
  })
  it('does all or nothing, and says which one failed', async () => {
    const id = await make('Keep')
    const before = await api.count('items')
    told.length = 0
    for (const [operation, status, message] of [
      [{ create: { title: null } }, 400, /^operations\[2\]: title/],
      [{ update: 99999, data: { title: 'x' } }, 404, /^operations\[2\]: /],
      [{ create: { title: 'x', code: 'same' } }, 400, /^operations\[2\]: code must be unique/],
    ] as const) {
      const answer = await send([
        { update: id, data: { title: 'Changed' } },
        { create: { title: 'y', code: 'same' } },
        operation,
      ])
      refused(answer, { status, message })
      assert.equal(answer.body.error.details.operation, 2)
    }
    assert.deepEqual([await titleOf(id), await api.count('items'), told], ['Keep', before, []])
  })
  it('changes no entry that was changed since the time that an operation expects', async () => {
    const [same, other] = [await make('Same'), await make('Other')]
    const changedAt = async (id: number) => (await api.get(`/items/${id}`)).body.data.attributes.updatedAt as string
    const [before, stale] = [await changedAt(same), '2020-01-31T09:30:00.000Z']
    const sent = [
      { update: same, data: { title: 'Changed' }, ifMatch: before },
      { update: other, data: { title: 'Lost' }, ifMatch: stale },
      ...['unpublish', 'delete'].map(action => ({ [action]: other, ifMatch: stale })),
    ]
    const answer = await send(sent, { atomic: false })
    assert.deepEqual(statuses(answer), [200, 412, 412, 412])
    assert.equal(answer.body.results[1].error.details.updatedAt, await changedAt(other))
    assert.deepEqual([await titleOf(same), await titleOf(other)], ['Changed', 'Other'])
    refused(await send(sent.slice(1)), { status: 412, message: /^operations\[0\]: The entry has been changed/ })
    // The header of the request holds for operations that say nothing else.
    const header = { 'if-match': `"${stale}"` }
    refused(await send([{ update: other, data: { title: 'Lost' } }], {}, header), { status: 412 })
    const now = await changedAt(other)
    assert.equal((await send([{ update: other, data: { title: 'Met' }, ifMatch: now }], {}, header)).status, 200)
    assert.equal(await titleOf(other), 'Met')
    for (const [ifMatch, message] of [
      [7, 'operations[0][ifMatch] must be the updatedAt of the entry, as text'],
      ['soon', /^operations\[0\]: If-Match: soon is no time/],
    ] as const)
      refused(await send([{ update: other, data: {}, ifMatch }]), { status: 400, message })
    refused(await send([{ create: { title: 'x' }, ifMatch: stale }]), {
      status: 400,
      message: /ifMatch\] does not belong/,
    })
  })
  it('does each for itself, where that is asked for', async () => {
    const id = await make('Self')
    told.length = 0
    const answer = await send(
      [
        { create: { title: 'a', code: 'a' } },
        { create: { title: 'b', code: 'a' } },
        { update: 99999, data: { title: 'x' } },
        { update: id, data: { title: 'Done' } },
        { create: {} },
        { delete: 99999 },
        { create: { title: 'c' } },
      ],
      { atomic: false },
    )
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(statuses(answer), [200, 400, 404, 200, 400, 404, 200])
    const [, taken] = answer.body.results
    assert.deepEqual([taken.data, taken.error.status, taken.error.name], [null, 400, 'ValidationError'])
    assert.equal(await titleOf(id), 'Done')
    assert.deepEqual(told, ['a', 'Done', 'c'])
  })
  it('asks for the permission of each operation, and keeps to the rows of the caller', async () => {
    const [mine, other] = [await make('Mine', { owner: 'ann' }), await make('Other', { owner: 'bob' })]
    const operations = [{ update: mine, data: { title: 'x' } }, { delete: mine }]
    refused(await send(operations, {}, { 'x-may': 'update' }), { status: 403 })
    const some = await send(operations, { atomic: false }, { 'x-may': 'update' })
    assert.deepEqual(statuses(some), [200, 403])
    refused(await send(operations, { atomic: false }, { 'x-may': 'find' }), { status: 403 })
    refused(await send([{ publish: mine }], {}, { 'x-may': 'update' }), { status: 403 })
    const rows = await send(
      [{ update: other, data: { title: 'y' } }, { update: mine, data: { owner: 'bob' } }, { delete: other }],
      { atomic: false },
      { 'x-owner': 'ann' },
    )
    assert.deepEqual(statuses(rows), [404, 403, 404])
    assert.deepEqual([await titleOf(mine), await titleOf(other)], ['x', 'Other'])
  })
  it('happens once for an Idempotency-Key, in both ways', async () => {
    for (const atomic of [true, false]) {
      const before = await api.count('items')
      const key = { 'idempotency-key': `bulk-${atomic}` }
      const operations = [
        { create: { title: 'once' } },
        ...(atomic ? [] : [{ create: {} }]),
        { create: { title: 'twice' } },
      ]
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => send(operations, { atomic }, key)))
      assert.equal(first?.status, 200, first?.text)
      for (const other of others) assert.deepEqual(other.body, first?.body)
      assert.equal((await send(operations, { atomic }, key)).headers['idempotency-replayed'], 'true')
      assert.equal(await api.count('items'), before + 2)
      refused(await send([{ create: { title: 'other' } }], { atomic }, key), { status: 422 })
    }
  })
  it('takes 1000 operations, and nothing that is none', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ create: { title: `m${index}` } }))
    const before = await api.count('items')
    const answer = await send(many(1000))
    assert.equal(answer.body.results.length, 1000)
    assert.equal(await api.count('items'), before + 1000)
    assert.deepEqual((await send([])).body, { results: [] })
    for (const [body, message] of [
      [{ operations: many(1001) }, /1001 items, more than the 1000/],
      [{}, /operations must be a list/],
      [{ operations: [{ nothing: 1 }] }, /operations\[0\] must have one of create, update, delete, publish, unpublish/],
      [{ operations: [{ delete: 1, create: {} }] }, /operations\[0\] must have one of/],
      [{ operations: [null] }, /operations\[0\] must have one of/],
      [{ operations: [{ delete: 1, data: {} }] }, /operations\[0\]\[data\] does not belong to delete/],
      [{ operations: [], atomic: 'no' }, /atomic must be true or false/],
      [{ operations: [{ create: 5 }] }, /operations\[0\]: /],
      [{ operations: [{ update: {}, data: {} }] }, /operations\[0\]: /],
    ] as const)
      assert.match((await api.send('POST', '/items/bulk', body)).body.error.message, message)
    const tags = await api.send('POST', '/tags/bulk', { operations: [{ publish: 1 }] })
    refused(tags, { status: 400, message: /must have one of create, update, delete$/ })
  })
}

const plugins = [callers, listener, draftAndPublish, bulk]
contract('Many writes in one request', { types, plugins }, suite)
describe('in the dialect of Strapi 4', () =>
  contract('many writes in one request', { types, plugins, rest: { dialect: 'strapi4' } }, api => {
    it('are done', async () => {
      const operations = [{ create: { title: 'x' } }, { create: {} }]
      const { body } = await api.send('POST', '/tags/bulk?fields=name', { operations: [{ create: { name: 'x' } }] })
      assert.equal(body.results[0].data.attributes.name, 'x')
      refused(await api.send('POST', '/items/bulk', { operations }), { status: 400 })
    })
  }))
