import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, describe, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../../core/index.js'
import { providerOf } from '../../../../plugins/users-permissions/connect/providers.js'
import type { ProviderSettings } from '../../../../plugins/users-permissions/connect/settings.js'
import { usersPermissions } from '../../../../plugins/users-permissions/index.js'
import { refused } from '../../../support/contract.js'
import { onSqlite } from '../../../support/engines.js'
import { freePort } from '../../../support/free-port.js'
import { eventually } from '../people.js'
import { clientId, clientSecret, oidcServer } from './oidc-server.js'
import { type ConnectWorld, connectWorld, frontEnd, home, redirectUri } from './world.js'

const app = { server: { url: 'https://stele.example.com' }, api: { prefix: '/api' } } as never
const keys = { clientId: 'id', clientSecret: 'secret' }

describe('the settings of a provider', () => {
  const made = (name: string, config?: ProviderSettings, stored?: ProviderSettings) =>
    providerOf(name, config, stored, app)

  const issuers = [
    { name: 'google', settings: {}, gives: 'https://accounts.google.com/' },
    { name: 'gitlab', settings: {}, gives: 'https://gitlab.com/' },
    { name: 'gitlab', settings: { issuer: 'https://git.example.com' }, gives: 'https://git.example.com/' },
    { name: 'auth0', settings: { subdomain: 'tenant.eu' }, gives: 'https://tenant.eu.auth0.com/' },
    { name: 'keycloak', settings: { subdomain: 'id.example.com/realms/a' }, gives: 'https://id.example.com/realms/a' },
    { name: 'microsoft', settings: { subdomain: 'tenant' }, gives: 'https://login.microsoftonline.com/tenant/v2.0' },
    { name: 'github', settings: {}, gives: 'https://github.com/' },
    { name: 'campus', settings: { issuer: 'https://id.example.com' }, gives: 'https://id.example.com/' },
  ]
  for (const { name, settings, gives } of issuers)
    it(`make ${gives} the issuer of ${name} with ${JSON.stringify(settings)}`, () =>
      assert.equal(made(name, { ...keys, ...settings })?.issuer, gives))

  const missing = [
    { name: 'campus', settings: keys, says: /campus needs issuer/ },
    { name: 'keycloak', settings: keys, says: /keycloak needs subdomain or issuer/ },
    { name: 'microsoft', settings: keys, says: /microsoft needs subdomain \(the id of the tenant\) or issuer/ },
    { name: 'google', settings: {}, says: /google needs clientId/ },
    { name: 'campus', settings: { ...keys, issuer: 'id.example.com' }, says: /issuer of campus is no address/ },
    { name: 'google', settings: { ...keys, callback: 'http://' }, says: /callback of google is no address/ },
    { name: '__proto__', settings: keys, says: /needs issuer/ },
  ]
  for (const { name, settings, says } of missing)
    it(`are not enough for ${name} with ${JSON.stringify(settings)}`, () =>
      assert.throws(() => made(name, settings), { name: 'IncompleteProvider', message: says }))

  it('have two words for the keys: those of OpenID Connect and those of Strapi 4', () => {
    const { clientId, clientSecret } = made('google', { key: 'id', secret: 'secret' }) ?? {}
    assert.deepEqual({ clientId, clientSecret }, keys)
  })

  it('may do without a secret', () => assert.equal(made('google', { clientId: 'id' })?.clientSecret, undefined))

  it('always ask who someone is and for the address', () => {
    assert.equal(made('google', keys)?.scope, 'openid email profile')
    assert.equal(made('google', { ...keys, scope: ['email'] })?.scope, 'openid email')
    assert.equal(made('google', { ...keys, scope: 'openid groups' })?.scope, 'openid email groups')
    assert.equal(made('github', keys)?.scope, 'read:user user:email')
  })

  it('lead back to where Strapi 4 does, and end at the response itself where there is no front end', () => {
    const { redirectUri, callback } = made('google', keys) ?? {}
    assert.equal(redirectUri, 'https://stele.example.com/api/connect/google/callback')
    assert.equal(callback, 'https://stele.example.com/api/auth/google/callback')
    const stored = made('auth0', { ...keys, subdomain: 'a' }, { callback: 'api/auth/auth0/callback' })
    assert.equal(stored?.callback, 'https://stele.example.com/api/auth/auth0/callback')
  })

  it('in the config switch a provider on, unless they say otherwise', () => {
    assert.ok(made('google', keys))
    assert.equal(made('google', { ...keys, enabled: false }, { ...keys, enabled: true }), undefined)
  })

  it('in the database count where the config is silent, and the config wins', () => {
    const stored = {
      enabled: true,
      key: 'stored',
      secret: 'stored secret',
      callback: 'https://a.example.com/',
      scope: ['email'],
    }
    assert.equal(made('google', undefined, stored)?.clientId, 'stored')
    const { clientId, clientSecret, callback } = made('google', { clientId: 'ours' }, stored) ?? {}
    assert.deepEqual([clientId, clientSecret, callback], ['ours', 'stored secret', 'https://a.example.com/'])
    assert.equal(made('google', undefined, { ...stored, enabled: false }), undefined)
    assert.throws(() => made('google', undefined, { ...stored, key: '' }), /needs clientId/)
  })

  it('stop a start where they are not enough, with a sentence', async () => {
    const providers = { campus: { clientId: 'id' } }
    await assert.rejects(createTestApp({ plugins: [[usersPermissions, { providers }]] }), {
      name: 'BootError',
      message: /users-permissions\.config\.providers: the provider campus needs issuer/,
    })
  })

  it('stop a start where they have a word that does not exist', async () => {
    const providers = { google: { ...keys, clientid: 'x' } }
    await assert.rejects(createTestApp({ plugins: [[usersPermissions, { providers }]] }), {
      name: 'BootError',
      message: /users-permissions\.config\.providers\.google\.clientid/,
    })
  })
})

