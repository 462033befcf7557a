import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it, vi } from 'vitest'
import { refused } from '../../../support/contract.js'
import { onEveryEngine } from '../../../support/engines.js'
import { claimsOf } from './oidc-server.js'
import { type ConnectWorld, connectWorld, frontEnd, home, redirectUri } from './world.js'

onEveryEngine('signing in through a provider', engine => {
  let world: ConnectWorld
  beforeAll(async () => {
    world = await connectWorld(engine)
  })
  afterAll(() => world?.close())
  beforeEach(() => {
    world.browser.forget()
    world.accounts.length = 0
    Object.assign(world.server.people, {
      ada: { email: 'Ada@Example.com', email_verified: true, preferred_username: 'ada' },
      eve: { email: 'eve@example.net', email_verified: true, preferred_username: 'eve' },
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    world.server.tamper = undefined
    world.server.asked.length = 0
  })

  it('makes an account, and gives the front end what it takes for a token', async () => {
    const front = await world.signIn('ada')
    const { status, body, headers } = await world.exchange(front)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body, {
      jwt: 'token of 1',
      user: { id: 1, blocked: false, provider: 'campus', email: 'ada@example.com', username: 'ada' },
    })
    assert.equal(headers['cache-control'], 'no-store')
  })
})
