import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { bulk } from '../../../plugins/bulk/index.js'
import { nestedCreate } from '../../../plugins/nested-create/index.js'
import { trash } from '../../../plugins/trash/index.js'
import { type Answer, type Api, contract, refused } from '../../support/contract.js'

const types = {
  item: {
    options: { trash: true },
    attributes: {
      title: { type: 'string', required: true },
      owner: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      slides: { type: 'component', component: 'a.slide', repeatable: true },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
}
const components = { 'a.slide': { attributes: { note: { type: 'string' } } } }

/** Writes since the last commit, and the largest number of them. */
const open = { now: 0, most: 0 }
const groups = definePlugin({
  name: 'groups',
  appliesTo: ({ uid }) => uid === 'api::item.item',
  hooks: {
    afterWrite(_, { afterCommit }) {
      open.now += 1
      open.most = Math.max(open.most, open.now)
      afterCommit(() => {
        open.now = 0
      })
    },
  },
})
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers: { 'x-owner': owner } }) => ({
    scope: `owner ${owner}`,
    can: () => true,
    ...(owner !== undefined && {
      rows: (_: string, uid: string) => (uid === 'api::item.item' ? { owner: { $eq: String(owner) } } : undefined),
    }),
  }),
})

const plugins = [callers, groups, bulk, nestedCreate, trash]
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const send = (api: Api, operations: unknown, { query = '', atomic = true, headers = {} } = {}) =>
  api.send('POST', `/items/bulk${query}`, { operations, atomic }, headers)
const statuses = ({ body }: Answer) => body.results.map(({ status }: { status: number }) => status)
const shownOf = ({ body }: Answer) =>
  body.results.map(({ data }: Answer['body']) => data?.attributes?.title ?? data?.id)

contract('What many writes in one request may keep from others', { types, components, plugins }, api => {
  const make = (title: string, more: object = {}) => api.make('/items', { title, ...more })

  it('has others write between groups of operations that stand each for itself', async () => {
    const id = await make('x')
    open.most = open.now = 0
    // Each is two statements at least, and a group ends with five hundred.
    const operations = times(300, index => ({ update: id, data: { title: `${index}` } }))
    const answer = await send(api, operations, { atomic: false })
    assert.ok(
      statuses(answer).every((status: number) => status === 200),
      answer.text,
    )
    assert.ok(open.most <= 250, `${open.most} operations of one transaction`)
    assert.equal((await api.get(`/items/${id}`)).body.data.attributes.title, '299')
  })

  it('reads the entries of the response together, once all is stored', async () => {
    const tags = await Promise.all(times(3, index => api.make('/tags', { name: `t${index}` })))
    const ids = await Promise.all(times(40, index => make(`i${index}`, { tags })))
    const query = '?fields[0]=title&populate[tags][fields][0]=name&populate[slides]=true'
    const statements = async (count: number, asked: string) => {
      const operations = ids.slice(0, count).map(id => ({ update: id, data: { title: 'new' } }))
      const answer = await send(api, operations, { query: asked })
      assert.deepEqual(shownOf(answer), asked === '' ? ids.slice(0, count) : times(count, () => 'new'))
      return answer.statements.length
    }
    await statements(1, query)
    for (const count of [4, 40]) {
      const more = (await statements(count, query)) - (await statements(count, ''))
      assert.ok(more <= 4, `${more} statements to show ${count} entries`)
    }
  })

  it('shows each entry as the request has left it, and what it deletes as it was', async () => {
    const [first, second, third] = [await make('One'), await make('Two'), await make('Three')]
    const answer = await send(
      api,
      [
        { update: first, data: { title: 'Changed' } },
        { update: second, data: { title: 'Soon gone' } },
        { delete: second },
        { delete: third },
        { update: first, data: { title: 'Last' } },
        { create: { title: 'New' } },
      ],
      { query: '?fields[0]=title' },
    )
    assert.deepEqual(shownOf(answer), ['Last', second, 'Two', 'Three', 'Last', 'New'])
  })

  it('shows what a request for each alone would show', async () => {
    const id = await make('Alone', { slides: [{ note: 'a' }], owner: 'ann' })
    const query = '?populate=*'
    const alone = await api.send('PUT', `/items/${id}${query}`, { data: { title: 'Same' } })
    const { body } = await send(api, [{ update: id, data: {} }], { query })
    delete alone.body.data.attributes.updatedAt
    delete body.results[0].data.attributes.updatedAt
    assert.deepEqual(body.results, [{ status: 200, ...alone.body }])
  })

  it('keeps to the rows of the caller, and shows them again for an Idempotency-Key', async () => {
    const [mine, other] = [await make('Mine', { owner: 'ann' }), await make('Other', { owner: 'bob' })]
    const operations = [
      { update: mine, data: { title: 'Mine' } },
      { delete: other },
      { create: { title: 'Next', owner: 'ann' } },
    ]
    for (const atomic of [false, true]) {
      const sent = atomic ? operations.filter(one => !('delete' in one)) : operations
      const headers = { 'x-owner': 'ann', 'idempotency-key': `limits-${atomic}-${api.engine.name}` }
      const answer = await send(api, sent, { query: '?fields[0]=title', atomic, headers })
      assert.deepEqual(shownOf(answer), atomic ? ['Mine', 'Next'] : ['Mine', undefined, 'Next'], answer.text)
      const again = await send(api, sent, { query: '?fields[0]=title', atomic, headers })
      assert.deepEqual(again.body, answer.body)
      assert.equal(again.headers['idempotency-replayed'], 'true')
    }
  })

  it('counts what is created beside its entries over the whole request', async () => {
    const nested = (count: number) => ({
      create: { title: 'n', tags: { create: times(count, () => ({ name: 'x' })) } },
    })
    const before = [await api.count('items'), await api.count('tags')]
    refused(await send(api, [nested(60), nested(60)]), {
      status: 400,
      message: /^operations\[1\]: tags\[create\]\[40\] are more than the 100 entries that one request may create/,
    })
    assert.deepEqual([await api.count('items'), await api.count('tags')], before)
    const loose = await send(api, [nested(60), nested(60), nested(30), { create: {} }, nested(10)], { atomic: false })
    assert.deepEqual(statuses(loose), [200, 400, 200, 400, 200], loose.text)
    assert.equal(await api.count('tags'), Number(before[1]) + 100)
  })
})

