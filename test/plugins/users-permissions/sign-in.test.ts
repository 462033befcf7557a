import assert from 'node:assert/strict'
import { describe, it, onTestFinished, vi } from 'vitest'
import { contract } from '../../support/contract.js'
import { asUser, eventually, fieldError, login, outside, plainError, userUid, world } from './people.js'

const wrong = plainError(400, 'ValidationError', 'Invalid identifier or password')

contract(
  'POST /auth/local',
  world({
    accounts: {
      alice: {},
      bob: { blocked: true },
      carl: { confirmed: false },
      // The address of another account as a name: a sign-in with it means the address.
      'alice@example.test': { email: 'mallory@example.test', password: 'mallory-pass' },
      grete: { provider: 'google' },
      nopass: { password: null },
    },
  }),
  api => {
    for (const identifier of ['alice', 'alice@example.test', 'ALICE@Example.Test'])
      it(`lets in by name or address: ${identifier}`, async () => {
        const { status, body } = await login(api, identifier, 'alice-pass-1')
        assert.equal(status, 200)
        assert.deepEqual(Object.keys(body), ['jwt', 'user'])
        const { createdAt, updatedAt, ...user } = body.user
        assert.deepEqual(user, {
          ...{ id: 1, username: 'alice', email: 'alice@example.test' },
          ...{ provider: 'local', confirmed: true, blocked: false },
        })
        assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/)
        assert.equal(updatedAt, createdAt)
        const me = await api.get('/users/me', { authorization: `Bearer ${body.jwt}` })
        assert.equal(me.body.username, 'alice')
      })

    it('gives a token with the claims of Strapi 4, good for thirty days', async () => {
      const { body } = await login(api, 'alice')
      const [head, claims] = body.jwt.split('.').map((part: string) => Buffer.from(part, 'base64url').toString())
      assert.deepEqual(JSON.parse(head), { alg: 'HS256', typ: 'JWT' })
      const { id, iat, exp, ...more } = JSON.parse(claims)
      assert.deepEqual({ id, more }, { id: 1, more: {} })
      assert.equal(exp - iat, 30 * 24 * 3600)
      assert.ok(Math.abs(iat - Date.now() / 1000) < 10)
    })

    it('takes a form as well', async () => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const { status } = await api.send('POST', '/auth/local', 'identifier=alice&password=alice-pass-1', type)
      assert.equal(status, 200)
    })

    const refusals: [string, unknown, unknown][] = [
      ['a wrong password', { identifier: 'alice', password: 'wrong' }, wrong],
      ['an unknown account', { identifier: 'nobody', password: 'wrong' }, wrong],
      ['an account of another provider', { identifier: 'grete', password: 'grete-pass-1' }, wrong],
      ['an account without a password', { identifier: 'nopass', password: 'nopass-pass-1' }, wrong],
      ['a password that only begins right', { identifier: 'alice', password: 'alice-pass-1\0more' }, wrong],
      [
        'a blocked account',
        { identifier: 'bob', password: 'bob-pass-1' },
        plainError(400, 'ApplicationError', 'Your account has been blocked by an administrator'),
      ],
      ['a missing password', { identifier: 'alice' }, fieldError('password', 'password is required')],
      ['an empty name', { identifier: '', password: 'x' }, fieldError('identifier', 'identifier is required')],
      [
        'a number for a name',
        { identifier: 1, password: 'x' },
        fieldError('identifier', 'identifier must be a string'),
      ],
      [
        'an object for a password',
        { identifier: 'alice', password: { $ne: null } },
        fieldError('password', 'password must be a string'),
      ],
    ]
    for (const [says, body, expected] of refusals)
      it(`refuses ${says}`, async () => {
        const answer = await api.send('POST', '/auth/local', body)
        assert.equal(answer.status, 400)
        assert.deepEqual(answer.body, expected)
      })

    it('names everything that is missing, whatever the body is', async () => {
      for (const body of [{}, [], { data: { identifier: 'alice' } }]) {
        const { status, body: answer } = await api.send('POST', '/auth/local', body)
        assert.equal(status, 400)
        assert.equal(answer.error.message, '2 errors occurred')
        assert.deepEqual(
          answer.error.details.errors.map(({ message }: { message: string }) => message),
          ['identifier is required', 'password is required'],
        )
      }
    })

    it('is not open to someone who is signed in', async () => {
      const body = { identifier: 'alice', password: 'alice-pass-1' }
      const { status } = await api.send('POST', '/auth/local', body, asUser(1))
      assert.equal(status, 403)
    })

    it('asks for a confirmed address only where the settings say so', async () => {
      assert.equal((await login(api, 'carl')).status, 200)
    })

    it('takes the hashes that Strapi 4 has stored', async () => {
      const hash = '$2a$10$NRc6hRIOuMh7LvxyeaOLqu5bojZBLxiZrOtjPltnRzdu4cHpcTMFK'
      await api.app.entries(userUid).create({ username: 'former', email: 'former@example.test', provider: 'local' })
      const { sql, bindings } = api.app.store
        .knex('up_users')
        .where({ username: 'former' })
        .update({ password: hash })
        .toSQL()
        .toNative()
      await api.app.store.transaction(async session => session.run(sql, bindings))
      assert.equal((await login(api, 'former', 'alice-pass-1')).status, 200)
      assert.equal((await login(api, 'former', 'alice-pass-2')).status, 400)
    })

    it('stores passwords as bcrypt hashes', async () => {
      const { sql, bindings } = api.app.store.knex('up_users').select('password').where({ id: 1 }).toSQL().toNative()
      const [[hash] = []] = await api.app.store.reader.all(sql, bindings)
      assert.match(String(hash), /^\$2[ab]\$10\$[./A-Za-z0-9]{53}$/)
    })
  },
)

