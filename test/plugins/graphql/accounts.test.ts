import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { graphql } from '../../../plugins/graphql/index.js'
import { makeCode } from '../../../plugins/users-permissions/codes.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { type Api, contract, contractOnce } from '../../support/contract.js'
import {
  as,
  asUser,
  outside,
  type People,
  roleUid,
  secret,
  tokenOf,
  userUid,
  world,
} from '../users-permissions/people.js'
import { asking } from './asking.js'

const graphWorld = (people: People) => {
  const { plugins = [], ...rest } = world(people)
  return { ...rest, plugins: [...plugins, graphql] }
}
const codesOf = ({ errors }: { readonly errors: readonly (readonly [string, string])[] }) =>
  errors.map(([code]) => code)

contract('accounts in GraphQL', graphWorld({ accounts: { alice: {}, bob: { blocked: true } } }), api => {
  const ask = asking(api)

  describe('me', () => {
    const query = '{ me { id username email confirmed blocked role { type } } }'
    it('is the account of the caller, with its role', async () => {
      const { data } = await asking(api, asUser(1))(query)
      const me = { id: '1', username: 'alice', email: 'alice@example.test', confirmed: true, blocked: false }
      assert.deepEqual(data.me, { ...me, role: { type: 'authenticated' } })
    })
    it('is refused to visitors', async () => {
      const answer = await ask(query)
      assert.deepEqual([answer.status, answer.data, codesOf(answer)], [200, { me: null }, ['FORBIDDEN']])
    })
  })

  it('are signed in, without a permission and with any token', async () => {
    const query =
      'mutation { login(input: { identifier: "alice", password: "alice-pass-1" }) { jwt user { username role { type } } } }'
    for (const headers of [{}, asUser(1)]) {
      const { data } = await asking(api, headers)(query)
      assert.deepEqual(data.login.user, { username: 'alice', role: null })
      assert.equal((await asking(api, as(data.login.jwt))('{ me { username } }')).data.me.username, 'alice')
    }
  })
  it('are not signed in with what is wrong', async () => {
    const login = (identifier: string, password: string, more = '') =>
      ask(`mutation { login(input: { identifier: "${identifier}", password: "${password}"${more} }) { jwt } }`)
    assert.deepEqual((await login('alice', 'wrong')).errors, [['BAD_USER_INPUT', 'Invalid identifier or password']])
    assert.equal((await login('alice', 'wrong')).data, null)
    assert.deepEqual(codesOf(await login('bob', 'bob-pass-1')), ['STRAPI_APPLICATION_ERROR'])
    assert.deepEqual(codesOf(await login('alice', 'alice-pass-1', ', provider: "github"')), [
      'STRAPI_APPLICATION_ERROR',
    ])
  })
  it('are registered', async () => {
    const query = (name: string, email: string) =>
      `mutation { register(input: { username: "${name}", email: "${email}", password: "a password" }) { jwt user { email } } }`
    const { data } = await ask(query('carol', 'Carol@example.test'))
    assert.deepEqual(data.register.user, { email: 'carol@example.test' })
    assert.equal(typeof data.register.jwt, 'string')
    assert.deepEqual((await ask(query('carol', 'c@example.test'))).errors, [
      ['STRAPI_APPLICATION_ERROR', 'Email or Username are already taken'],
    ])
  })
  it('change their password with the permission to do so', async () => {
    const headers = as(tokenOf(await accountOf(api, 'carol')))
    const change = (as: Readonly<Record<string, string>>, current: string, next: string, confirmation = next) =>
      asking(
        api,
        as,
      )(
        `mutation { changePassword(currentPassword: "${current}", password: "${next}", passwordConfirmation: "${confirmation}") { jwt user { username } } }`,
      )
    assert.deepEqual(codesOf(await change({}, 'a password', 'another one')), ['FORBIDDEN'])
    for (const [current, next, confirmation] of [
      ['wrong', 'another one'],
      ['a password', 'another one', 'a third'],
      ['a password', 'a password'],
    ] as const) {
      const answer = await change(headers, current, next, confirmation)
      assert.deepEqual([answer.data, codesOf(answer)], [{ changePassword: null }, ['BAD_USER_INPUT']])
    }
    const { data } = await change(headers, 'a password', 'another one')
    assert.equal(data.changePassword.user.username, 'carol')
    assert.equal((await asking(api, as(data.changePassword.jwt))('{ me { username } }')).data.me.username, 'carol')
  })
  it('confirm their address with a code', async () => {
    const id = await accountOf(api, 'carol')
    await api.app.entries(userUid).update(id, { confirmed: false })
    const { sent, stored } = makeCode(40, 3600)
    await outside(api.app, `update up_users set confirmation_token = '${stored}' where id = ${id}`)
    const confirm = (code: string) =>
      ask(`mutation { emailConfirmation(confirmation: "${code}") { jwt user { username confirmed } } }`)
    assert.deepEqual((await confirm('wrong')).errors, [['BAD_USER_INPUT', 'Invalid token']])
    const { data } = await confirm(sent)
    assert.deepEqual(data.emailConfirmation.user, { username: 'carol', confirmed: true })
    assert.equal((await asking(api, as(data.emailConfirmation.jwt))('{ me { username } }')).data.me.username, 'carol')
  })
  it('ask for a code, with a token and without', async () => {
    for (const email of ['alice@example.test', 'nobody@example.test']) {
      const { data } = await ask(`mutation { forgotPassword(email: "${email}") { ok } }`)
      assert.deepEqual(data, { forgotPassword: { ok: true } })
    }
    assert.deepEqual(codesOf(await ask('mutation { forgotPassword(email: "x") { ok } }')), ['BAD_USER_INPUT'])
    const wrong =
      'mutation { resetPassword(code: "x", password: "a password", passwordConfirmation: "a password") { jwt } }'
    assert.deepEqual((await ask(wrong)).errors, [['BAD_USER_INPUT', 'Incorrect code provided']])
  })
})

