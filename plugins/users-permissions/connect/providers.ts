import type { Config } from '../../../core/index.js'
import { serverUrl } from '../letters.js'
import { presetOf } from './presets.js'
import type { ProviderSettings } from './settings.js'

/** A provider that people can sign in with, complete. */
export interface Provider {
  readonly name: string
  readonly protocol: 'openid' | 'github'
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scope: string
  /** The address to which the provider sends the browser, and the page to which it goes from there. */
  readonly redirectUri: string
  readonly callback: string
  readonly trustEmail: boolean
}

/** The reason why an enabled provider cannot be used, as a sentence for the operator. */
export class IncompleteProvider extends Error {
  override readonly name = 'IncompleteProvider'
}

/**
 * The provider of the settings, undefined if it is disabled. The app's config overrides the settings that the panel of
 * Strapi 4 left in the database; naming a provider in the config enables it.
 */
export function providerOf(
  name: string,
  config: ProviderSettings | undefined,
  stored: ProviderSettings | undefined,
  app: Config,
): Provider | undefined {
  if (!(config ? (config.enabled ?? true) : stored?.enabled)) return undefined
  const settings: ProviderSettings = { ...filled(stored), ...config }
  const preset = presetOf(name)
  const missing = (what: string) => new IncompleteProvider(`the provider ${name} needs ${what}`)
  const issuer = settings.issuer ?? preset.issuer?.(settings)
  if (!issuer) throw missing(preset.needs)
  const clientId = config?.clientId ?? settings.key
  if (!clientId) throw missing('clientId')
  const protocol = preset.protocol ?? 'openid'
  const api = apiAddress(app)
  const scope = [...(protocol === 'openid' ? ['openid', 'email'] : []), ...scopeOf(settings, preset.scope)]
  return {
    name,
    protocol,
    issuer: addressOf(issuer, `the issuer of ${name}`),
    clientId,
    clientSecret: config?.clientSecret ?? settings.secret,
    scope: [...new Set(scope)].join(' '),
    redirectUri: settings.redirectUri ?? `${api}/connect/${name}/callback`,
    callback: addressOf(settings.callback ?? `${api}/auth/${name}/callback`, `the callback of ${name}`, api),
    trustEmail: settings.trustEmail ?? false,
  }
}

/** Rows of Strapi 4 hold empty texts for omitted settings. */
const filled = (settings: ProviderSettings | undefined): ProviderSettings =>
  Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== '' && value !== null))

function scopeOf({ scope }: ProviderSettings, preset: readonly string[] = ['profile']): readonly string[] {
  return typeof scope === 'string' ? scope.split(/\s+/) : (scope ?? preset)
}

/** Paths of older settings count from where the API is. */
function addressOf(text: string, what: string, base?: string): string {
  if (!URL.canParse(text, base)) throw new IncompleteProvider(`${what} is no address: ${JSON.stringify(text)}`)
  return new URL(text, base).href
}

/** The public address of the API from the settings; never from a request. */
function apiAddress(app: Config): string {
  const address = serverUrl(app) + app.api.prefix
  if (!URL.canParse(address)) throw new IncompleteProvider('providers need a whole address in config/server: url')
  return address
}
