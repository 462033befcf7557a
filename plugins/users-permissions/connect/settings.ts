import type { Definition } from '../../../core/index.js'

const text = { type: 'string', minLength: 1 } as const

/** `providers` in the settings: by name, in the words of OpenID Connect or of Strapi 4. */
export const providersSettings = {
  type: 'object',
  default: {},
  propertyNames: { pattern: '^[A-Za-z0-9_-]+$' },
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: {
      enabled: { type: 'boolean' },
      issuer: text,
      subdomain: text,
      clientId: text,
      key: text,
      clientSecret: text,
      secret: text,
      scope: { oneOf: [text, { type: 'array', items: text }] },
      callback: text,
      redirectUri: text,
      trustEmail: { type: 'boolean' },
    },
  },
} as const

/** Settings of one provider. */
export interface ProviderSettings {
  readonly enabled?: boolean
  /** The provider's own address, where its discovery document stands. */
  readonly issuer?: string
  /** The part of the issuer that a preset leaves open. */
  readonly subdomain?: string
  readonly clientId?: string
  readonly key?: string
  readonly clientSecret?: string
  readonly secret?: string
  readonly scope?: string | readonly string[]
  /** The page of the front end where sign-in ends. */
  readonly callback?: string
  /** The address that the provider sends the browser back to, where it is not the usual one. */
  readonly redirectUri?: string
  /** The provider vouches for every e-mail address, although it does not say so. */
  readonly trustEmail?: boolean
}

export type ProviderTable = Readonly<Record<string, ProviderSettings>>

export const loginCodeUid = 'plugin::users-permissions.login-code'

/** An identity that has just signed in at a provider, kept for a minute under a code that only the browser knows. */
export const loginCodeType: Definition = {
  uid: loginCodeUid,
  source: 'plugin users-permissions',
  schema: {
    kind: 'collectionType',
    collectionName: 'stele_login_codes',
    info: { singularName: 'login-code', pluralName: 'login-codes', displayName: 'Login code' },
    attributes: {
      hash: { type: 'string', private: true, required: true, unique: true, column: { unique: true } },
      provider: { type: 'string', required: true },
      identity: { type: 'text', private: true, required: true },
      expires: { type: 'biginteger', required: true, index: true },
    },
  },
}
