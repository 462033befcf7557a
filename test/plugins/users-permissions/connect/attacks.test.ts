import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it, vi } from 'vitest'
import { refused } from '../../../support/contract.js'
import { onEveryEngine } from '../../../support/every-engine.js'
import { claimsOf, clientId, clientSecret } from './oidc-server.js'
import { type ConnectWorld, connectWorld, frontEnd, home, redirectUri } from './world.js'

const begin = `${home}/api/connect/campus`
const notBegun = 'This sign-in was not begun in this browser, or took too long; start again'
const incomplete = 'The sign-in with campus could not be completed, start again'
const used = 'This access_token was used before or is too old, sign in again'

onEveryEngine('who attacks a sign-in through a provider', engine => {
  let world: ConnectWorld
  beforeAll(async () => {
    world = await connectWorld(engine, { inIdToken: true })
    const annex = {
      enabled: true,
      issuer: world.server.issuer,
      key: clientId,
      secret: clientSecret,
      callback: frontEnd,
    }
    await world.store('grant', { annex })
    world.server.people.ada = { email: 'ada@example.com', email_verified: true, preferred_username: 'ada' }
    world.server.people.eve = { email: 'eve@example.net', email_verified: true, preferred_username: 'eve' }
  })
  afterAll(() => world?.close())
  beforeEach(() => world.browser.forget())
  afterEach(() => {
    vi.useRealTimers()
    world.server.tamper = undefined
  })

  /** The answer to an address, as far as our own server gives it. */
  const answerTo = async (url: string) => {
    const page = await world.browser.open(url, { stop: 'http' })
    const body = page.text === '' ? undefined : JSON.parse(page.text)
    return { ...page, headers: {}, body, statements: [] }
  }
  const refusedWith = async (url: string, message: string) => {
    refused(await answerTo(url), { status: 400, name: 'ApplicationError', message })
  }
  const changed = (url: string, changes: Record<string, string | undefined>): string => {
    const address = new URL(url)
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) address.searchParams.delete(name)
      else address.searchParams.set(name, value)
    return address.href
  }

  describe('on the way there and back', () => {
    it('sees a challenge instead of the proof, which only the server can give', async () => {
      world.server.asked.length = 0
      await world.signIn('ada')
      const asked = (path: string) => world.server.asked.find(request => request.path === path)
      const { query } = asked('/auth') ?? assert.fail('nobody was sent to the provider')
      assert.equal(query.get('response_type'), 'code')
      assert.equal(query.get('code_challenge_method'), 'S256')
      for (const name of ['state', 'nonce', 'code_challenge']) assert.match(query.get(name) ?? '', /^[\w-]{43}$/)
      const verifier = String(asked('/token')?.form.code_verifier)
      assert.equal(createHash('sha256').update(verifier).digest('base64url'), query.get('code_challenge'))
    })

    it('gets other secrets every time', async () => {
      const urls = [await answerTo(begin), await answerTo(begin)].map(({ url }) => new URL(url).searchParams)
      for (const name of ['state', 'nonce', 'code_challenge'])
        assert.notEqual(urls[0]?.get(name), urls[1]?.get(name), name)
    })

    it('finds a cookie that scripts and other sites do not get, with nothing to read in it', async () => {
      const { url } = await answerTo(begin)
      const [text = assert.fail('no cookie was set')] = world.browser.cookies
      assert.match(text, /^stele_connect=[\w-]+; /)
      for (const part of [/; httponly/i, /; samesite=lax/i, /; path=\/api\/connect\/campus\/callback/i, /; expires=/i])
        assert.match(text, part)
      const sealed = Buffer.from(text.slice('stele_connect='.length).split(';')[0] ?? '', 'base64url').toString(
        'latin1',
      )
      for (const name of ['state', 'nonce']) assert.ok(!sealed.includes(new URL(url).searchParams.get(name) as string))
      assert.ok(!sealed.includes('campus'))
    })

    it('is refused without the cookie', async () => {
      const { url } = await world.goThere('ada')
      world.browser.forget()
      await refusedWith(url, notBegun)
    })

    it('is refused with a cookie that was changed or made up', async () => {
      const { url } = await world.goThere('ada')
      const query = new URL(url).search
      const [pair = ''] = world.browser.cookies.find(text => text.startsWith('stele_connect='))?.split(';') ?? []
      // Not the last letter, of which some bits say nothing.
      const at = pair.indexOf('=') + 20
      const flipped = pair.slice(0, at) + (pair[at] === 'A' ? 'B' : 'A') + pair.slice(at + 1)
      for (const cookie of [flipped, 'stele_connect=e30', 'stele_connect=', `stele_connect=${'A'.repeat(2000)}`])
        refused(await world.api.get(`/connect/campus/callback${query}`, { cookie }), { status: 400, message: notBegun })
    })

    it('is refused with the cookie of another provider', async () => {
      const { url } = await world.goThere('ada')
      const [cookie = ''] = world.browser.cookies.find(text => text.startsWith('stele_connect='))?.split(';') ?? []
      const query = new URL(url).search
      refused(await world.api.get(`/connect/annex/callback${query}`, { cookie }), { status: 400, message: notBegun })
      assert.equal((await world.api.get(`/connect/campus/callback${query}`, { cookie })).status, 302)
    })

    it('is refused after ten minutes', async () => {
      const { url } = await world.goThere('ada')
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 + 1 })
      await refusedWith(url, notBegun)
    })

    const states = [
      { says: 'a wrong state', changes: { state: 'A'.repeat(43) } },
      { says: 'no state', changes: { state: undefined } },
      { says: 'an empty state', changes: { state: '' } },
      { says: 'the word of another provider', changes: { iss: 'http://evil.test' } },
      { says: 'no word of who the provider is', changes: { iss: undefined } },
      { says: 'a made-up code', changes: { code: 'made-up' } },
      { says: 'no code', changes: { code: undefined } },
    ]
    for (const { says, changes } of states)
      it(`is refused with ${says}`, async () => {
        const { url } = await world.goThere('ada')
        await refusedWith(changed(url, changes), incomplete)
      })

    it('is refused with two states', async () => {
      const { url } = await world.goThere('ada')
      await refusedWith(`${url}&state=${'A'.repeat(43)}`, incomplete)
    })

    it('cannot put a code of their own into the browser of someone else', async () => {
      const own = await world.goThere('eve')
      world.browser.forget()
      const mine = await world.goThere('ada')
      await refusedWith(changed(mine.url, { code: new URL(own.url).searchParams.get('code') as string }), incomplete)
    })

    it('is refused with a code that was used', async () => {
      const { url } = await world.goThere('ada')
      const [cookie = ''] = world.browser.cookies.find(text => text.startsWith('stele_connect='))?.split(';') ?? []
      assert.equal((await answerTo(url)).status, 302)
      const again = await world.api.get(`/connect/campus/callback${new URL(url).search}`, { cookie })
      refused(again, { status: 400, message: incomplete })
    })
  })

  describe('at the end of the way', () => {
    const redirects = ['callback', 'redirect_uri', 'redirect', 'returnTo', 'url', 'next']
    it('cannot choose where it leads', async () => {
      const evil = Object.fromEntries(redirects.map(name => [name, 'http://evil.test/']))
      const { url } = await answerTo(changed(begin, evil))
      assert.equal(new URL(url).searchParams.get('redirect_uri'), redirectUri)
      world.browser.forget()
      const back = await world.goThere('ada')
      const front = await answerTo(changed(back.url, evil))
      assert.ok(front.url.startsWith(`${frontEnd}?access_token=`), front.url)
      assert.deepEqual([...new URL(front.url).searchParams.keys()], ['access_token'])
    })

    it('cannot choose it with headers either', async () => {
      const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', origin: 'http://evil.test' }
      const { headers: sent } = await world.api.get('/connect/campus', headers)
      assert.equal(new URL(sent.location ?? '').searchParams.get('redirect_uri'), redirectUri)
    })

    it('finds a code that is good once', async () => {
      const front = await world.signIn('ada')
      assert.equal((await world.exchange(front)).status, 200)
      refused(await world.exchange(front), { status: 400, message: used })
    })

    it('finds a code that is good once even when two come with it at the same time', async () => {
      const front = await world.signIn('ada')
      const answers = await Promise.all([1, 2, 3, 4].map(() => world.exchange(front)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
    })

    it('finds a code that is good for a minute', async () => {
      const front = await world.signIn('ada')
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
      refused(await world.exchange(front), { status: 400, message: used })
    })

    it('finds nothing in the database that could be sent in', async () => {
      const front = await world.signIn('ada')
      const code = front.searchParams.get('access_token') as string
      const rows = JSON.stringify(await world.api.app.store.reader.all('select * from stele_login_codes', []))
      assert.match(rows, /ada@example.com/)
      assert.ok(!rows.includes(code))
    })

    it('leaves no old codes behind', async () => {
      await world.signIn('ada')
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3600_000 })
      world.browser.forget()
      await world.signIn('eve')
      const rows = await world.api.app.store.reader.all('select id from stele_login_codes', [])
      assert.equal(rows.length, 1)
    })

    const codes = [
      { says: 'no code', ask: '', message: 'No access_token.' },
      { says: 'an empty one', ask: '?access_token=', message: 'No access_token.' },
      { says: 'a list', ask: '?access_token[]=a', message: 'No access_token.' },
      { says: 'an operator', ask: '?access_token[$ne]=a', message: 'No access_token.' },
      { says: 'any text', ask: "?access_token=' or 1=1 --", message: used },
      { says: 'a token of the provider', ask: '?access_token=ya29.a0AfH6SMBx', message: used },
    ]
    for (const { says, ask, message } of codes)
      it(`is refused with ${says}`, async () => {
        refused(await world.api.get(`/auth/campus/callback${encodeURI(ask)}`), { status: 400, message })
      })
  })

  describe('at the provider', () => {
    const tampered = [
      { says: 'claims that were changed', token: (token: string) => withClaims(token, { email: 'boss@example.com' }) },
      { says: 'no signature', token: (token: string) => `${token.slice(0, token.lastIndexOf('.'))}.` },
      { says: 'the algorithm none', token: (token: string) => unsigned(claimsOf(token)) },
      { says: 'a signature of somebody else', token: (token: string) => `${token.slice(0, -8)}AAAAAAAA` },
      { says: 'another issuer', token: (token: string) => resigned(token, { iss: 'http://evil.test' }) },
      { says: 'another audience', token: (token: string) => resigned(token, { aud: 'somebody-else' }) },
      { says: 'another nonce', token: (token: string) => resigned(token, { nonce: 'A'.repeat(43) }) },
      { says: 'no nonce', token: (token: string) => resigned(token, { nonce: undefined }) },
      { says: 'an end in the past', token: (token: string) => resigned(token, { exp: 1_600_000_000 }) },
      {
        says: 'a key that the provider does not have',
        token: (token: string) => resigned(token, {}, { kid: 'other' }),
      },
    ]
    const withClaims = (token: string, claims: object): string => {
      const [head, , signature] = token.split('.')
      return [head, part({ ...claimsOf(token), ...claims }), signature].join('.')
    }
    const unsigned = (claims: object): string => `${part({ alg: 'none' })}.${part(claims)}.`
    const resigned = (token: string, claims: object, header?: object): string =>
      world.server.sign({ ...claimsOf(token), ...claims }, header)
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

    for (const { says, token } of tampered)
      it(`is refused with an identity token that has ${says}`, async () => {
        const { url } = await world.goThere('ada')
        world.server.tamper = answer => ({ ...answer, id_token: token(String(answer.id_token)) })
        await refusedWith(url, incomplete)
      })

    it('is let in with a token that is signed anew and says the same', async () => {
      const { url } = await world.goThere('ada')
      world.server.tamper = answer => ({ ...answer, id_token: resigned(String(answer.id_token), {}) })
      assert.equal((await answerTo(url)).status, 302)
    })

    it('is refused without an identity token', async () => {
      const { url } = await world.goThere('ada')
      world.server.tamper = ({ id_token, ...answer }) => answer
      await refusedWith(url, incomplete)
    })

    const addresses = [
      {
        says: 'nobody has verified',
        claims: { email: 'boss@example.com', email_verified: false },
        gives: /not verified/,
      },
      { says: 'may be verified or not', claims: { email: 'boss@example.com' }, gives: /not verified/ },
      {
        says: 'is verified with a number',
        claims: { email: 'boss@example.com', email_verified: 1 },
        gives: /not verified/,
      },
      { says: 'is none', claims: { email_verified: true }, gives: /Email was not available/ },
      { says: 'has no form', claims: { email: 'boss', email_verified: true }, gives: /Email was not available/ },
      { says: 'are two', claims: { email: 'a@b.c, d@e.f', email_verified: true }, gives: /Email was not available/ },
      { says: 'is no text', claims: { email: ['a@b.c'], email_verified: true }, gives: /Email was not available/ },
    ]
    for (const { says, claims, gives } of addresses)
      it(`is refused with an address that ${says}`, async () => {
        world.server.people.boss = claims
        const { url } = await world.goThere('boss')
        refused(await answerTo(url), { status: 400, name: 'ApplicationError', message: gives })
      })
  })
})
