import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { patch } from '../../../plugins/patch/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { type Body, contract, refused, type World } from '../../support/contract.js'
import { asUser, secret, userUid, world } from './people.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string', unique: true },
      owner: { type: 'relation', relation: 'manyToOne', target: userUid },
      byline: { type: 'string', required: true },
      ownerId: { type: 'string' },
      state: { type: 'enumeration', enum: ['new', 'old'] },
      sentAt: { type: 'datetime' },
      extra: { type: 'json' },
      editor: { type: 'relation', relation: 'manyToOne', target: userUid },
      parts: { type: 'component', component: 'shared.part' },
    },
  },
  page: {
    kind: 'singleType',
    attributes: { title: { type: 'string' }, byline: { type: 'string' } },
  },
} as const
const components = { 'shared.part': { attributes: { text: { type: 'string' } } } } as const
const mine = { owner: { id: { $eq: '$caller.id' } } }
const byCaller = {
  owner: '$caller.id',
  byline: '$caller.username',
  ownerId: '$caller.id',
  state: 'new',
  sentAt: '$now',
}
const permissions = {
  roles: {
    public: { article: { create: { set: { ...byCaller, byline: 'a visitor' } } } },
    author: {
      article: {
        find: true,
        create: { set: byCaller, where: mine },
        update: { where: mine, set: { editor: '$caller.id' } },
      },
      page: { update: { set: { byline: '$caller.username' } } },
    },
  },
}
const people = {
  ...world({ types, permissions, accounts: { alice: { role: 'author' }, bobby: { role: 'author' } } }),
  components,
} satisfies World
const patched = { ...people, plugins: [...(people.plugins ?? []), patch] as never }

contract('values that the server sets for a role', patched, api => {
  const stored = async (id: number): Promise<Body> => {
    const [entry] = await api.app
      .entries('api::article.article')
      .find({ where: { id }, populate: { owner: true, editor: true } })
    return entry
  }
  const values = async (id: number) => {
    const { owner, editor, byline, ownerId, state } = await stored(id)
    return [owner?.id, editor?.id, byline, ownerId, state]
  }

  it('are those of the caller, in relations and attributes, though nothing of them is sent', async () => {
    for (const id of [1, 2]) {
      const { status, body, text } = await api.send('POST', '/articles', { data: { title: `by ${id}` } }, asUser(id))
      assert.equal(status, 200, text)
      const name = id === 1 ? 'alice' : 'bobby'
      assert.deepEqual(await values(body.data.id), [id, undefined, name, String(id), 'new'])
      assert.ok(Math.abs(Date.parse((await stored(body.data.id)).sentAt) - Date.now()) < 60_000)
    }
  })
  it('take the place of what a body says', async () => {
    const data = { title: 'forged', byline: 'bobby', ownerId: '2', state: 'old', sentAt: '2001-01-01T00:00:00.000Z' }
    const { body } = await api.send('POST', '/articles', { data }, asUser(1))
    assert.deepEqual(await values(body.data.id), [1, undefined, 'alice', '1', 'new'])
    const owner = await api.send('POST', '/articles', { data: { title: 'given away', owner: 2 } }, asUser(1))
    assert.deepEqual(await values(owner.body.data.id), [1, undefined, 'alice', '1', 'new'])
  })
  it('belong to one action: an update sets others, and leaves those alone', async () => {
    const { body } = await api.send('POST', '/articles', { data: { title: 'changed' } }, asUser(1))
    const { id } = body.data
    const changed = await api.send('PUT', `/articles/${id}`, { data: { state: 'old', editor: 2 } }, asUser(1))
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await values(id), [1, 1, 'alice', '1', 'old'])
    refused(await api.send('PUT', `/articles/${id}`, { data: { state: 'new' } }, asUser(2)), { status: 404 })
  })
  it('leave a patch what it is', async () => {
    const data = { title: 'patched', extra: { kept: 1, gone: 2 } }
    const { body } = await api.send('POST', '/articles', { data }, asUser(1))
    const { id } = body.data
    const { status } = await api.send('PATCH', `/articles/${id}`, { data: { extra: { gone: null } } }, asUser(1))
    assert.deepEqual([status, (await stored(id)).extra], [200, { kept: 1 }])
    assert.equal((await values(id))[1], 1)
  })
  it('are nothing for a visitor, and constants for all', async () => {
    const { body, status } = await api.send('POST', '/articles', { data: { title: 'unasked', owner: 1 } })
    assert.equal(status, 200)
    assert.deepEqual(await values(body.data.id), [undefined, undefined, 'a visitor', null, 'new'])
  })
  it('are set by every way to create one: by a value, and again under a key', async () => {
    const headers = { ...asUser(2), 'idempotency-key': 'one' }
    const [first, again] = [
      await api.send('POST', '/articles', { data: { title: 'once' } }, headers),
      await api.send('POST', '/articles', { data: { title: 'once' } }, headers),
    ]
    assert.equal(first.text, again.text)
    assert.deepEqual(await values(first.body.data.id), [2, undefined, 'bobby', '2', 'new'])
  })
  it('are set in the entry of a single type, whether it is made or changed', async () => {
    for (const [id, name] of [
      [1, 'alice'],
      [2, 'bobby'],
    ] as const) {
      const { status, body } = await api.send('PUT', '/page', { data: { byline: 'me' } }, asUser(id))
      assert.deepEqual([status, body.data.attributes.byline], [200, name])
    }
  })
  it('do not hide what else is wrong with a body', async () => {
    const answer = await api.send('POST', '/articles', { data: { title: 'odd', titel: 'x' } }, asUser(1))
    refused(answer, { status: 400, message: /^titel is not an attribute .* did you mean "title"\?$/ })
  })
})

describe('a set that cannot be', () => {
  const cases: readonly [set: unknown, says: RegExp, action?: string][] = [
    [{ ownr: '$caller.id' }, /sets "ownr", which is no attribute .* did you mean "owner"\?/],
    [{ createdAt: '$now' }, /sets "createdAt", which is no attribute .* can be written/],
    [{ owner: '$caller.username' }, /sets "owner" to "\$caller.username"; expected "\$caller.id" or the id/],
    [{ parts: 1 }, /sets "parts", which is no plain attribute and no relation/],
    [{ byline: '$caller.password' }, /"\$caller.password" is not a variable/],
    [{ byline: '$now' }, /sets "byline" to "\$now", which takes a datetime/],
    [{ sentAt: 'soon' }, /sentAt/],
    ['owner', /has a "set" that is "owner"; expected an object/],
    [{ byline: 'x' }, /writes no values; set is for actions such as create and update/, 'find'],
  ]
  for (const [set, says, action = 'create'] of cases)
    it(`stops the start: ${JSON.stringify(set)} of ${action}`, async () => {
      const config = { permissions: { roles: { public: { article: { [action]: { set } } } } } }
      const plugins = [[usersPermissions, { jwtSecret: secret }]] as never
      await assert.rejects(createTestApp({ types, components, plugins, config }), says)
    })
  it('stops the start beside filters, which stand in where', async () => {
    const config = { permissions: { roles: { public: { article: { create: { set: {}, state: 'new' } } } } } }
    const plugins = [[usersPermissions, { jwtSecret: secret }]] as never
    await assert.rejects(createTestApp({ types, components, plugins, config }), /not "state"; filters stand in where/)
  })
})