async function accountOf(api: Api, username: string): Promise<number> {
  const found = await api.app.entries(userUid).first({ where: { username: { $eq: username } } })
  return Number(found?.id)
}

const admin = [
  ...['find', 'findOne', 'create', 'update', 'destroy'].map(action => `${userUid}.${action}`),
  ...['find', 'findOne', 'createRole', 'updateRole', 'deleteRole'].map(action => `${roleUid}.${action}`),
]

contract(
  'accounts and roles by those who may',
  graphWorld({ roles: { admin }, accounts: { alice: {}, ann: { role: 'admin' } } }),
  api => {
    const visitor = asking(api)
    const ask = asking(api, asUser(2))
    const user = 'data { id attributes { username email provider role { data { attributes { type } } } } }'
    const create = (by: typeof ask, data: string) =>
      by(`mutation { createUsersPermissionsUser(data: { ${data} }) { ${user} } }`)

    it('accounts are made, changed and deleted', async () => {
      const { id: role } = (await api.app.entries(roleUid).first({ where: { type: { $eq: 'admin' } } })) ?? {}
      const made = await create(
        ask,
        `username: "made", email: "Made@example.test", password: "a password", role: ${role}, provider: "github"`,
      )
      const { id, attributes } = made.data.createUsersPermissionsUser.data
      const admin = { data: { attributes: { type: 'admin' } } }
      const email = 'made@example.test'
      assert.deepEqual(attributes, { username: 'made', email, provider: 'local', role: admin })
      const update = (id: unknown, data: string) =>
        ask(`mutation { updateUsersPermissionsUser(id: ${id}, data: { ${data} }) { ${user} } }`)
      const changed = await update(id, 'username: "changed", provider: "github"')
      assert.deepEqual(changed.data.updateUsersPermissionsUser.data.attributes, { ...attributes, username: 'changed' })
      const unknown = await update(999, 'username: "x"')
      assert.deepEqual([unknown.data, unknown.errors], [null, [['STRAPI_NOT_FOUND_ERROR', 'User not found']]])
      const remove = () =>
        ask(`mutation { deleteUsersPermissionsUser(id: ${id}) { data { id attributes { username } } } }`)
      assert.deepEqual((await remove()).data.deleteUsersPermissionsUser.data, {
        id,
        attributes: { username: 'changed' },
      })
      assert.deepEqual((await remove()).data.deleteUsersPermissionsUser, { data: null })
    })
    it('accounts are not made of what is wrong', async () => {
      for (const data of [
        'username: "x"',
        'username: "alice", email: "x@example.test", password: "a password", role: 1',
      ]) {
        const answer = await create(ask, data)
        assert.equal(answer.data, null)
        assert.match(String(codesOf(answer)), /^(BAD_USER_INPUT|STRAPI_APPLICATION_ERROR)$/)
      }
    })
    it('others may do none of it', async () => {
      for (const mutation of [
        'createUsersPermissionsUser(data: { username: "x" }) { data { id } }',
        'updateUsersPermissionsUser(id: 1, data: { username: "x" }) { data { id } }',
        'deleteUsersPermissionsUser(id: 1) { data { id } }',
        'createUsersPermissionsRole(data: { name: "x" }) { ok }',
        'updateUsersPermissionsRole(id: 1, data: { name: "x" }) { ok }',
        'deleteUsersPermissionsRole(id: 1) { ok }',
      ])
        for (const by of [visitor, asking(api, asUser(1))])
          assert.deepEqual(codesOf(await by(`mutation { ${mutation} }`)), ['FORBIDDEN'], mutation)
    })
    it('roles are made, renamed and deleted, and keep what they may do', async () => {
      assert.deepEqual(
        (await ask('mutation { createUsersPermissionsRole(data: { name: "New role", description: "d" }) { ok } }'))
          .data,
        {
          createUsersPermissionsRole: { ok: true },
        },
      )
      const { id, type } = (await api.app.entries(roleUid).first({ where: { name: { $eq: 'New role' } } })) ?? {}
      assert.equal(type, 'new_role')
      const roleOfAdmin = (await api.app.entries(roleUid).first({ where: { type: { $eq: 'admin' } } })) ?? {}
      const update = (data: string) =>
        ask(`mutation { updateUsersPermissionsRole(id: ${roleOfAdmin.id}, data: { ${data} }) { ok } }`)
      assert.deepEqual((await update('name: "Renamed"')).data, { updateUsersPermissionsRole: { ok: true } })
      assert.deepEqual(await grants(api, Number(roleOfAdmin.id)), [...admin].sort())
      for (const data of ['name: "x", permissions: [1]', 'name: "x", users: [1]'])
        assert.deepEqual(codesOf(await update(data)), ['BAD_USER_INPUT'])
      const remove = (id: unknown) => ask(`mutation { deleteUsersPermissionsRole(id: ${id}) { ok } }`)
      assert.deepEqual((await remove(id)).data, { deleteUsersPermissionsRole: { ok: true } })
      const publicRole = await api.app.entries(roleUid).first({ where: { type: { $eq: 'public' } } })
      assert.deepEqual((await remove(publicRole?.id)).errors, [
        ['STRAPI_APPLICATION_ERROR', 'Cannot delete public role'],
      ])
      assert.deepEqual((await remove(999)).errors, [['STRAPI_NOT_FOUND_ERROR', 'Role not found']])
    })
  },
)

