import type { ProviderSettings } from './settings.js'

/** Defaults of a provider, before any setting. */
interface Preset {
  readonly issuer?: (settings: ProviderSettings) => string | undefined
  /** The setting that is missing for an issuer. */
  readonly needs: string
  /** GitHub signs people in with plain OAuth 2 and its own API. */
  readonly protocol?: 'github'
  readonly scope?: readonly string[]
}

const openid: Preset = { needs: 'issuer' }

const presets: Readonly<Record<string, Preset>> = {
  google: { issuer: () => 'https://accounts.google.com', needs: 'issuer' },
  gitlab: { issuer: () => 'https://gitlab.com', needs: 'issuer' },
  auth0: { issuer: ({ subdomain }) => subdomain && `https://${subdomain}.auth0.com/`, needs: 'subdomain or issuer' },
  keycloak: { issuer: ({ subdomain }) => subdomain && `https://${subdomain}`, needs: 'subdomain or issuer' },
  // Without a tenant, an attacker could bring an address from a directory of their own.
  microsoft: {
    issuer: ({ subdomain }) => subdomain && `https://login.microsoftonline.com/${subdomain}/v2.0`,
    needs: 'subdomain (the id of the tenant) or issuer',
  },
  github: {
    issuer: () => 'https://github.com',
    needs: 'issuer',
    protocol: 'github',
    scope: ['read:user', 'user:email'],
  },
}

/** Any other name is a provider of OpenID Connect that is known by its issuer. */
export const presetOf = (name: string): Preset => (Object.hasOwn(presets, name) && presets[name]) || openid