const worldOf = async (...[engine, options]: Parameters<typeof connectWorld>): Promise<ConnectWorld> => {
  const world = await connectWorld(engine, options)
  onTestFinished(() => world.close())
  return world
}

onSqlite('a provider', engine => {
  const disabled = { status: 400, name: 'ApplicationError', message: 'This provider is disabled' }
  let world: ConnectWorld
  let port: number
  beforeAll(async () => {
    port = await freePort()
    world = await connectWorld(engine, {
      others: known => ({
        off: { ...known, enabled: false },
        absent: { ...known, issuer: `http://127.0.0.1:${port}` },
        foreign: { ...known, issuer: known.issuer.replace('127.0.0.1', 'localhost') },
        clear: { ...known, issuer: 'http://id.stele.test' },
        secure: { ...known, redirectUri: 'https://stele.test/cms/connect/secure' },
      }),
    })
    world.server.people.ada = { email: 'ada@example.com', email_verified: true }
  })
  afterAll(() => world?.close())

  for (const name of ['off', 'google', 'nosuch', '__proto__', 'constructor', 'local', 'email', 'a%00b', '%5Ba%5D'])
    it(`that is unknown or off is refused everywhere: ${name}`, async () => {
      for (const path of [`/connect/${name}`, `/connect/${name}/callback`, `/auth/${name}/callback?access_token=a`])
        refused(await world.api.get(path), disabled)
    })

  it('is taken from the database too, as soon as it stands there', async () => {
    refused(await world.api.get('/connect/keycloak'), disabled)
    const { issuer } = world.server
    await world.store('grant', {
      email: { enabled: true, icon: 'envelope' },
      keycloak: { enabled: true, icon: '', issuer, key: clientId, secret: clientSecret, callback: frontEnd, scope: [] },
      discord: { enabled: true, key: 'a', secret: 'b', scope: ['identify'] },
    })
    const { status, headers } = await world.api.get('/connect/keycloak')
    assert.equal(status, 302)
    assert.ok(headers.location?.startsWith(`${issuer}/auth?`))
    refused(await world.api.get('/connect/discord'), disabled)
  })

  it('that does not answer is a 503 that says so, until it is there again', async () => {
    refused(await world.api.get('/connect/absent'), { status: 503, message: /provider absent is not available/ })
    const server = await oidcServer(redirectUri, { port })
    onTestFinished(() => server.close())
    assert.equal((await world.api.get('/connect/absent')).status, 302)
  })

  it('that says it is another one is not believed', async () => {
    refused(await world.api.get('/connect/foreign'), { status: 503, message: /provider foreign is not available/ })
  })

  it('elsewhere is never spoken to in the clear', async () => {
    refused(await world.api.get('/connect/clear'), { status: 503, message: /provider clear is not available/ })
  })

  it('gets a cookie over encrypted ways only where the server is reached by one', async () => {
    const { headers } = await world.api.get('/connect/secure')
    const [cookie] = [headers['set-cookie']].flat()
    assert.match(String(cookie), /; path=\/cms\/connect\/secure;.*; secure/i)
    assert.doesNotMatch(String((await world.api.get('/connect/campus')).headers['set-cookie']), /; secure/i)
  })

  it('keeps nothing in caches', async () => {
    assert.equal((await world.api.get('/connect/campus')).headers['cache-control'], 'no-store')
  })

  it('that stops answering on the way is a 503 too', async () => {
    const { url } = await world.goThere('ada')
    await world.server.close()
    const page = await world.browser.open(url, { stop: frontEnd })
    assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '1'])
  })
})