async function grants(api: Api, role: number): Promise<unknown[]> {
  const where = { role: { id: { $eq: role } } }
  const found = await api.app.entries('plugin::users-permissions.permission').find({ where, limit: 100 })
  return found.map(({ action }) => action).sort()
}

const throttled = {
  ...graphWorld({ accounts: { alice: {} } }),
  plugins: [[usersPermissions, { jwtSecret: secret, ratelimit: { max: 5 } }], graphql],
} as const

contractOnce('tries to sign in', throttled, api => {
  it('are counted together with those of REST, and each alias is one', async () => {
    const login = 'login(input: { identifier: "alice", password: "wrong" }) { jwt }'
    const rest = () => api.send('POST', '/auth/local', { identifier: 'alice', password: 'wrong' })
    assert.equal((await rest()).status, 400)
    const aliases = [1, 2, 3, 4, 5, 6].map(index => `a${index}: ${login}`)
    const answer = await asking(api)(`mutation { ${aliases.join(' ')} }`)
    const refused = 'STRAPI_RATE_LIMIT_ERROR'
    assert.deepEqual(codesOf(answer), [...Array(4).fill('BAD_USER_INPUT'), refused, refused])
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assert.equal((await rest()).status, 429)
  })
})

contractOnce('sessions', graphWorld({ settings: { sessions: { enabled: true } }, accounts: { alice: {} } }), api => {
  it('give the token with which they go on', async () => {
    const { data } = await asking(api)(
      'mutation { login(input: { identifier: "alice", password: "alice-pass-1" }) { jwt refreshToken } }',
    )
    const { refreshToken } = data.login
    assert.equal((await api.send('POST', '/auth/refresh', { refreshToken })).status, 200)
  })
})
