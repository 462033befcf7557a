import assert from 'node:assert/strict'
import { definePlugin } from '../../../../core/index.js'
import {
  type ConnectAccounts,
  type ConnectedAccount,
  connectRoutes,
  createConnect,
  loginCodeType,
  type ProviderTable,
  providersSettings,
} from '../../../../plugins/users-permissions/connect/index.js'
import { createThrottle } from '../../../../plugins/users-permissions/throttle/index.js'
import { type Api, start } from '../../../support/contract.js'
import type { Engine } from '../../../support/engines.js'
import { Browser, type Page } from './browser.js'
import { clientId, clientSecret, type OidcServer, oidcServer } from './oidc-server.js'

export const home = 'http://stele.test'
export const frontEnd = 'http://front-end.test/signed-in'
export const redirectUri = `${home}/api/connect/campus/callback`

type Account = ConnectedAccount & { readonly email: string; readonly username: string }

/** A plugin that signs people in through providers, and keeps accounts in a list that the test sees. */
export function connecting(providers: (issuer: string) => ProviderTable) {
  const accounts: Account[] = []
  const advanced = { unique_email: true, allow_register: true }
  const stored: { grant: ProviderTable } = { grant: {} }
  const parts: ConnectAccounts = {
    advanced: async () => advanced,
    byEmail: async email => accounts.filter(account => account.email === email),
    usernameTaken: async name => accounts.some(({ username }) => username === name),
    async create(identity) {
      accounts.push({ id: accounts.length + 1, blocked: false, ...identity })
      return { id: accounts.length }
    },
    signedIn: async id => ({ jwt: `token of ${id}`, user: accounts.find(account => account.id === id) }),
  }
  const pluginAt = (issuer: string) =>
    definePlugin({
      name: 'users-permissions',
      contentTypes: [loginCodeType],
      routes: connectRoutes,
      config: { type: 'object', properties: { providers: providersSettings } },
      register: async host => ({
        connect: await createConnect(providers(issuer), {
          ...host,
          stored: async () => stored.grant,
          secret: 'the secret of this test',
          throttle: createThrottle({ enabled: false } as never),
          accounts: parts,
        }),
      }),
    })
  return { accounts, advanced, stored, pluginAt }
}

export interface ConnectWorld extends ReturnType<typeof connecting> {
  readonly api: Api
  readonly server: OidcServer
  readonly browser: Browser
  /** Signs in at the provider, up to the address it sends the browser back to. */
  goThere(name: string, provider?: string): Promise<Page>
  /** Signs in all the way; the address of the front end where the browser ends up. */
  signIn(name: string, provider?: string): Promise<URL>
  /** What the front end does with the address that it was opened with. */
  exchange(front: URL, provider?: string): ReturnType<Api['get']>
  close(): Promise<void>
}

export const campus = (issuer: string): ProviderTable => ({
  campus: { issuer, clientId, clientSecret, callback: frontEnd },
})

/** A provider, a server that trusts it, and a browser. */
export async function connectWorld(
  engine: Engine,
  options: { providers?: (issuer: string) => ProviderTable; inIdToken?: boolean } = {},
): Promise<ConnectWorld> {
  const made = connecting(options.providers ?? campus)
  const server = await oidcServer(redirectUri, options)
  const api = await start(engine, {
    types: {},
    plugins: [made.pluginAt(server.issuer)],
    config: { server: { url: home } },
  })
  const browser = new Browser(api.app, home)
  const goThere = async (name: string, provider = 'campus'): Promise<Page> => {
    let page = await browser.open(`${home}/api/connect/${provider}`, { stop: redirectUri })
    for (const form of [{ prompt: 'login', login: name, password: 'any' }, { prompt: 'consent' }]) {
      if (!page.url.startsWith(`${server.issuer}/interaction/`)) break
      assert.equal(page.status, 200, page.text)
      page = await browser.open(page.url, { stop: redirectUri, form })
    }
    return page
  }
  return {
    ...made,
    api,
    server,
    browser,
    goThere,
    async signIn(name, provider) {
      const back = await goThere(name, provider)
      const page = await browser.open(back.url, { stop: frontEnd })
      assert.ok(page.url.startsWith(frontEnd), page.text)
      return new URL(page.url)
    },
    exchange: (front, provider = 'campus') => api.get(`/auth/${provider}/callback${front.search}`),
    async close() {
      await api.close()
      await server.close()
    },
  }
}
