import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Api, contract, refused } from '../../../support/contract.js'
import { login, world } from '../people.js'

const tooMany = { status: 429, name: 'RateLimitError', message: 'Too many requests, please try again later.' }

/** Sends from an address of its own, so that tests do not count for each other. */
const from = (api: Api, remoteAddress: string) => (url: string, payload: object) =>
  api.app.inject({ method: 'POST', url: `/api${url}`, remoteAddress, payload })

contract('signing in', world({ accounts: { alice: {}, bob: {} }, settings: { ratelimit: {} } }), api => {
  const wrong = { identifier: 'alice', password: 'wrong-pass' }

  it('may be tried ten times a minute from one address, and the right password comes too late then', async () => {
    const send = from(api, '192.0.2.1')
    for (let left = 9; left >= 0; left -= 1) {
      const { statusCode, headers } = await send('/auth/local', wrong)
      assert.equal(statusCode, 400)
      assert.equal(headers['x-ratelimit-limit'], '10')
      assert.equal(headers['x-ratelimit-remaining'], String(left))
    }
    const late = await send('/auth/local', { identifier: 'alice', password: 'alice-pass-1' })
    assert.equal(late.statusCode, 429)
    const wait = Number(late.headers['retry-after'])
    assert.ok(wait > 0 && wait <= 60, String(wait))
    for (const path of ['/auth/local/', '/Auth/Local', '/auth/local?a=1'])
      assert.equal((await send(path, { ...wrong, identifier: 'bob', email: 'a@b.c' })).statusCode, 429, path)
    const { status } = await login(api, 'alice')
    assert.equal(status, 200)
  })

  it('may be tried fifty times an hour at one account, in whatever spelling', async () => {
    const spellings = ['bob', 'BOB', ' bob', 'böb', 'bob\u200b']
    for (let times = 0; times < 50; times += 1)
      await from(api, `198.51.100.${times}`)('/auth/local', {
        identifier: spellings[times % spellings.length],
        password: 'wrong-pass',
      })
    for (const identifier of spellings) {
      const { statusCode } = await from(api, '203.0.113.1')('/auth/local', { identifier, password: 'bob-pass-1' })
      assert.equal(statusCode, 429, identifier)
    }
  })
})

const routes = [
  { path: '/auth/local/register', body: { username: 'eve', email: 'eve@example.test', password: 'x' } },
  { path: '/auth/forgot-password', body: { email: 'not an address' } },
  { path: '/auth/reset-password', body: { code: 'x', password: 'a', passwordConfirmation: 'b' } },
  { path: '/auth/send-email-confirmation', body: { email: 'not an address' } },
]
contract('other ways in', world({ accounts: { alice: {} }, settings: { ratelimit: { max: 3 } } }), api => {
  for (const [index, { path, body }] of routes.entries())
    it(`are slowed down too: ${path}`, async () => {
      const send = from(api, `192.0.2.${index + 10}`)
      for (let times = 0; times < 3; times += 1) assert.equal((await send(path, body)).statusCode, 400)
      const { statusCode, payload, headers } = await send(path, body)
      assert.equal(statusCode, 429)
      refused({ status: 429, body: JSON.parse(payload), text: payload, headers: {}, statements: [] }, tooMany)
      assert.ok(Number(headers['retry-after']) > 0)
    })
})