onSqlite('a provider with settings of its own', engine => {
  it('that vouches for every address is believed where they say so', async () => {
    const world = await worldOf(engine, { campus: { trustEmail: true } })
    world.server.people.ada = { email: 'ada@example.com' }
    assert.equal((await world.exchange(await world.signIn('ada'))).body.user.email, 'ada@example.com')
  })

  it('is asked ten times a minute from one address at most, and not at all by who may not connect', async () => {
    const world = await worldOf(engine, { settings: { ratelimit: {} } })
    for (let times = 0; times < 10; times += 1) assert.equal((await world.api.get('/connect/campus')).status, 302)
    const answer = await world.api.get('/connect/campus')
    refused(answer, { status: 429, name: 'RateLimitError' })
    assert.ok(Number(answer.headers['retry-after']) > 0)
    await world.api.app.store.transaction(async session => {
      await session.run("delete from up_permissions where action like 'plugin::users-permissions.auth.c%'", [])
    })
    await eventually(async () => (await world.api.get('/connect/campus')).status === 403 || undefined)
    assert.equal((await world.api.get('/auth/campus/callback?access_token=a')).status, 403)
  })
})

onSqlite('GitHub', engine => {
  const emails = (changes: object = {}) => [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'Octo@example.com', primary: true, verified: true, ...changes },
  ]

  let world: ConnectWorld
  beforeAll(async () => {
    world = await connectWorld(engine, { name: 'github', github: true })
  })
  afterAll(() => world?.close())
  beforeEach(() => world.browser.forget())

  it('tells the main address and the name over its own API', async () => {
    world.server.people.octo = { login: 'octocat', emails: emails() }
    const { status, body } = await world.exchange(await world.signIn('octo'))
    assert.equal(status, 200, JSON.stringify(body))
    const { email, username, provider } = body.user
    assert.deepEqual(
      { email, username, provider },
      { email: 'octo@example.com', username: 'octocat', provider: 'github' },
    )
    const token = world.server.asked.find(({ path }) => path === '/login/oauth/access_token')
    assert.match(String(token?.form.code_verifier), /^[\w-]{43}$/)
  })

  it('is believed about verified addresses only', async () => {
    world.server.people.mona = { login: 'mona', emails: emails({ verified: false }) }
    const { url } = await world.goThere('mona')
    const page = await world.browser.open(url, { stop: frontEnd })
    assert.equal(page.status, 400)
    assert.match(page.text, /not verified by github/)
  })

  it('that refuses its own token is a sign-in that could not be completed', async () => {
    world.server.people.nobody = { emails: emails() }
    const { url } = await world.goThere('nobody')
    const page = await world.browser.open(url, { stop: frontEnd })
    assert.equal(page.status, 400)
    assert.match(page.text, /could not be completed, start again/)
    assert.ok(url.startsWith(home))
  })
})
