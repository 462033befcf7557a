import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Api, contract } from '../../support/contract.js'
import { as, asUser, fieldError, login, mailbox, outside, plainError, tokenOf, world } from './people.js'

const said = (message: string) => plainError(400, 'ValidationError', message)

contract('POST /auth/change-password', world({ accounts: { alice: {}, bob: {}, carol: {} } }), api => {
  const change = (currentPassword: string, password: string, passwordConfirmation = password, headers = asUser(1)) =>
    api.send('POST', '/auth/change-password', { currentPassword, password, passwordConfirmation }, headers)

  it('ends tokens that are ahead of a clock that was set back, and gives one that counts', async () => {
    const ahead = as(tokenOf(3, { iat: Math.floor(Date.now() / 1000) + 3600 }))
    assert.equal((await api.get('/users/me', ahead)).status, 200)
    const { status, body } = await change('carol-pass-1', 'carol-pass-2', 'carol-pass-2', ahead)
    assert.equal(status, 200)
    assert.equal((await api.get('/users/me', ahead)).status, 401)
    assert.equal((await api.get('/users/me', as(body.jwt))).status, 200)
    assert.equal((await api.get('/users/me', as((await login(api, 'carol', 'carol-pass-2')).body.jwt))).status, 200)
  })

  const refusals: [string, [string, string, string?], unknown][] = [
    ['a wrong current password', ['wrong', 'new-pass-1'], said('The provided current password is invalid')],
    [
      'a confirmation that differs',
      ['alice-pass-1', 'new-pass-1', 'nope'],
      fieldError('passwordConfirmation', 'Passwords do not match'),
    ],
    [
      'the same password',
      ['alice-pass-1', 'alice-pass-1'],
      said('Your new password must be different than your current password'),
    ],
    ['a short one', ['alice-pass-1', 'x'], fieldError('password', 'password must be at least 6 characters')],
  ]
  for (const [says, fields, expected] of refusals)
    it(`refuses ${says}`, async () => {
      const { status, body } = await change(...fields)
      assert.equal(status, 400)
      assert.deepEqual(body, expected)
    })

  it('names what is missing in the order of Strapi 4', async () => {
    const { body } = await api.send('POST', '/auth/change-password', {}, asUser(1))
    assert.deepEqual(
      body.error.details.errors.map(({ message }: { message: string }) => message),
      ['passwordConfirmation', 'password', 'currentPassword'].map(name => `${name} is required`),
    )
  })

  it('is for no one without an account', async () => {
    const body = { currentPassword: 'alice-pass-1', password: 'new-pass-1', passwordConfirmation: 'new-pass-1' }
    assert.equal((await api.send('POST', '/auth/change-password', body)).status, 403)
  })

  it('changes the password, ends the older sessions, and gives a token that lives', async () => {
    const [before, others] = [tokenOf(1), tokenOf(2)]
    const { status, body } = await change('alice-pass-1', 'alice-pass-2', 'alice-pass-2', as(before))
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['jwt', 'user'])
    assert.equal(body.user.username, 'alice')
    assert.equal((await api.get('/users/me', as(before))).status, 401)
    assert.equal((await api.get('/users/me', as(body.jwt))).status, 200)
    assert.equal((await api.get('/users/me', as(others))).status, 200)
    assert.equal((await login(api, 'alice', 'alice-pass-1')).status, 400)
    const again = await login(api, 'alice', 'alice-pass-2')
    assert.equal((await api.get('/users/me', as(again.body.jwt))).status, 200)
  })

  it('ends the sessions of the change before, however soon it comes', async () => {
    let { body } = await login(api, 'bob')
    for (const [from, to] of [
      ['bob-pass-1', 'bob-pass-2'],
      ['bob-pass-2', 'bob-pass-3'],
    ] as const) {
      const former = as(body.jwt)
      const changed = await change(from, to, to, former)
      assert.equal(changed.status, 200, changed.text)
      body = changed.body
      assert.equal((await api.get('/users/me', former)).status, 401)
      assert.equal((await api.get('/users/me', as(body.jwt))).status, 200)
    }
  })
})

const mail = mailbox()
const resets = world({
  accounts: { alice: {}, bob: { blocked: true }, eve: {}, frank: {}, gina: {} },
  settings: {
    email: mail.email,
    advanced: { email_reset_password: 'https://front.example.test/reset' },
    letters: { reset_password: { object: 'A new password for <%= USER.username %>' } },
  },
})

