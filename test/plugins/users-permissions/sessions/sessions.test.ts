import assert from 'node:assert/strict'
import { afterEach, it, vi } from 'vitest'
import { definePlugin, UnauthorizedError } from '../../../../core/index.js'
import {
  createSessions,
  type Sessions,
  sessionRoutes,
  sessionsSettings,
  sessionType,
} from '../../../../plugins/users-permissions/sessions/index.js'
import { type Api, contract, refused, start } from '../../../support/contract.js'
import { onEveryEngine } from '../../../support/every-engine.js'

const day = 24 * 3600_000
const gone = 404

/** A plugin that has sessions and little else: every account exists but one. */
function keeper(settings: { enabled?: boolean; refreshLifetime?: number } = {}) {
  const kept: { sessions?: Sessions } = {}
  const plugin = definePlugin({
    name: 'users-permissions',
    contentTypes: [sessionType],
    routes: sessionRoutes,
    config: { type: 'object', properties: { sessions: sessionsSettings } },
    register(host) {
      kept.sessions = createSessions({ enabled: true, accessLifetime: 600, refreshLifetime: 3600, ...settings }, host)
      return {
        sessions: kept.sessions,
        accounts: {
          async resume(id: number) {
            if (id === gone) throw new UnauthorizedError()
            return { jwt: `token of ${id}`, user: { id } }
          },
        },
      }
    },
  })
  return { plugin, sessions: () => kept.sessions ?? assert.fail('the server has not started') }
}

const ended = { status: 401, name: 'UnauthorizedError', message: 'This session has ended; sign in again' }

const refresh = (api: Api, refreshToken: unknown) => api.send('POST', '/auth/refresh', { refreshToken })
const logout = (api: Api, refreshToken: unknown) => api.send('POST', '/auth/logout', { refreshToken })
/** The rows as they stand in the table: family, hash, account. */
const rowsOf = async (api: Api): Promise<readonly (readonly unknown[])[]> =>
  api.app.store.reader.all('select family, hash, account from stele_sessions order by id', [])

afterEach(() => void vi.useRealTimers())
const later = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + time })

const on = keeper()
contract('sessions', { types: {}, plugins: [on.plugin] }, api => {
  it('give a new token for requests and a new refresh token for the old one', async () => {
    const first = await on.sessions().open(7)
    const { status, body, headers } = await refresh(api, first)
    assert.equal(status, 200)
    const { refreshToken, ...rest } = body
    assert.deepEqual(rest, { jwt: 'token of 7', user: { id: 7 } })
    assert.notEqual(refreshToken, first)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal((await refresh(api, refreshToken)).status, 200)
  })

  it('stand in the database without anything that could be sent in', async () => {
    const token = await on.sessions().open(8)
    const [, secret] = token.split('.')
    const rows = JSON.stringify(await rowsOf(api))
    assert.match(rows, /,8\]/)
    assert.ok(!rows.includes(secret as string))
  })

  it('are one row each, however often they are refreshed', async () => {
    let token = await on.sessions().open(9)
    for (let times = 0; times < 3; times += 1) token = (await refresh(api, token)).body.refreshToken
    assert.equal((await rowsOf(api)).filter(([, , account]) => Number(account) === 9).length, 1)
  })

  it('end when a refresh token is used twice: neither the thief nor the owner goes on', async () => {
    const stolen = await on.sessions().open(10)
    const second = (await refresh(api, stolen)).body.refreshToken
    const third = (await refresh(api, second)).body.refreshToken
    refused(await refresh(api, stolen), ended)
    refused(await refresh(api, third), ended)
  })

  it('go on at most once when a refresh token is used twice at the same time', async () => {
    const token = await on.sessions().open(11)
    const answers = await Promise.all([refresh(api, token), refresh(api, token), refresh(api, token)])
    const good = answers.filter(({ status }) => status === 200)
    assert.ok(good.length <= 1, answers.map(({ status }) => status).join())
    for (const { body } of good) refused(await refresh(api, body.refreshToken), ended)
  })

  it('of the same account do not touch each other', async () => {
    const [phone, laptop] = [await on.sessions().open(12), await on.sessions().open(12)]
    await logout(api, phone)
    refused(await refresh(api, phone), ended)
    assert.equal((await refresh(api, laptop)).status, 200)
  })

  it('end with a logout, which may be said twice', async () => {
    const token = await on.sessions().open(13)
    assert.deepEqual((await logout(api, token)).body, { ok: true })
    refused(await refresh(api, token), ended)
    assert.deepEqual((await logout(api, token)).body, { ok: true })
  })

  it('of an account end all at once, and no others', async () => {
    const tokens = [await on.sessions().open(14), await on.sessions().open(14)]
    const other = await on.sessions().open(15)
    await on.sessions().closeAll(14)
    for (const token of tokens) refused(await refresh(api, token), ended)
    assert.equal((await refresh(api, other)).status, 200)
  })

  it('end together with the change that ends them, or not at all', async () => {
    const token = await on.sessions().open(16)
    const { store } = api.app
    await assert.rejects(
      store.transaction(async session => {
        await on.sessions().closeAll(16, session)
        throw new Error('the change failed')
      }),
      /the change failed/,
    )
    assert.equal((await refresh(api, token)).status, 200)
  })

  it('are refused for an account that is gone', async () => {
    assert.equal((await refresh(api, await on.sessions().open(gone))).status, 401)
  })

  it('live on with every refresh, and expire when there was none for long enough', async () => {
    let token = await on.sessions().open(17)
    for (let times = 0; times < 3; times += 1) {
      later(3599_000)
      const { status, body } = await refresh(api, token)
      assert.equal(status, 200)
      token = body.refreshToken
    }
    later(3600_000)
    refused(await refresh(api, token), ended)
  })

  it('that have expired are swept when another one begins', async () => {
    await on.sessions().open(18)
    later(10 * day)
    await on.sessions().open(19)
    assert.deepEqual(
      (await rowsOf(api)).map(([, , account]) => Number(account)),
      [19],
    )
  })

  const wrong = [
    { says: 'no refresh token', sends: undefined, fails: { status: 400, message: 'refreshToken is required' } },
    { says: 'an empty one', sends: '', fails: { status: 400, message: 'refreshToken is required' } },
    { says: 'a number', sends: 7, fails: { status: 400, message: 'refreshToken is required' } },
    { says: 'an operator', sends: { $ne: null }, fails: { status: 400, message: 'refreshToken is required' } },
    { says: 'a list', sends: ['a.b'], fails: { status: 400, message: 'refreshToken is required' } },
    { says: 'any text', sends: "' or 1=1 --", fails: ended },
    { says: 'a made-up token', sends: `${'a'.repeat(22)}.${'b'.repeat(43)}`, fails: ended },
    { says: 'a long text', sends: 'a'.repeat(100_000), fails: ended },
  ]
  for (const { says, sends, fails } of wrong)
    it(`refuse ${says}`, async () => {
      refused(await refresh(api, sends), fails)
    })

  for (const path of ['/auth/refresh', '/auth/logout'])
    it(`refuse a body that is no object: ${path}`, async () => {
      assert.equal((await api.send('POST', path, '[]')).status, 400)
      assert.equal((await api.send('POST', path)).status, 400)
    })
})

onEveryEngine('sessions that are off', engine => {
  it('have no endpoints', async () => {
    const api = await start(engine, { types: {}, plugins: [keeper({ enabled: false }).plugin] })
    try {
      for (const answer of [await refresh(api, 'x'), await logout(api, 'x')]) refused(answer, { status: 404 })
    } finally {
      await api.close()
    }
  })
})