const rest = { limits: { writes: 60, statements: 6, entries: 12 } }
contract('The limits of a request that writes', { types, components, plugins, rest }, api => {
  const make = (title: string, more: object = {}) => api.make('/items', { title, ...more })
  const message =
    /^(operations\[\d+\]: )?The request needs more than 60 statements in one transaction, and nothing of it is stored; send less in one request, or raise rest.limits.writes$/

  it('end the transaction of a request that would keep others waiting, and nothing of it is stored', async () => {
    const before = await api.count('items')
    for (const headers of [{}, { 'idempotency-key': `much-${api.engine.name}` }]) {
      const atomic = !('idempotency-key' in headers)
      const answer = await send(
        api,
        times(100, () => ({ create: { title: 'x' } })),
        { atomic, headers },
      )
      refused(answer, { status: 413, message })
      assert.ok(answer.statements.length <= 70, `${answer.statements.length} statements`)
      assert.equal(await api.count('items'), before)
    }
    const loose = await send(
      api,
      times(100, () => ({ create: { title: 'x' } })),
      { atomic: false },
    )
    assert.ok(
      statuses(loose).every((status: number) => status === 200),
      loose.text,
    )
  })

  it('hold for the write of one entry, alone and among others', async () => {
    const id = await make('one')
    const slides = times(80, index => ({ note: `${index}` }))
    refused(await api.send('PUT', `/items/${id}`, { data: { slides } }), { status: 413, message })
    refused(await api.send('POST', '/items', { data: { title: 'x', slides } }), { status: 413, message })
    const loose = await send(
      api,
      [
        { update: id, data: { slides } },
        { update: id, data: { title: 'two', slides: slides.slice(0, 10) } },
      ],
      { atomic: false },
    )
    assert.deepEqual(statuses(loose), [413, 200])
    const { body } = await api.get(`/items/${id}?populate=slides`)
    assert.deepEqual([body.data.attributes.title, body.data.attributes.slides.length], ['two', 10])
  })

  it('refuse before anything is done what takes too many statements or entries to show', async () => {
    const tags = await Promise.all(times(5, index => api.make('/tags', { name: `t${index}` })))
    const ids = await Promise.all(times(3, index => make(`i${index}`, { tags })))
    const query = '?populate[tags]=true&populate[slides]=true'
    const updates = ids.map(id => ({ update: id, data: { title: 'no' } }))
    const both = await send(api, [...updates, { create: { title: 'no' } }, { delete: ids[0] }], { query })
    refused(both, { status: 400, message: /^populate: the query needs more than 6 statements/ })
    const deleted = await send(
      api,
      ids.map(id => ({ delete: id })),
      { query: '?populate[tags]=true' },
    )
    refused(deleted, { status: 400, message: /^populate: the query needs more than 12 entries/ })
    const many = await send(
      api,
      times(13, () => ({ create: { title: 'no' } })),
      { query: '?fields[0]=title' },
    )
    refused(many, { status: 400, message: /needs more than 12 entries/ })
    assert.equal((await api.get('/items?filters[title]=no')).body.data.length, 0)
    for (const id of ids) assert.equal((await api.get(`/items/${id}`)).status, 200)
  })

  it('have the ids alone shown of entries that turn out to be too many, as all is stored by then', async () => {
    const tags = await Promise.all(times(5, index => api.make('/tags', { name: `t${index}` })))
    const id = await make('many', { tags })
    const operations = times(3, index => ({ update: id, data: { title: `many ${index}` } }))
    const { status, body } = await send(api, operations, { query: '?populate[tags]=true' })
    assert.equal(status, 200)
    assert.deepEqual(
      body.results,
      times(3, () => ({ status: 200, data: { id }, meta: {} })),
    )
    assert.match(body.meta.unshown, /^populate: the query needs more than 12 entries; ask for less/)
    assert.equal((await api.get(`/items/${id}`)).body.data.attributes.title, 'many 2')
  })
})

/** Additions of hooks to responses, and the time at which they are created, must not differ either. */
const hooked = definePlugin({
  name: 'hooked',
  appliesTo: ({ uid }) => uid === 'api::item.item',
  hooks: {
    afterFind(rows, { action }) {
      for (const row of rows) row.seen = action
    },
    serialize(entry) {
      entry.shout = String(entry.title).toUpperCase()
      return undefined
    },
    meta: (_, { id, many }) => ({ of: id, many }),
  },
})
describe('with hooks that shape responses', () =>
  contract('many writes in one request', { types, components, plugins: [bulk, hooked] }, api => {
    it('are shown as one alone', async () => {
      const id = await api.make('/items', { title: 'One', slides: [{ note: 'a' }] })
      const query = '?fields[0]=title&populate=slides'
      const alone = await api.send('PUT', `/items/${id}${query}`, { data: {} })
      const { body } = await send(
        api,
        [
          { update: id, data: {} },
          { update: id, data: {} },
        ],
        { query },
      )
      assert.deepEqual(
        body.results,
        times(2, () => ({ status: 200, ...alone.body })),
      )
      assert.equal(alone.body.data.attributes.seen, 'update')
    })
  }))
