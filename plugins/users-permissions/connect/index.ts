import type { Context } from 'koa'
import { ApplicationError, BootError } from '../../../core/index.js'
import type { Accounts } from '../accounts.js'
import type { PluginHost } from '../service.js'
import type { Throttle } from '../throttle/index.js'
import { accountOf } from './accounts.js'
import { type Checks, createClient, Declined } from './client.js'
import { createLoginCodes } from './login-codes.js'
import { IncompleteProvider, type Provider, providerOf } from './providers.js'
import { makeSeal } from './seal.js'
import type { ProviderTable } from './settings.js'

export { connectRoutes } from './routes.js'
export { loginCodeType, providersSettings } from './settings.js'

/** Signing in through other providers: out, back, and a code of one minute that the front end changes for a token. */
export interface Connect {
  /** Stops a start with a provider in the config that cannot be used to sign in. */
  check(): Promise<void>
  /** Sends the browser to the provider. */
  begin(ctx: Context, name: string): Promise<void>
  /** Takes the browser back and sends it on to the front end. */
  finish(ctx: Context, name: string): Promise<void>
  /** Changes the code of the front end for the response of a sign-in. */
  exchange(ctx: Context, name: string, code: unknown): Promise<unknown>
}

export interface ConnectParts {
  readonly host: PluginHost
  /** Seals the state that the browser carries; the same for all instances of the app. */
  readonly secret: string
  readonly throttle: Throttle
  readonly accounts: Accounts
}

/** The sign-in's state, which the browser carries from its start to its end. */
interface Journey extends Checks {
  readonly provider: string
  readonly ends: number
}

/** Milliseconds that a user may take at the provider. */
const journeyTime = 10 * 60_000

const cookie = 'stele_connect'

export function createConnect({ host, secret, throttle, accounts }: ConnectParts): Connect {
  const {
    app,
    log,
    shares: { stored },
  } = host
  const config = host.config.providers as ProviderTable
  const client = createClient(log)
  const codes = createLoginCodes(host)
  const seal = makeSeal(secret, cookie)

  const providerNamed = async (name: string): Promise<Provider> => {
    const grant = (await stored.get('grant')) as ProviderTable
    const provider = usable(name, own(config, name), own(grant, name))
    if (!provider) throw new ApplicationError('This provider is disabled')
    return provider
  }
  const usable = (
    name: string,
    ...settings: [ProviderTable[string] | undefined, ProviderTable[string] | undefined]
  ) => {
    try {
      return providerOf(name, ...settings, app)
    } catch (error) {
      if (!(error instanceof IncompleteProvider)) throw error
      log.warn({ provider: name }, `${error.message}, and stays off until it has that`)
      return undefined
    }
  }
  const remember = (ctx: Context, { redirectUri }: Provider, journey: Journey | undefined): void => {
    const { protocol, pathname } = new URL(redirectUri)
    const secure = protocol === 'https:'
    // The way to the browser may be encrypted by a proxy in front of the server.
    ctx.cookies.secure = secure
    ctx.cookies.set(cookie, journey && seal.close(journey), {
      path: pathname,
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: journey ? journeyTime : 0,
    })
  }
  return {
    check: async () => checkProviders(host, (await stored.get('grant')) as ProviderTable),
    async begin(ctx, name) {
      await throttle.check(ctx, 'connect')
      const provider = await providerNamed(name)
      const { url, checks } = await client.begin(provider)
      remember(ctx, provider, { ...checks, provider: name, ends: Date.now() + journeyTime })
      redirect(ctx, url)
    },
    async finish(ctx, name) {
      await throttle.check(ctx, 'connect-callback')
      const provider = await providerNamed(name)
      const journey = seal.open(ctx.cookies.get(cookie) ?? '') as Journey | undefined
      remember(ctx, provider, undefined)
      if (journey?.provider !== name || journey.ends < Date.now()) throw new ApplicationError(lost)
      const ahead = new URL(provider.callback)
      try {
        const identity = await client.finish(provider, ctx.querystring, journey)
        ahead.searchParams.set('access_token', await codes.make(identity))
      } catch (error) {
        if (!(error instanceof Declined)) throw error
        ahead.searchParams.set('error', /^[a-z_]{1,40}$/.test(error.message) ? error.message : 'server_error')
      }
      redirect(ctx, ahead.href)
    },
    async exchange(ctx, name, code) {
      await throttle.check(ctx, 'connect-exchange')
      await providerNamed(name)
      ctx.set('Cache-Control', 'no-store')
      if (typeof code !== 'string' || code === '') throw new ApplicationError('No access_token.')
      const identity = await codes.take(code, name)
      if (!identity) throw new ApplicationError('This access_token was used before or is too old, sign in again')
      return accounts.signIn(await accountOf(identity, accounts, await stored.get('advanced')))
    },
  }
}

/** The providers of config/plugins must be complete. */
function checkProviders({ app, log, config: { providers } }: ConnectParts['host'], grant: ProviderTable): void {
  const config = providers as ProviderTable
  for (const name of Object.keys(config))
    try {
      providerOf(name, config[name], own(grant, name), app)
    } catch (error) {
      throw new BootError(`config/plugins: users-permissions.config.providers: ${(error as Error).message}`)
    }
  // An incomplete provider that only the panel of Strapi 4 has enabled refuses sign-ins; it does not stop the start.
  const others = Object.keys(grant).filter(name => name !== 'email' && !Object.hasOwn(config, name))
  for (const name of others)
    try {
      providerOf(name, undefined, own(grant, name), app)
    } catch (error) {
      log.warn({ provider: name }, `sign-in is not possible with ${name}: ${(error as Error).message}`)
    }
}

const lost = 'This sign-in was not begun in this browser, or took too long; start again'

/** Redirects without caching: addresses hold codes and states. */
function redirect(ctx: Context, url: string): void {
  ctx.set('Cache-Control', 'no-store')
  ctx.redirect(url)
  ctx.body = ''
}

/** The settings of a name that a request brings. */
const own = (table: ProviderTable, name: string) => (Object.hasOwn(table, name) ? table[name] : undefined)
