import assert from 'node:assert/strict'
import type { ProviderSettings } from '../../../../plugins/users-permissions/connect/settings.js'
import { usersPermissions } from '../../../../plugins/users-permissions/index.js'
import { type Api, type Body, start } from '../../../support/contract.js'
import type { Engine } from '../../../support/engines.js'
import { Browser, type Page } from './browser.js'
import { clientId, clientSecret, type OidcServer, oidcServer, type ServerOptions } from './oidc-server.js'

export const home = 'http://stele.test'
export const frontEnd = 'http://front-end.test/signed-in'
export const redirectUri = `${home}/api/connect/campus/callback`

export interface ConnectWorld {
  readonly api: Api
  readonly server: OidcServer
  readonly browser: Browser
  /** Signs in at the provider, up to the address it sends the browser back to. */
  goThere(name: string): Promise<Page>
  /** Signs in all the way; the address of the front end where the browser ends up. */
  signIn(name: string): Promise<URL>
  /** Exchanges the code in the address for a token, as the front end does. */
  exchange(front: URL): ReturnType<Api['get']>
  /** Makes an account as code may, and gives its id. */
  account(data: Record<string, unknown>): Promise<number>
  accounts(): Promise<Body[]>
  /** Changes the settings that the panel of Strapi 4 keeps in the database. */
  store(key: 'advanced' | 'grant', value: Record<string, unknown>): Promise<void>
  close(): Promise<void>
}

interface Options extends ServerOptions {
  /** Over what the provider needs. */
  readonly campus?: ProviderSettings
  /** Beside it, made of what it needs. */
  readonly others?: (known: ProviderSettings & { readonly issuer: string }) => Record<string, ProviderSettings>
  readonly settings?: Readonly<Record<string, unknown>>
  /** The name under which people sign in. */
  readonly name?: string
}

/** A provider, a server that trusts it under the name `campus`, and a browser. */
export async function connectWorld(engine: Engine, options: Options = {}): Promise<ConnectWorld> {
  const { campus, others, settings, name: provider = 'campus' } = options
  const back = `${home}/api/connect/${provider}/callback`
  const server = await oidcServer(back, options)
  const known = { issuer: server.issuer, clientId, clientSecret, callback: frontEnd }
  const providers = { [provider]: { ...known, ...campus }, ...others?.(known) }
  const api = await start(engine, {
    types: {},
    plugins: [[usersPermissions, { ratelimit: { enabled: false }, ...settings, providers }]],
    config: { server: { url: home } },
  })
  const browser = new Browser(api.app, home)
  const users = api.app.entries('plugin::users-permissions.user')
  const goThere = async (name: string): Promise<Page> => {
    let page = await browser.open(`${home}/api/connect/${provider}`, { stop: back })
    const forms: Record<string, string>[] = [{ prompt: 'login', login: name, password: 'any' }, { prompt: 'consent' }]
    for (const form of forms) {
      if (!page.url.startsWith(`${server.issuer}/interaction/`)) break
      assert.equal(page.status, 200, page.text)
      page = await browser.open(page.url, { stop: back, form })
    }
    return page
  }
  return {
    api,
    server,
    browser,
    goThere,
    async signIn(name) {
      const { url } = await goThere(name)
      const page = await browser.open(url, { stop: frontEnd })
      assert.ok(page.url.startsWith(frontEnd), page.text)
      return new URL(page.url)
    },
    exchange: front => api.get(`/auth/${provider}/callback${front.search}`),
    account: async data => Number((await users.create({ blocked: false, confirmed: true, ...data })).id),
    accounts: () => users.find({ sort: 'id', populate: 'role' }),
    async store(key, value) {
      const { knex, transaction } = api.app.store
      const row = { key: `plugin_users-permissions_${key}`, value: JSON.stringify(value), type: 'object' }
      await transaction(async session => {
        for (const statement of [
          knex('strapi_core_store_settings').where({ key: row.key }).delete(),
          knex('strapi_core_store_settings').insert(row),
        ]) {
          const { sql, bindings } = statement.toSQL().toNative()
          await session.run(sql, bindings)
        }
      })
    },
    async close() {
      await api.close()
      await server.close()
    },
  }
}

/** The settings that Strapi 4 begins with. */
export const advanced = {
  unique_email: true,
  allow_register: true,
  email_confirmation: false,
  email_reset_password: null,
  email_confirmation_redirection: null,
  default_role: 'authenticated',
}
