import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { it, vi } from 'vitest'
import { type Api, contract, start } from '../../support/contract.js'
import { engines } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { passTime } from '../../support/time.js'
import {
  account,
  administration,
  as,
  asUser,
  login,
  outside,
  plainError,
  secret,
  tokenOf,
  userUid,
  world,
} from './people.js'

const types = { article: { attributes: { title: { type: 'string' } } } }
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)

const people = {
  types,
  roles: {
    public: ['api::article.article.find'],
    authenticated: ['api::article.article.find', 'api::article.article.findOne'],
    editor: [...administration, 'api::article.article.find'],
    nothing: [],
  },
  accounts: { alice: {}, bob: { blocked: true }, eddie: { role: 'editor' }, norman: { role: 'nothing' } },
  rows: (app: Api['app']) => app.entries('api::article.article').create({ title: 'one' }),
}

contract('credentials', world(people), api => {
  const good = tokenOf(1)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [head, claims, signature] = good.split('.') as [string, string, string]
  const bad: [string, string][] = [
    ['an expired token', jwt.sign({ id: 1, exp: now() - 1 }, secret)],
    ['a token whose claims were changed', [head, part({ id: 3, iat: now() }), signature].join('.')],
    [
      'a token whose signature was changed',
      [head, claims, signature.replace(/^./, c => (c === 'A' ? 'B' : 'A'))].join('.'),
    ],
    ['a token without a signature', [head, claims, ''].join('.')],
    ['alg none', [part({ alg: 'none', typ: 'JWT' }), part({ id: 1, iat: now() }), ''].join('.')],
    ['alg None', [part({ alg: 'None', typ: 'JWT' }), part({ id: 1, iat: now() }), ''].join('.')],
    ['a token of another secret', jwt.sign({ id: 1 }, 'another secret')],
    ['a token of an empty secret', jwt.sign({ id: 1 }, ' ')],
    ['HS512 with the right secret', jwt.sign({ id: 1 }, secret, { algorithm: 'HS512' })],
    ['RS256 of a foreign key', jwt.sign({ id: 1 }, privateKey, { algorithm: 'RS256' })],
    ['a token that is not valid yet', jwt.sign({ id: 1, nbf: now() + 600 }, secret)],
    ['a token without an id', jwt.sign({ sub: '1' }, secret)],
    ['an id that is text', jwt.sign({ id: '1' }, secret)],
    ['an id that is an object', jwt.sign({ id: { $gt: 0 } }, secret)],
    ['an id that is a list', jwt.sign({ id: [1] }, secret)],
    ['an id that is true', jwt.sign({ id: true }, secret)],
    ['an id of zero', jwt.sign({ id: 0 }, secret)],
    ['a broken id', jwt.sign({ id: 1.5 }, secret)],
    ['a token of text', jwt.sign('1', secret)],
    ['a word', 'garbage'],
    ['dots', '..'],
    ['more parts', `${good}.more`],
  ]
  for (const [says, token] of bad)
    it(`refuses ${says}, also where visitors may go`, async () => {
      for (const path of ['/users/me', '/articles']) {
        const { status, body } = await api.get(path, as(token))
        assert.equal(status, 401)
        assert.deepEqual(body, plainError(401, 'UnauthorizedError', 'Missing or invalid credentials'))
      }
    })

  it('refuses an id beyond every row', async () => {
    for (const id of [2 ** 31, Number.MAX_SAFE_INTEGER])
      assert.equal((await api.get('/users/me', as(jwt.sign({ id }, secret)))).status, 401)
  })

  for (const id of [2, 4711])
    it(`refuses ${id === 2 ? 'a blocked account' : 'an account that is gone'} on every route`, async () => {
      for (const path of ['/users/me', '/articles', '/articles/1', '/users']) {
        const { status, body } = await api.get(path, asUser(id))
        assert.equal(status, 401)
        assert.deepEqual(body, plainError(401, 'UnauthorizedError', 'Invalid credentials'))
      }
      assert.equal((await api.get('/nosuch', asUser(id))).status, 404)
    })

  for (const header of [`Bearer ${good}`, `bearer ${good}`, `BEARER ${good}`, `Bearer   ${good}`])
    it(`takes the scheme in any case: ${header.slice(0, 10)}`, async () => {
      assert.equal((await api.get('/users/me', { authorization: header })).status, 200)
    })

  for (const header of ['', 'Bearer', 'Basic YTpi', good, `Bearer ${good} more`, `Token ${good}`])
    it(`takes anything else for a visitor: "${header.slice(0, 10)}"`, async () => {
      assert.equal((await api.get('/articles', { authorization: header })).status, 200)
      assert.equal((await api.get('/users/me', { authorization: header })).status, 403)
    })

  it('a token expires at its second, however often it was used before', async () => {
    const ends = now() + 600
    const token = jwt.sign({ id: 1, exp: ends }, secret)
    const status = async () => (await api.get('/users/me', as(token))).status
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for (const [second, expected] of [
        [ends - 1, 200],
        [ends, 401],
      ] as const) {
        vi.setSystemTime(second * 1000)
        assert.equal(await status(), expected)
      }
    } finally {
      vi.useRealTimers()
    }
  })

  it('an account has its own role only, not also that of visitors', async () => {
    assert.equal((await api.get('/articles')).status, 200)
    assert.equal((await api.get('/articles', asUser(4))).status, 403)
    assert.equal((await api.get('/articles/1')).status, 403)
    assert.equal((await api.get('/articles/1', asUser(1))).status, 200)
  })

  it('what is forbidden is so whether or not it exists', async () => {
    for (const id of [1, 999]) assert.equal((await api.get(`/articles/${id}`, asUser(4))).status, 403)
  })

  it('a request with a token reads nothing but its entry while the account is known', async () => {
    const costs = async (path: string) => (await api.get(path, asUser(1))).statements
    // The account's second may end in between: of some requests in a row, most find the account cached.
    const all: (readonly string[])[] = []
    for (let index = 0; index < 20; index += 1)
      all.push(await costs(`/articles/1?fields[0]=${index % 2 ? 'title' : 'id'}`))
    const dear = all.filter(statements => statements.some(sql => /up_users|up_roles|up_permissions|stele_/.test(sql)))
    assert.ok(dear.length <= 2, dear.join('\n'))
    // At most: two for the roles, three for the account, its stamp and its role, and the entry.
    assert.ok(
      all.every(statements => statements.length <= 6),
      all.map(statements => statements.length).join(),
    )
  })

  it('costs one reading, however many requests come at once with it', async () => {
    const id = await account(api.app, 'crowd')
    const before = await api.get('/articles', asUser(1))
    assert.equal(before.status, 200)
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.get('/users/me', asUser(id))))
    assert.ok(answers.every(({ status }) => status === 200))
    const readings = (answers[0]?.statements ?? []).filter(sql => /stele_user_stamps/.test(sql))
    assert.ok(readings.length <= 2, readings.join('\n'))
  })
})

