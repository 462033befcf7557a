import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract } from '../../support/contract.js'
import { fieldError, login, outside, plainError, userUid, world } from './people.js'

const taken = plainError(400, 'ApplicationError', 'Email or Username are already taken')
const newcomer = (name: string, more: object = {}) => ({
  ...{ username: name, email: `${name}@example.test`, password: 'secret-1' },
  ...more,
})

contract('POST /auth/local/register', world({ accounts: { alice: {}, bob: { provider: 'github' } } }), api => {
  const register = (body: unknown) => api.send('POST', '/auth/local/register', body)
  const stored = async (name: string) => {
    const where = { username: { $eq: name } }
    const found = await api.app.entries(userUid).first({ where, populate: { role: true } })
    return found as Record<string, unknown> & { role: { type: string } }
  }

  it('makes an account with the default role, and lets it in', async () => {
    const { status, body } = await register(newcomer('newu', { email: 'NewU@Example.Test' }))
    assert.equal(status, 200)
    const { createdAt: _, updatedAt: __, id: ___, ...user } = body.user
    assert.deepEqual(user, {
      ...{ username: 'newu', email: 'newu@example.test', provider: 'local', confirmed: true, blocked: false },
    })
    const me = await api.get('/users/me', { authorization: `Bearer ${body.jwt}` })
    assert.equal(me.body.id, body.user.id)
    assert.equal((await stored('newu')).role.type, 'authenticated')
    assert.equal((await login(api, 'newu@example.test', 'secret-1')).status, 200)
  })

  it('ignores everything but name, address and password', async () => {
    const { status } = await register(
      newcomer('greedy', {
        ...{
          id: 4711,
          role: 2,
          confirmed: false,
          blocked: true,
          provider: 'github',
          createdAt: '2020-01-01',
          nosuch: 1,
        },
        ...{ resetPasswordToken: 'mine', confirmationToken: 'mine', createdBy: 1, updatedBy: 1 },
      }),
    )
    assert.equal(status, 200)
    const made = await stored('greedy')
    assert.ok(Number(made.id) < 100)
    assert.equal(made.role.type, 'authenticated')
    assert.deepEqual([made.confirmed, made.blocked, made.provider], [true, false, 'local'])
    assert.ok(String(made.createdAt) > '2024')
    const { sql, bindings } = api.app.store
      .knex('up_users')
      .select('reset_password_token', 'confirmation_token', 'created_by_id')
      .where({ username: 'greedy' })
      .toSQL()
      .toNative()
    assert.deepEqual(
      (await api.app.store.reader.all(sql, bindings)).map(row => [...row]),
      [[null, null, null]],
    )
  })

  const refusals: [string, object, unknown][] = [
    ['a name that is taken', newcomer('alice', { email: 'other@example.test' }), taken],
    ['an address that is taken', newcomer('alice2', { email: 'ALICE@example.test' }), taken],
    ['an address that is taken by another provider', newcomer('bob2', { email: 'bob@example.test' }), taken],
    ["somebody else's address as a name", newcomer('x', { username: 'alice@example.test' }), taken],
    ["somebody else's address in capitals as a name", newcomer('x', { username: 'Alice@Example.Test' }), taken],
    ['a short name', newcomer('ab'), fieldError('username', 'username must be at least 3 characters')],
    ['a wrong address', newcomer('carl', { email: 'bad' }), fieldError('email', 'email must be a valid email')],
    [
      'a short password',
      newcomer('carl', { password: 'short' }),
      fieldError('password', 'password must be at least 6 characters'),
    ],
    [
      'a list for an address',
      newcomer('carl', { email: ['carl@example.test'] }),
      fieldError('email', 'email must be a string'),
    ],
  ]
  for (const [says, body, expected] of refusals)
    it(`refuses ${says}`, async () => {
      const answer = await register(body)
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, expected)
    })

  it('names what is missing in the order of Strapi 4', async () => {
    const { body } = await register({})
    assert.deepEqual(
      body.error.details.errors.map(({ path: [name] }: { path: string[] }) => name),
      ['email', 'username', 'password'],
    )
  })

  it('gives an address to one of two who ask for it at once', async () => {
    const twins = await Promise.all(
      ['left', 'right', 'third'].map(name => register(newcomer(name, { email: 'twin@example.test' }))),
    )
    assert.deepEqual(twins.map(({ status }) => status).sort(), [200, 400, 400])
    for (const { status, body } of twins) if (status === 400) assert.deepEqual(body, taken)
    const rows = await outside(api.app, "select id from up_users where email = 'twin@example.test'")
    assert.equal(rows.length, 1)
  })

  it('gives a name to one of two who ask for it at once', async () => {
    const twins = await Promise.all(
      ['a', 'b', 'c'].map(name => register(newcomer('samename', { email: `${name}-same@example.test` }))),
    )
    assert.deepEqual(twins.map(({ status }) => status).sort(), [200, 400, 400])
  })
})

contract(
  'registering as the settings say',
  world({
    settings: { advanced: { allow_register: false } },
  }),
  api => {
    it('is refused where it is switched off', async () => {
      const { status, body } = await api.send('POST', '/auth/local/register', newcomer('newu'))
      assert.equal(status, 400)
      assert.deepEqual(body, plainError(400, 'ApplicationError', 'Register action is currently disabled'))
    })
  },
)

contract(
  'other settings of registration',
  world({
    roles: { reader: ['plugin::users-permissions.user.me'] },
    settings: { advanced: { unique_email: false, default_role: 'reader' } },
    accounts: { grete: { provider: 'google', email: 'shared@example.test', role: 'reader' } },
  }),
  api => {
    it('choose the role of newcomers', async () => {
      const { body } = await api.send('POST', '/auth/local/register', newcomer('newu'))
      const user = await api.app
        .entries(userUid)
        .first({ where: { id: { $eq: body.user.id } }, populate: { role: true } })
      assert.equal((user as { role: { type: string } }).role.type, 'reader')
    })

    it('let an address belong to accounts of several providers', async () => {
      const first = await api.send('POST', '/auth/local/register', newcomer('one', { email: 'shared@example.test' }))
      assert.equal(first.status, 200, first.text)
      const second = await api.send('POST', '/auth/local/register', newcomer('two', { email: 'shared@example.test' }))
      assert.deepEqual(second.body, taken)
    })
  },
)

contract('a default role that does not exist', world({ settings: { advanced: { default_role: 'gone' } } }), api => {
  it('is a clear refusal', async () => {
    const { status, body } = await api.send('POST', '/auth/local/register', newcomer('newu'))
    assert.equal(status, 400)
    assert.equal(body.error.message, 'Impossible to find the default role')
  })
})