contract('passwords over 72 bytes', world({ accounts: { alice: { password: 'x'.repeat(72) } } }), api => {
  it('do not sign in, whatever their first 72 bytes are', async () => {
    assert.equal((await login(api, 'alice', 'x'.repeat(72))).status, 200)
    assert.deepEqual((await login(api, 'alice', 'x'.repeat(73))).body, wrong)
    assert.deepEqual((await login(api, 'alice', `${'x'.repeat(72)}y`)).body, wrong)
  })

  it('are no new passwords either, counted in bytes', async () => {
    const people = { username: 'greta', email: 'greta@example.test' }
    for (const password of ['y'.repeat(73), 'ü'.repeat(37), 'null\0byte']) {
      const { status, body } = await api.send('POST', '/auth/local/register', { ...people, password })
      assert.equal(status, 400, JSON.stringify(body))
      assert.deepEqual(body.error.details.errors[0].path, ['password'])
    }
    const fits = await api.send('POST', '/auth/local/register', { ...people, password: 'ü'.repeat(36) })
    assert.equal(fits.status, 200)
  })
})

contract(
  'whether an account exists',
  world({ accounts: { alice: {}, bob: { blocked: true }, grete: { provider: 'google' }, nopass: { password: null } } }),
  api => {
    it('cannot be told by the time: every refusal compares one password with one hash of the same cost', async () => {
      const { default: bcrypt } = await import('@node-rs/bcrypt')
      const compare = vi.spyOn(bcrypt, 'verify')
      onTestFinished(() => compare.mockRestore())
      for (const [name, password] of [
        ['alice', 'wrong'],
        ['alice', 'x'.repeat(100)],
        ['bob', 'wrong'],
        ['nobody', 'wrong'],
        ['nobody@example.test', 'x'.repeat(100)],
        ['grete', 'grete-pass-1'],
        ['nopass', 'wrong'],
      ] as const) {
        compare.mockClear()
        const { body } = await login(api, name, password)
        assert.deepEqual(body, wrong)
        assert.equal(compare.mock.calls.length, 1, name)
        assert.match(String(compare.mock.calls[0]?.[1]), /^\$2[ab]\$10\$[./A-Za-z0-9]{53}$/)
      }
    })
  },
)

describe('unconfirmed accounts', () => {
  contract(
    'where addresses must be confirmed',
    world({
      accounts: { alice: {}, carl: { confirmed: false } },
      rows: app =>
        outside(
          app,
          app.store
            .knex('strapi_core_store_settings')
            .insert({
              key: 'plugin_users-permissions_advanced',
              value: JSON.stringify({ email_confirmation: true }),
              type: 'object',
            })
            .toString(),
        ),
    }),
    api => {
      it('do not sign in', async () => {
        const { status, body } = await login(api, 'carl')
        assert.equal(status, 400)
        assert.equal(body.error.message, 'Your account email is not confirmed')
      })

      it('are out with the tokens they have', async () => {
        assert.equal((await api.get('/users/me', asUser(1))).status, 200)
        const { body } = await eventually(async () => {
          const answer = await api.get('/users/me', asUser(2))
          return answer.status === 401 ? answer : undefined
        })
        assert.equal(body.error.message, 'Invalid credentials')
      })
    },
  )
})