contract('a forgotten password', resets, api => {
  const forgot = (email: unknown) => api.send('POST', '/auth/forgot-password', { email })
  const reset = (code: string, password = 'brand-new-1', passwordConfirmation = password) =>
    api.send('POST', '/auth/reset-password', { code, password, passwordConfirmation })
  /** A mail of this engine's own: the box is shared. */
  const codeFor = async (api: Api, name: string): Promise<string> => {
    const address = `${name}-${api.engine.name}@example.test`
    const { sql, bindings } = api.app.store
      .knex('up_users')
      .where({ username: name })
      .update({ email: address })
      .toSQL()
      .toNative()
    await api.app.store.transaction(async session => session.run(sql, bindings))
    const count = mail.read().filter(({ to }) => to === address).length
    assert.equal((await forgot(address)).status, 200)
    const { html, subject, text } = await mail.to(address, count + 1)
    assert.equal(subject, `A new password for ${name}`)
    assert.match(text, /https:\/\/front\.example\.test\/reset\?code=/)
    const [, code = ''] = /https:\/\/front\.example\.test\/reset\?code=([0-9a-f]{128})</.exec(html) ?? []
    assert.notEqual(code, '', html)
    return code
  }

  it('answers the same whether the account exists, is blocked, or does not', async () => {
    const before = mail.read().filter(({ to }) => to === 'alice@example.test').length
    for (const email of ['alice@example.test', 'bob@example.test', 'nobody@example.test']) {
      const { status, body } = await forgot(email)
      assert.equal(status, 200)
      assert.deepEqual(body, { ok: true })
    }
    await mail.to('alice@example.test', before + 1)
    assert.deepEqual(
      mail.read().filter(({ to }) => to.startsWith('bob@') || to.startsWith('nobody@')),
      [],
    )
  })

  it('refuses what is no address', async () => {
    assert.deepEqual((await forgot('bad')).body, fieldError('email', 'email must be a valid email'))
    assert.deepEqual((await forgot(undefined)).body, fieldError('email', 'email is required'))
    assert.equal((await forgot({ $ne: null })).status, 400)
  })

  it('is set anew with the code of the mail, once, and ends the sessions', async () => {
    const code = await codeFor(api, 'eve')
    const before = tokenOf(3)
    assert.equal((await api.get('/users/me', as(before))).status, 200)
    assert.deepEqual((await reset(code, 'abcdef', 'abcdeg')).body, said('Passwords do not match'))
    assert.deepEqual(
      (await reset(code, 'short')).body,
      fieldError('password', 'password must be at least 6 characters'),
    )
    const { status, body } = await reset(code)
    assert.equal(status, 200)
    assert.equal(body.user.username, 'eve')
    assert.equal((await api.get('/users/me', as(before))).status, 401)
    assert.equal((await api.get('/users/me', as(body.jwt))).status, 200)
    assert.equal((await login(api, 'eve', 'brand-new-1')).status, 200)
    assert.equal((await login(api, 'eve', 'eve-pass-1')).status, 400)
    assert.deepEqual((await reset(code)).body, said('Incorrect code provided'))
  })

  it('is set by one of two who use the code at once', async () => {
    const code = await codeFor(api, 'frank')
    const tries = await Promise.all(['first-one', 'second-one', 'third-one'].map(password => reset(code, password)))
    assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 400, 400])
  })

  it('the database does not hold the code, and what it holds is no code', async () => {
    const code = await codeFor(api, 'gina')
    const [row] = await outside(api.app, "select reset_password_token as token from up_users where username = 'gina'")
    const token = String(row?.token)
    assert.ok(!token.includes(code))
    assert.deepEqual((await reset(token)).body, said('Incorrect code provided'))
    assert.equal((await reset(code)).status, 200)
  })

  for (const [says, code] of [
    ['a wrong code', 'wrong'],
    ['a code of nobody', 'f'.repeat(128)],
    ['an empty prefix of a stored one', 'sha256$'],
  ] as const)
    it(`refuses ${says}`, async () => {
      const { status, body } = await reset(code)
      assert.equal(status, 400)
      assert.deepEqual(body, said('Incorrect code provided'))
    })

  it('refuses an object for a code', async () => {
    const body = { code: { $ne: null }, password: 'abcdef', passwordConfirmation: 'abcdef' }
    const answer = await api.send('POST', '/auth/reset-password', body)
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, /^code must be a string$/)
  })
})

contract('a code of Strapi 4 in the database', world({ accounts: { alice: {} } }), api => {
  it('is refused: it never expires and is stored as it is', async () => {
    await storeToken(api, 'a-token-of-strapi')
    assert.equal((await useToken(api, 'a-token-of-strapi')).status, 400)
  })
})

contract('a code of Strapi 4 in its dialect', world({ accounts: { alice: {} }, rest: { dialect: 'strapi4' } }), api => {
  it('is good for one use', async () => {
    await storeToken(api, 'a-token-of-strapi')
    assert.equal((await useToken(api, 'a-token-of-strapi')).status, 200)
    assert.equal((await useToken(api, 'a-token-of-strapi')).status, 400)
  })
})

const storeToken = (api: Api, token: string) =>
  outside(api.app, `update up_users set reset_password_token = '${token}' where id = 1`)

const useToken = (api: Api, code: string) =>
  api.send('POST', '/auth/reset-password', { code, password: 'abcdef', passwordConfirmation: 'abcdef' })

contract(
  'mail in production without a provider',
  world({ accounts: { alice: {} }, config: { environment: 'production' } }),
  api => {
    it('is refused for every address alike, in words that tell nothing of the settings', async () => {
      for (const email of ['alice@example.test', 'nobody@example.test']) {
        const { status, body } = await api.send('POST', '/auth/forgot-password', { email })
        assert.equal(status, 503)
        assert.equal(body.error.message, 'Mail cannot be sent: this server has no mail provider')
      }
    })
  },
)
