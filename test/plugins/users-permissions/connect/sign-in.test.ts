import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, it } from 'vitest'
import { type Body, refused } from '../../../support/contract.js'
import { onEveryEngine } from '../../../support/every-engine.js'
import { advanced, type ConnectWorld, connectWorld, frontEnd } from './world.js'

onEveryEngine('signing in through a provider', engine => {
  let world: ConnectWorld
  beforeAll(async () => {
    world = await connectWorld(engine)
  })
  afterAll(() => world?.close())
  beforeEach(() => world.browser.forget())

  /** Somebody new at the provider; everybody has an address of their own. */
  const person = (name: string, more: object = {}): string => {
    const email = `${name}@example.com`
    world.server.people[name] = { email, email_verified: true, preferred_username: name, ...more }
    return name
  }
  const accountsOf = async (email: string): Promise<Body[]> =>
    (await world.accounts()).filter(account => account.email === email)
  /** Changes advanced settings for one test; a running server sees them within a second. */
  const withSettings = async (changes: object, work: () => Promise<void>) => {
    await world.store('advanced', { ...advanced, ...changes })
    await work().finally(() => world.store('advanced', advanced))
  }

  it('makes an account, and gives the front end what it takes for a token', async () => {
    const front = await world.signIn(person('ada', { email: 'Ada@Example.com' }))
    assert.equal(front.origin + front.pathname, frontEnd)
    assert.deepEqual([...front.searchParams.keys()], ['access_token'])
    const { status, body, headers } = await world.exchange(front)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(Object.keys(body), ['jwt', 'user'])
    const { id, createdAt, updatedAt, ...user } = body.user
    assert.deepEqual(user, {
      username: 'ada',
      email: 'ada@example.com',
      provider: 'campus',
      confirmed: true,
      blocked: false,
    })
    assert.equal(headers['cache-control'], 'no-store')
    const me = await world.api.get('/users/me', { authorization: `Bearer ${body.jwt}` })
    assert.deepEqual([me.status, me.body.id], [200, id])
    const [account] = await accountsOf('ada@example.com')
    assert.equal(account.role.type, 'authenticated')
  })

  it('finds the account again, whatever the letter case of its address', async () => {
    const first = await world.exchange(await world.signIn(person('bob')))
    world.browser.forget()
    person('bob', { email: 'BOB@example.com' })
    const second = await world.exchange(await world.signIn('bob'))
    assert.equal(second.body.user.id, first.body.user.id)
    assert.equal((await accountsOf('bob@example.com')).length, 1)
  })

  it('gives no one an account of another provider with the same address', async () => {
    await world.account({ username: 'carol', email: 'carol@example.com', provider: 'local', password: 'carol-pass' })
    const answer = await world.exchange(await world.signIn(person('carol')))
    refused(answer, { status: 400, name: 'ApplicationError', message: 'Email is already taken.' })
    assert.equal((await accountsOf('carol@example.com')).length, 1)
  })

  it('makes an account of its own where addresses may be shared', async () => {
    const other = await world.account({ username: 'dan', email: 'dan@example.com', provider: 'local' })
    await withSettings({ unique_email: false }, async () => {
      const deadline = Date.now() + 10_000
      let { status, body } = await world.exchange(await world.signIn(person('dan')))
      while (status !== 200 && Date.now() < deadline)
        ({ status, body } = await world.exchange(await world.signIn('dan')))
      assert.equal(status, 200, JSON.stringify(body))
      assert.notEqual(body.user.id, other)
      assert.match(body.user.username, /^dan-[0-9a-f]{8}$/)
    })
  })

  it('makes no account where no one may register, and still lets in who has one', async () => {
    await world.exchange(await world.signIn(person('erin')))
    await withSettings({ allow_register: false }, async () => {
      world.browser.forget()
      assert.equal((await world.exchange(await world.signIn('erin'))).status, 200)
      world.browser.forget()
      const answer = await world.exchange(await world.signIn(person('frank')))
      refused(answer, { status: 400, message: 'Register action is actually not available.' })
      assert.deepEqual(await accountsOf('frank@example.com'), [])
    })
  })

  it('keeps a blocked account out', async () => {
    await world.account({ username: 'grace', email: 'grace@example.com', provider: 'campus', blocked: true })
    const answer = await world.exchange(await world.signIn(person('grace')))
    refused(answer, { status: 400, message: 'Your account has been blocked by an administrator' })
  })

  const names = [
    { says: 'a name that is taken gets an end of its own', id: 'ida', name: 'Taken', gives: /^Taken-[0-9a-f]{8}$/ },
    { says: 'the address gives the name where there is none', id: 'judy', name: undefined, gives: /^judy$/ },
    { says: 'a name is not somebody else’s address', id: 'kim', name: 'boss@example.com', gives: /^boss$/ },
    { says: 'a short name gives way to the address', id: 'leonard', name: 'le', gives: /^leonard$/ },
    { says: 'a name that is no text is none', id: 'mallory', name: { $ne: 1 }, gives: /^mallory$/ },
  ]
  for (const { says, id, name, gives } of names)
    it(says, async () => {
      if (name === 'Taken') await world.account({ username: 'taken', email: 'taken@example.com', provider: 'local' })
      const { status, body } = await world.exchange(await world.signIn(person(id, { preferred_username: name })))
      assert.equal(status, 200, JSON.stringify(body))
      assert.match(body.user.username, gives)
    })

  it('ends at the front end with the reason where the provider lets no one through', async () => {
    const { url } = await world.browser.open('http://stele.test/api/connect/campus', { stop: world.server.issuer })
    const state = new URL(url).searchParams.get('state')
    const query = new URLSearchParams({ state: `${state}`, iss: world.server.issuer, error: 'access_denied' })
    const page = await world.browser.open(`http://stele.test/api/connect/campus/callback?${query}`, { stop: frontEnd })
    assert.equal(page.url, `${frontEnd}?error=access_denied`)
  })

  it('says nothing but a plain word of what stands in the address', async () => {
    const { url } = await world.browser.open('http://stele.test/api/connect/campus', { stop: world.server.issuer })
    const state = new URL(url).searchParams.get('state')
    const query = new URLSearchParams({ state: `${state}`, iss: world.server.issuer, error: '<script>&x=y#z' })
    const page = await world.browser.open(`http://stele.test/api/connect/campus/callback?${query}`, { stop: frontEnd })
    assert.equal(page.url, `${frontEnd}?error=server_error`)
  })
})

onEveryEngine('who signs in through a provider', engine => {
  it('may be told by the identity token alone', async () => {
    const world = await connectWorld(engine, { inIdToken: true })
    try {
      world.server.people.ada = { email: 'ada@example.com', email_verified: true, preferred_username: 'ada' }
      const { body } = await world.exchange(await world.signIn('ada'))
      assert.equal(body.user.email, 'ada@example.com')
      assert.deepEqual(
        world.server.asked.filter(({ path }) => path === '/me'),
        [],
      )
    } finally {
      await world.close()
    }
  })

  it('gets a refresh token too where sessions are on', async () => {
    const world = await connectWorld(engine, { settings: { sessions: { enabled: true } } })
    try {
      world.server.people.ada = { email: 'ada@example.com', email_verified: true }
      const { body } = await world.exchange(await world.signIn('ada'))
      const { refreshToken } = body
      assert.equal((await world.api.send('POST', '/auth/refresh', { refreshToken })).status, 200)
    } finally {
      await world.close()
    }
  })
})
