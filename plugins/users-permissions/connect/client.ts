import { LRUCache } from 'lru-cache'
import type { ClientAuth, Configuration } from 'openid-client'
import { ApplicationError, type Log, UnavailableError } from '../../../core/index.js'
import type { Identity } from './accounts.js'
import { githubProfile, githubServer } from './github.js'
import { openidProfile } from './openid.js'
import { identityOf } from './profile.js'
import type { Provider } from './providers.js'

/** The library is loaded at the first sign-in of this kind. */
export type Library = typeof import('openid-client')

/** The values that have to come back unchanged from the provider. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The talk with providers. */
export interface Client {
  /** The address to send the browser to, and the values to remember until it comes back. */
  begin(provider: Provider): Promise<{ readonly url: string; readonly checks: Checks }>
  /** The identity that came back; throws a `Declined` if the provider rejected it. */
  finish(provider: Provider, query: string, checks: Checks): Promise<Identity>
}

/** The provider itself says that there will be no sign-in; its word is a short one, such as `access_denied`. */
export class Declined extends Error {
  override readonly name = 'Declined'
}

export function createClient(log: Log): Client {
  // Configurations of providers are read again once an hour.
  const known = new LRUCache<string, Promise<Configuration>>({ max: 50, ttl: 3600_000 })
  const configuration = (provider: Provider): Promise<Configuration> => {
    const key = JSON.stringify(provider)
    const former = known.get(key)
    if (former) return former
    const found = discover(provider).catch(error => {
      known.delete(key)
      log.error({ err: error, provider: provider.name }, 'a sign-in provider cannot be used')
      throw new UnavailableError(`The provider ${provider.name} is not available right now, try again later`)
    })
    known.set(key, found)
    return found
  }
  return {
    async begin(provider) {
      const config = await configuration(provider)
      const library = await import('openid-client')
      const checks = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      }
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: provider.redirectUri,
        scope: provider.scope,
        state: checks.state,
        ...(provider.protocol === 'openid' && { nonce: checks.nonce }),
        code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },
    async finish(provider, query, { state, nonce, verifier }) {
      const config = await configuration(provider)
      const library = await import('openid-client')
      const address = new URL(provider.redirectUri)
      address.search = query
      const openid = provider.protocol === 'openid'
      try {
        const tokens = await library.authorizationCodeGrant(config, address, {
          expectedState: state,
          pkceCodeVerifier: verifier,
          ...(openid && { expectedNonce: nonce, idTokenExpected: true }),
        })
        const profile = await (openid ? openidProfile : githubProfile)(library, config, tokens)
        return identityOf(profile, provider)
      } catch (error) {
        throw refusalOf(error, provider, library, log)
      }
    },
  }
}

async function discover(provider: Provider): Promise<Configuration> {
  const library = await import('openid-client')
  const issuer = new URL(provider.issuer)
  const { clientId, clientSecret } = provider
  const signIn = authentication(library, clientSecret)
  const rules = provider.protocol === 'openid' ? [library.enableNonRepudiationChecks] : []
  // Plain HTTP is allowed to this machine only.
  if (issuer.protocol === 'http:' && isLocal(issuer.hostname)) rules.push(library.allowInsecureRequests)
  if (provider.protocol === 'openid')
    return library.discovery(issuer, clientId, undefined, signIn, { execute: rules, timeout })
  const config = new library.Configuration(githubServer(issuer), clientId, undefined, signIn)
  config.timeout = timeout
  for (const rule of rules) rule(config)
  return config
}

/** Seconds that a provider gets for a response. */
const timeout = 10

const isLocal = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host)

/** Authentication of the server at a provider: in the form if the provider accepts that, in a header otherwise. */
function authentication(library: Library, secret: string | undefined): ClientAuth {
  if (secret === undefined) return library.None()
  const [inForm, inHeader] = [library.ClientSecretPost(secret), library.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const takesForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (takesForm ? inForm : inHeader)(server, ...rest)
  }
}

/** The error for the browser: it holds nothing that a provider sent, and the log never gets a token. */
function refusalOf(error: unknown, { name }: Provider, library: Library, log: Log): unknown {
  if (error instanceof ApplicationError) return error
  if (error instanceof library.AuthorizationResponseError) return new Declined(error.error)
  const { message, code } = error as { message: string; code?: string }
  log.warn({ provider: name, reason: message, code }, 'a sign-in through a provider was refused')
  if (error instanceof TypeError || code === 'OAUTH_TIMEOUT')
    return new UnavailableError(`The provider ${name} is not available right now, try again later`)
  return new ApplicationError(`The sign-in with ${name} could not be completed, start again`)
}
