import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { patch } from '../../../plugins/patch/index.js'
import { type Api, contract, refused } from '../../support/contract.js'

const components = {
  'shared.social': { attributes: { card: { type: 'string' }, image: { type: 'string' } } },
  'shared.seo': {
    attributes: {
      title: { type: 'string', required: true },
      text: { type: 'string' },
      social: { type: 'component', component: 'shared.social' },
      extra: { type: 'json' },
    },
  },
  'shared.note': {
    attributes: {
      text: { type: 'string' },
      mark: { type: 'string' },
      seo: { type: 'component', component: 'shared.seo' },
    },
  },
}
const types = {
  item: {
    attributes: {
      title: { type: 'string', required: true },
      rank: { type: 'integer' },
      owner: { type: 'string' },
      settings: { type: 'json' },
      hidden: { type: 'json', private: true },
      seo: { type: 'component', component: 'shared.seo' },
      notes: { type: 'component', component: 'shared.note', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.note', 'shared.seo'] },
    },
  },
}

const front = { kind: 'singleType', attributes: { seo: { type: 'component', component: 'shared.seo' } } } as const

/** `x-owner` says whose items a request reaches, `x-may` what it may do. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const owner = headers['x-owner']
    const may = headers['x-may']
    return {
      scope: `${owner} ${may}`,
      can: action => may === undefined || may === action,
      ...(owner !== undefined && { rows: () => ({ owner: { $eq: String(owner) } }) }),
    }
  },
})

const populate = 'populate[seo][populate]=social&populate[notes][populate][seo]=true&populate[zone][populate]=*'

function suite(api: Api): void {
  const make = () =>
    api.make('/items', {
      ...{ title: 'One', rank: 1, owner: 'ann', settings: { a: { b: 1, c: 2 }, list: [1] }, hidden: { x: 1 } },
      seo: { title: 'Seo', text: 'text', social: { card: 'big', image: 'x' }, extra: { k: 1 } },
      notes: [
        { text: 'n1', mark: 'm1', seo: { title: 's1', text: 't1' } },
        { text: 'n2', mark: 'm2' },
      ],
      zone: [{ __component: 'shared.note', text: 'z', mark: 'zm', seo: { title: 'zs', text: 'zt' } }],
    })
  const send = (id: number, data: unknown, headers: Record<string, string> = {}) =>
    api.send('PATCH', `/items/${id}`, { data }, headers)
  const read = async (id: number) => (await api.get(`/items/${id}?${populate}`)).body.data.attributes

  it('keeps what is not sent, at every depth', async () => {
    const id = await make()
    const before = await read(id)
    const patch = {
      rank: null,
      settings: { a: { b: null, d: 3 } },
      seo: { text: 'new', social: { card: null }, extra: { j: 2 } },
    }
    const answer = await api.send('PATCH', `/items/${id}?${populate}`, { data: patch })
    assert.equal(answer.status, 200, answer.text)
    const { updatedAt, ...after } = answer.body.data.attributes
    assert.deepEqual(after, {
      ...Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'updatedAt')),
      rank: null,
      settings: { a: { c: 2, d: 3 }, list: [1] },
      seo: {
        ...before.seo,
        text: 'new',
        social: { ...before.seo.social, card: null },
        extra: { k: 1, j: 2 },
      },
    })
    assert.ok(updatedAt > before.updatedAt)
  })
  it('replaces lists, whose items keep what is not sent where they are named by their ids', async () => {
    const id = await make()
    const { notes, zone } = await read(id)
    const answer = await send(id, {
      notes: [{ text: 'first' }, { id: notes[0].id, mark: null, seo: { text: null } }],
      zone: [{ __component: 'shared.note', id: zone[0].id, seo: { text: 'zz' } }],
    })
    assert.equal(answer.status, 200, answer.text)
    const after = await read(id)
    assert.deepEqual(after.notes[1], { ...notes[0], mark: null, seo: { ...notes[0].seo, text: null } })
    assert.deepEqual([after.notes.length, after.notes[0].text], [2, 'first'])
    assert.deepEqual(after.zone, [{ ...zone[0], seo: { ...zone[0].seo, text: 'zz' } }])
  })
  it('removes a component with null, and makes one where there is none', async () => {
    const id = await make()
    assert.equal((await send(id, { seo: null })).status, 200)
    assert.equal((await read(id)).seo, null)
    refused(await send(id, { seo: { text: 'a' } }), { status: 400, message: /seo\.title/ })
    assert.equal((await send(id, { seo: { title: 'a', extra: { b: null, c: 1 } } })).status, 200)
    assert.deepEqual((await read(id)).seo.extra, { c: 1 })
  })
  it('takes both media types, and refuses what is no patch', async () => {
    const id = await make()
    const type = { 'content-type': 'application/merge-patch+json' }
    assert.equal((await api.send('PATCH', `/items/${id}`, JSON.stringify({ data: { rank: 2 } }), type)).status, 200)
    assert.equal((await read(id)).rank, 2)
    for (const body of [{}, { data: null }, { data: 5 }])
      refused(await api.send('PATCH', `/items/${id}`, body), { status: 400 })
    refused(await send(id, { title: null }), { status: 400, message: /title/ })
    refused(await send(id, { nothing: 1 }), { status: 400, message: /nothing is not an attribute/ })
    refused(await send(id, { seo: { id: 9999, text: 'x' } }), { status: 400 })
    refused(await send(9999, { seo: { text: 'x' } }), { status: 404 })
    refused(await send(9999, { settings: { a: 1 } }), { status: 404 })
  })
  it('asks for the permission, the row rules and the state that an update asks for', async () => {
    const id = await make()
    const data = { seo: { text: 'x' }, hidden: { y: 2 } }
    refused(await send(id, data, { 'x-may': 'create' }), { status: 403 })
    refused(await send(id, data, { 'x-owner': 'bob' }), { status: 404 })
    assert.equal((await send(id, { seo: null })).status, 200)
    // An error of validation would reveal the entry's content.
    refused(await send(id, data, { 'x-owner': 'bob' }), { status: 404 })
    assert.equal((await send(id, { seo: { title: 'Seo' } })).status, 200)
    refused(await send(id, data, { 'if-match': '"2020-01-01T00:00:00.000Z"' }), { status: 412 })
    assert.equal((await send(id, data, { 'x-owner': 'ann' })).status, 200)
    assert.deepEqual((await api.app.entries('api::item.item').copy(id, ['hidden']))?.hidden, { x: 1, y: 2 })
  })
  it('loses nothing of patches at the same time', async () => {
    const id = await make()
    const keys = Array.from({ length: 6 }, (_, index) => `k${index}`)
    const answers = await Promise.all(
      keys.map(key => send(id, { settings: { [key]: 1 }, seo: { extra: { [key]: 1 } } })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      keys.map(() => 200),
    )
    const { settings, seo } = await read(id)
    assert.deepEqual(
      keys.filter(key => settings[key] === 1 && seo.extra[key] === 1),
      keys,
    )
  })
}

contract('PATCH', { types, components, plugins: [callers, patch] }, suite)
contract('PATCH of a single type', { types: { front }, components, plugins: [callers, patch] }, api => {
  it('changes the entry, where there is one', async () => {
    const data = { seo: { text: 'x' } }
    refused(await api.send('PATCH', '/front', { data }), { status: 404 })
    await api.put('/front', { seo: { title: 'Seo' } })
    const { body } = await api.send('PATCH', '/front?populate=seo', { data })
    const { title, text } = body.data.attributes.seo
    assert.deepEqual([title, text], ['Seo', 'x'])
  })
})
describe('without the plugin', () =>
  contract('PATCH', { types, components, plugins: [callers] }, api => {
    it('is no method of an entry', async () => refused(await api.send('PATCH', '/items/1', {}), { status: 405 }))
  }))