contract('ending sessions', world({ ...people, accounts: { ...people.accounts, carla: {}, dora: {} } }), api => {
  const admin = asUser(3)
  const me = (headers: Record<string, string>) => api.get('/users/me', headers)

  it('blocking an account ends them at once, and for good', async () => {
    const id = await account(api.app, 'blocked')
    const before = asUser(id)
    assert.equal((await me(before)).status, 200)
    assert.equal((await api.send('PUT', `/users/${id}`, { blocked: true }, admin)).status, 200)
    assert.equal((await me(before)).status, 401)
    await api.send('PUT', `/users/${id}`, { blocked: false }, admin)
    assert.equal((await me(before)).status, 401)
    assert.equal((await me(as((await login(api, 'blocked')).body.jwt))).status, 200)
  })

  it('deleting an account ends them at once', async () => {
    const id = await account(api.app, 'deleted')
    const before = asUser(id)
    assert.equal((await me(before)).status, 200)
    assert.equal((await api.send('DELETE', `/users/${id}`, undefined, admin)).status, 200)
    assert.equal((await me(before)).status, 401)
  })

  it('so does a new password that an administrator sets', async () => {
    const id = await account(api.app, 'renewed')
    const before = asUser(id)
    assert.equal((await me(before)).status, 200)
    assert.equal((await api.send('PUT', `/users/${id}`, { password: 'other-pass-1' }, admin)).status, 200)
    assert.equal((await me(before)).status, 401)
  })

  it('any other change ends none', async () => {
    const id = await account(api.app, 'renamed')
    const before = asUser(id)
    assert.equal((await api.send('PUT', `/users/${id}`, { username: 'renamed2' }, admin)).status, 200)
    assert.equal((await me(before)).body.username, 'renamed2')
  })

  it('another role holds for the next request', async () => {
    const id = await account(api.app, 'promoted', { role: 'nothing' })
    assert.equal((await api.get('/articles', asUser(id))).status, 403)
    const role = await api.app.entries('plugin::users-permissions.role').first({ where: { type: { $eq: 'editor' } } })
    await api.send('PUT', `/users/${id}`, { role: role?.id }, admin)
    assert.equal((await api.get('/articles', asUser(id))).status, 200)
  })
})

onEveryEngine('another instance of the app', engine => {
  it('knows within a second that an account is blocked, has another role, or a role other rights', async () => {
    const first = await start(engine, world(people))
    const second = await start(
      {
        ...engine,
        fresh: async () => ({ database: first.app.config.database as never, env: {}, drop: async () => {} }),
      },
      world({ types }),
    )
    try {
      const [alice, norman] = [asUser(1), asUser(4)]
      assert.equal((await second.get('/articles', alice)).status, 200)
      assert.equal((await second.get('/articles', norman)).status, 403)
      await first.send('PUT', '/users/1', { blocked: true }, asUser(3))
      await passTime(1000)
      assert.equal((await second.get('/articles', alice)).status, 401)
      const { id } = (await first.app.entries('plugin::users-permissions.role').first({
        where: { type: { $eq: 'nothing' } },
      })) as { id: number }
      const permissions = { 'api::article': { controllers: { article: { find: { enabled: true } } } } }
      const changed = await first.send('PUT', `/users-permissions/roles/${id}`, { permissions }, asUser(3))
      assert.equal(changed.status, 200, changed.text)
      assert.equal((await first.get('/articles', norman)).status, 200)
      await passTime(1000)
      assert.equal((await second.get('/articles', norman)).status, 200)
    } finally {
      await second.close()
      await first.close()
    }
  })

  it('or that someone else has changed the database', async () => {
    const api = await start(engine, world(people))
    try {
      assert.equal((await api.get('/articles', asUser(1))).status, 200)
      const blocks = api.app.store.knex(api.app.types.get(userUid).table).where({ id: 1 }).update({ blocked: true })
      await outside(api.app, blocks.toString())
      await passTime(1000)
      assert.equal((await api.get('/articles', asUser(1))).status, 401)
    } finally {
      await api.close()
    }
  })
})

it('runs on at least one engine', () => assert.ok(engines.some(({ available }) => available)))
