import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { type Caller, createTestApp, type Entries, type TestApp } from '../../core/index.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'

const account = {
  options: { populateCreatorFields: false },
  attributes: {
    name: { type: 'string', required: true, minLength: 3, maxLength: 10 },
    mail: { type: 'email', private: true, unique: true },
    code: { type: 'uid' },
    word: { type: 'password' },
    kind: { type: 'enumeration', enum: ['a', 'b'], default: 'a' },
    age: { type: 'integer', min: 18 },
    born: { type: 'date' },
    list: { type: 'blocks' },
    closed: { type: 'string', writable: false },
    friend: { type: 'relation', relation: 'manyToOne', target: 'api::account.account', private: true, required: true },
    keys: { type: 'component', component: 'account.key', repeatable: true, min: 2, max: 3 },
    anything: { type: 'relation', relation: 'morphToOne', private: true },
  },
}
const components = {
  'account.key': { attributes: { label: { type: 'string', private: true }, word: { type: 'password' } } },
}
const uid = 'api::account.account'

onEveryEngine('entries of code', engine => {
  let fresh: FreshDatabase
  let app: TestApp
  let accounts: Entries
  beforeAll(async () => {
    fresh = await engine.fresh()
    app = await createTestApp({ types: { account }, components, config: { database: fresh.database } })
    accounts = app.entries(uid)
  })
  afterAll(async () => {
    await app?.close()
    await fresh?.drop()
  })
  const first = (id: unknown, populate?: unknown) =>
    accounts.first({ where: { id }, everything: true, ...(populate !== undefined && { populate }) })

  it('are stored past the rules of the schema, converted, and with secrets as they are', async () => {
    const raw = { name: 'x', mail: 'no mail', code: 'a b', word: 'plain', kind: 'z', age: '7', list: { a: 1 } }
    const made = await accounts.create(
      { ...raw, closed: 5, born: '2020-02-03T10:00:00Z', keys: [{ label: 'l', word: 'inner' }], nobody: 1 },
      { unchecked: true },
    )
    // Indexes of the database hold all the same.
    await assert.rejects(accounts.create(raw, { unchecked: true }))
    const { keys, anything: _, ...found } = (await first(made.id, '*')) ?? {}
    const { createdAt, updatedAt, createdBy, updatedBy, ...rest } = found
    assert.deepEqual(rest, {
      ...{ id: 1, ...raw, age: 7, closed: '5', born: '2020-02-03', friend: null },
    })
    assert.deepEqual(
      (keys as object[]).map(({ id: _, ...key }: { id?: unknown }) => key),
      [{ label: 'l', word: 'inner' }],
    )
    assert.ok(createdAt === updatedAt && typeof createdAt === 'string')
    assert.deepEqual([createdBy, updatedBy], [null, null])
    await accounts.update(1, { name: null, keys: null, word: 'other' }, { unchecked: true })
    const changed = await first(1, ['keys'])
    assert.deepEqual([changed?.name, changed?.word, changed?.keys], [null, 'other', []])
  })

  it('are refused where a value cannot be converted, or leads nowhere', async () => {
    for (const data of [{ age: 'abc' }, { born: 'soon' }, { name: { a: 1 } }, { friend: 999 }])
      await assert.rejects(accounts.create(data, { unchecked: true }), JSON.stringify(data))
  })

  it('are checked and sealed unless code says otherwise', async () => {
    await assert.rejects(accounts.create({ name: 'x', friend: 1 }), /name must be at least 3 characters/)
    const keys = [{ word: 'one' }, { word: 'two' }]
    const made = await accounts.create({ name: 'Ada', word: 'plain', friend: 1, keys })
    assert.match(String((await first(made.id))?.word), /^\$2/)
  })

  it('have the id, the times and the creators that code gives', async () => {
    const times = { createdAt: '2001-01-01T00:00:00.000Z', updatedAt: '2002-02-02T00:00:00.000Z' }
    const admin = await app.entries('admin::user').create({ firstname: 'Ada' })
    const data = { ...times, name: 'Given', createdBy: admin.id, updatedBy: admin.id }
    const made = await accounts.create({ ...data, id: 500 }, { unchecked: true, given: true })
    assert.equal(made.id, 500)
    const { id, createdAt, updatedAt, createdBy } = (await first(500, ['createdBy'])) ?? {}
    assert.deepEqual({ id, createdAt, updatedAt }, { id: 500, ...times })
    const { firstname, password } = createdBy as Record<string, unknown>
    assert.deepEqual([firstname, password], ['Ada', null])
    await accounts.update(500, { updatedAt: times.createdAt, id: 501 }, { unchecked: true, given: true })
    assert.deepEqual((await first(500))?.updatedAt, times.createdAt)
    await accounts.update(500, { createdAt: times.updatedAt, name: 'Later' }, { unchecked: true })
    const later = await first(500)
    assert.deepEqual([later?.createdAt, later?.name], [times.createdAt, 'Later'])
    assert.ok(String(later?.updatedAt) > '2020')
    assert.equal((await accounts.create({ name: 'Next' }, { unchecked: true })).id, 501)
    await assert.rejects(accounts.create({ id: 'x' }, { unchecked: true, given: true }), /id must be a whole number/)
    await assert.rejects(accounts.create({ id: 500 }, { unchecked: true, given: true }))
  })

  it('show what is hidden, at every level, where code reads everything', async () => {
    const known = await accounts.create({ name: 'Bob', mail: 'b@x.org', word: 'w' }, { unchecked: true })
    const keys = [{ label: 'l', word: 'k' }]
    const data = { name: 'Cat', friend: known.id, keys, anything: { id: known.id, __type: uid } }
    const made = await accounts.create(data, {
      unchecked: true,
      read: { populate: { friend: { fields: ['mail'] }, keys: true, anything: true }, everything: true },
    })
    assert.deepEqual(made.friend, { id: known.id, mail: 'b@x.org' })
    const [key] = made.keys as Record<string, unknown>[]
    assert.deepEqual([key?.label, key?.word], ['l', 'k'])
    const anything = made.anything as Record<string, unknown>
    assert.deepEqual([anything.mail, anything.word], ['b@x.org', 'w'])
    const deep = await accounts.first({
      ...{ everything: true, where: { id: made.id }, sort: ['mail:desc', 'friend.mail'] },
      populate: { friend: { populate: ['friend'] } },
    })
    assert.equal((deep?.friend as Record<string, unknown> | undefined)?.word, 'w')
    assert.deepEqual(Object.keys((await accounts.first({ everything: true, fields: ['mail'] })) ?? {}), ['id', 'mail'])
    const usual = await accounts.first({ where: { id: made.id }, populate: ['keys'] })
    assert.ok(usual && !('mail' in usual) && !('word' in usual))
    assert.deepEqual(Object.keys((usual.keys as object[])[0] ?? {}), ['id'])
    await assert.rejects(accounts.first({ populate: ['friend'] }), /no attribute "friend"/)
  })

  it('of requests know nothing of all this', async () => {
    const payload = { data: { unchecked: true, given: true, id: 900, createdAt: '2001-01-01', name: 'x' } }
    const refused = await app.inject({ method: 'POST', url: '/api/accounts', payload })
    assert.equal(refused.statusCode, 400)
    assert.equal((await app.inject('/api/accounts?everything=true')).statusCode, 400)
  })

  it('take the caller by its name', async () => {
    const caller: Caller = { scope: 'me', can: () => true }
    assert.throws(
      () => accounts.delete(1, caller as never),
      /a write of code takes \{ caller \}, and was given a caller/,
    )
    assert.equal((await accounts.delete(1, { caller })).id, 1)
  })
})
