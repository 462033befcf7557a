import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Api, contract, refused } from '../../../support/contract.js'
import { account, administration, as, asUser, login, mailbox, userUid, world } from '../people.js'

const ended = { status: 401, message: 'This session has ended; sign in again' }
const refresh = (api: Api, refreshToken: unknown) => api.send('POST', '/auth/refresh', { refreshToken })
const me = (api: Api, jwt: string) => api.get('/users/me', as(jwt))

const mails = mailbox()
const accounts = { alice: {}, root: { role: 'administrators' } }
const settings = { sessions: { enabled: true, accessLifetime: 600 }, email: mails.email }
const administrator = asUser(2)

contract('with sessions', world({ settings, accounts, roles: { administrators: administration } }), api => {
  /** An account of its own for each test, signed in. */
  const signedIn = async (name: string): Promise<{ id: number; jwt: string; refreshToken: string }> => {
    const id = await account(api.app, name)
    const { status, body, text } = await login(api, name)
    assert.equal(status, 200, text)
    return { id, jwt: body.jwt, refreshToken: body.refreshToken }
  }

  it('signing in gives a token for ten minutes and one to refresh it with', async () => {
    const { body } = await login(api, 'alice')
    assert.deepEqual(Object.keys(body), ['jwt', 'refreshToken', 'user'])
    const { iat, exp, ...claims } = JSON.parse(Buffer.from(body.jwt.split('.')[1], 'base64url').toString())
    assert.deepEqual([claims, exp - iat], [{ id: 1 }, 600])
    const { status, body: fresh } = await refresh(api, body.refreshToken)
    assert.equal(status, 200)
    assert.equal((await me(api, fresh.jwt)).body.id, 1)
  })

  it('so does registering', async () => {
    const newcomer = { username: 'newcomer', email: 'newcomer@example.test', password: 'new-pass-1' }
    const { body } = await api.send('POST', '/auth/local/register', newcomer)
    assert.equal((await refresh(api, body.refreshToken)).status, 200)
  })

  it('so does a new password with a code, and the sessions before it end', async () => {
    const { refreshToken } = await signedIn('bob')
    const email = 'bob@example.test'
    // The other engines' servers send to the same box.
    const before = mails.read().filter(({ to }) => to === email).length
    await api.send('POST', '/auth/forgot-password', { email })
    const [, code] = /code=(\w+)/.exec((await mails.to(email, before + 1)).text) ?? []
    const passwords = { password: 'bob-pass-2', passwordConfirmation: 'bob-pass-2' }
    const { body } = await api.send('POST', '/auth/reset-password', { code, ...passwords })
    refused(await refresh(api, refreshToken), ended)
    assert.equal((await refresh(api, body.refreshToken)).status, 200)
  })

  it('changing the password ends the sessions before it, and gives another one', async () => {
    const { jwt, refreshToken } = await signedIn('carol')
    const passwords = { password: 'carol-pass-2', passwordConfirmation: 'carol-pass-2' }
    const change = { currentPassword: 'carol-pass-1', ...passwords }
    const { status, body } = await api.send('POST', '/auth/change-password', change, as(jwt))
    assert.equal(status, 200)
    refused(await refresh(api, refreshToken), ended)
    assert.equal((await refresh(api, body.refreshToken)).status, 200)
  })

  const changes = [
    { says: 'a password that an administrator sets', name: 'dora', method: 'PUT', body: { password: 'other-pass-1' } },
    { says: 'blocking the account', name: 'emil', method: 'PUT', body: { blocked: true } },
    { says: 'deleting the account', name: 'fritz', method: 'DELETE', body: undefined },
  ]
  for (const { says, name, method, body } of changes)
    it(`${says} ends its sessions`, async () => {
      const { id, refreshToken } = await signedIn(name)
      const { status, text } = await api.send(method, `/users/${id}`, body, administrator)
      assert.equal(status, 200, text)
      refused(await refresh(api, refreshToken), ended)
    })

  it('any other change of the account ends none', async () => {
    const { id, refreshToken } = await signedIn('gerda')
    await api.send('PUT', `/users/${id}`, { username: 'gerda the second' }, administrator)
    assert.equal((await refresh(api, refreshToken)).status, 200)
  })

  it('an account that someone else blocks in the database is not refreshed', async () => {
    const { id, refreshToken } = await signedIn('hugo')
    const { table } = api.app.types.get(userUid)
    const blocked = api.app.store.knex(table).where({ id }).update({ blocked: true }).toSQL().toNative()
    await api.app.store.transaction(async session => session.run(blocked.sql, blocked.bindings))
    assert.equal((await refresh(api, refreshToken)).status, 401)
  })

  it('the long tokens of Strapi 4 stay valid', async () => {
    const { id } = await signedIn('ilse')
    assert.equal((await api.get('/users/me', asUser(id))).status, 200)
  })

  it('sessions are nothing that someone can ask for', async () => {
    for (const path of ['/sessions', '/login-codes', '/users-permissions/sessions'])
      assert.equal((await api.get(path, administrator)).status, 404)
  })
})

contract('without sessions', world({ accounts: { alice: {} } }), api => {
  it('signing in gives the long token only, and nothing is kept', async () => {
    const { body } = await login(api, 'alice')
    assert.deepEqual(Object.keys(body), ['jwt', 'user'])
    refused(await refresh(api, 'x'), { status: 404 })
    assert.deepEqual(await api.app.store.reader.all('select id from stele_sessions', []), [])
  })
})
