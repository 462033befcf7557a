import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { audit } from '../../../plugins/audit/index.js'
import type { AuditRecord, StoredRecord } from '../../../plugins/audit/records.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { contract, type World } from '../../support/contract.js'

const secret = 'a secret of this test, long enough'
const uid = 'api::article.article'
const articles = {
  attributes: {
    title: { type: 'string' },
    body: { type: 'text' },
    notes: { type: 'string' },
    inner: { type: 'string', private: true },
    code: { type: 'password' },
    rating: { type: 'integer' },
    others: { type: 'relation', relation: 'manyToMany', target: uid },
  },
} as const
const attributes = { [uid]: { title: 'value', body: 'hash', inner: 'value', code: 'value' } }

const world: World = {
  types: { article: articles },
  plugins: [draftAndPublish, apiTokens, [usersPermissions, { jwtSecret: secret }], [audit, { secret, attributes }]],
  config: {
    permissions: {
      roles: {
        public: { article: ['find', 'create'], 'plugin::users-permissions.auth': ['callback', 'register'] },
        authenticated: { article: ['find', 'create', 'update', 'delete'] },
      },
    },
  },
}

contract('the audit record', world, api => {
  const records = () => api.app.plugins.find(({ spec }) => spec.name === 'audit')?.service as AuditRecord
  let seen = 0
  /** Records since the last call, the first one first. */
  const recorded = async () => {
    const found = (await records().list({ limit: 100 })).filter(({ id }) => id > seen).reverse()
    seen = found.at(-1)?.id ?? seen
    assert.ok(found.every(({ intact }) => intact))
    return found
  }
  const changes = (record: StoredRecord | undefined) =>
    record?.changes as Record<string, { from?: unknown; to?: unknown }>
  const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: object | undefined, jwt?: string) =>
    api.app.inject({
      ...{ method, url: `/api${url}`, remoteAddress: '203.0.113.7' },
      ...(payload && { payload }),
      headers: { 'x-request-id': 'my-request', ...(jwt !== undefined && { authorization: `Bearer ${jwt}` }) },
    })
  const ann = { username: 'ann', email: 'ann@example.com', password: 'correct horse' }
  const signIn = async (password = ann.password) => send('POST', '/auth/local', { identifier: ann.email, password })

  it('says who did what, when and from where, with values as the settings want them', async () => {
    // Roles and permissions that the start has written.
    assert.ok((await recorded()).some(({ uid }) => uid === 'plugin::users-permissions.permission'))
    const registered = (await send('POST', '/auth/local/register', ann)).json()
    const jwt = registered.jwt as string
    const actor = `user ${registered.user.id}`
    const first = await recorded()
    assert.deepEqual(
      first.map(({ event, uid }) => [event, uid]).filter(([event]) => event !== 'entry.update'),
      [
        ['entry.create', 'plugin::users-permissions.user'],
        ['sign-in', null],
      ],
    )
    assert.ok(!JSON.stringify(first).includes(ann.password))

    const data = { title: 'a', body: 'long', notes: 'n', inner: 'TOPSECRET', code: 'TOPSECRET', rating: 1 }
    const made = await send('POST', '/articles', { data }, jwt)
    assert.equal(made.statusCode, 200, made.body)
    const { id } = made.json().data
    const [record, ...more] = await recorded()
    assert.deepEqual(more, [])
    assert.deepEqual(
      [record?.event, record?.uid, record?.entry, record?.actor, record?.address, record?.request, record?.requestId],
      ['entry.create', uid, id, actor, '203.0.113.7', 'POST /api/articles', 'my-request'],
    )
    assert.deepEqual(
      [changes(record).title, changes(record).body, changes(record).notes, changes(record).inner, changes(record).code],
      [{ to: 'a' }, { to: records().hash('long') }, {}, {}, {}],
    )
    assert.ok(!JSON.stringify(record).includes('TOPSECRET'))
    assert.ok(Math.abs(Date.parse(String(record?.at)) - Date.now()) < 60_000)

    await send('PUT', `/articles/${id}`, { data: { title: 'b', body: 'long', rating: 2 } }, jwt)
    const [updated] = await recorded()
    assert.deepEqual(
      [changes(updated).title, changes(updated).body, changes(updated).rating],
      [{ from: 'a', to: 'b' }, undefined, {}],
    )
    await send('DELETE', `/articles/${id}`, undefined, jwt)
    const [deleted] = await recorded()
    assert.deepEqual(
      [deleted?.event, changes(deleted).title, changes(deleted).inner],
      ['entry.delete', { from: 'b' }, {}],
    )
    assert.ok(!JSON.stringify(deleted).includes('TOPSECRET'))
  })

  it('has sign-ins, and what was refused', async () => {
    await recorded()
    const { jwt, user } = (await signIn()).json()
    assert.equal((await signIn('wrong horse')).statusCode, 400)
    assert.equal((await send('PUT', '/articles/1', { data: {} })).statusCode, 403)
    assert.equal((await send('PUT', `/users/${user.id}`, { username: 'x' }, jwt)).statusCode, 403)
    const found = (await recorded()).filter(({ event }) => !String(event).startsWith('entry.'))
    assert.deepEqual(
      found.map(({ event, actor, address }) => [event, actor, address]),
      [
        ['sign-in', `user ${user.id}`, '203.0.113.7'],
        ['sign-in.refused', found[1]?.actor, '203.0.113.7'],
        ['refused', `user ${user.id}`, '203.0.113.7'],
      ],
    )
    assert.deepEqual(changes(found[1]).identifier, { to: records().hash(ann.email) })
    assert.equal(found[2]?.request, 'PUT /api/users/:id')
  })

  it('has nothing of a write that was undone', async () => {
    await recorded()
    await assert.rejects(
      api.app.store.transaction(async session => {
        await api.app.entries(uid, session).create({ title: 'undone' })
        throw new Error('on purpose')
      }),
      /on purpose/,
    )
    assert.deepEqual(await recorded(), [])
  })

  it('cannot be changed, and says where its table was', async () => {
    await api.app.entries(uid).create({ title: 'kept' })
    const [{ id } = { id: 0 }] = await records().list({ limit: 1 })
    const own = api.app.entries('plugin::audit.record')
    await assert.rejects(own.update(id, { actor: 'nobody' }), /The audit record cannot be changed/)
    await assert.rejects(own.delete(id), /The audit record cannot be changed/)
    await assert.rejects(own.create({ actor: 'nobody' }), /The audit record cannot be changed/)
    assert.equal((await records().list({ limit: 1 }))[0]?.intact, true)
    await api.app.store.transaction(
      async session => void (await session.run(`update stele_audit set actor = 'nobody' where id = ${id}`, [])),
    )
    const [changed] = await records().list({ limit: 1 })
    assert.deepEqual([changed?.actor, changed?.intact], ['nobody', false])
    seen = id
  })

  const command = async (options: Record<string, string>) => {
    const lines: string[] = []
    let rows: readonly Readonly<Record<string, unknown>>[] = []
    await api.app.commands
      .find(({ name }) => name === 'audit')
      ?.run({
        args: [],
        options: { limit: '50', ...options },
        table: (found: typeof rows) => (rows = found),
        print: (line: string) => lines.push(line),
        json: false,
      } as never)
    return { lines, rows }
  }

  it('is listed by a command', async () => {
    const { id } = await api.app.entries(uid).create({ title: 'listed' })
    const { rows } = await command({ entry: `${uid}:${id}` })
    assert.deepEqual(
      rows.map(({ event, entry, changes, state }) => [event, entry, changes, state]),
      [['entry.create', `${uid}:${id}`, 'title', 'as written']],
    )
    const all = await command({ limit: '100' })
    assert.deepEqual(all.lines, [`1 of these ${all.rows.length} records are not as they were written.`])
    assert.equal((await command({ since: '2100-01-01' })).rows.length, 0)
    assert.ok((await command({ who: String(rows[0]?.actor) })).rows.length > 0)
    await assert.rejects(command({ since: 'yesterday' }), /--since is "yesterday"; expected a date or a time/)
    await assert.rejects(command({ entry: 'article' }), /--entry is "article"; expected a type, or a type and an id/)
    await assert.rejects(command({ limit: '0' }), /--limit is "0"; expected a number from 1/)
  })

  it('is kept for as long as the settings say', async () => {
    const before = (await records().list({ limit: 100 })).length
    await records().seals.prune(new Date(Date.now() - 86_400_000), new AbortController().signal)
    assert.equal((await records().list({ limit: 100 })).length, before)
    await records().seals.prune(new Date(Date.now() + 60_000), new AbortController().signal)
    assert.equal((await records().list({ limit: 100 })).length, 0)
  })
})

it('names settings that mean nothing', async () => {
  const start = (of: object) =>
    createTestApp({ types: { article: articles }, plugins: [[audit, { secret, attributes: of }]] })
  await assert.rejects(
    start({ 'api::articel.article': {} }),
    /there is no "api::articel.article"; did you mean "api::article.article"/,
  )
  await assert.rejects(
    start({ [uid]: { titel: 'hash' } }),
    /attributes\["api::article.article"\]: there is no "titel"; did you mean "title"/,
  )
})
