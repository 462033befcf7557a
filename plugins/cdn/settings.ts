const seconds = { type: 'integer', minimum: 0 } as const

/** Lifetime of responses in caches; `false` disables caching. */
const lifetime = {
  type: ['object', 'boolean'],
  not: { const: true },
  additionalProperties: false,
  properties: {
    /** Seconds in browsers, which no purge reaches. */
    maxAge: { ...seconds, default: 0 },
    /** Seconds in the cache between server and clients. */
    sMaxAge: seconds,
    /** Seconds for which a cache may send an outdated response while it fetches the new one. */
    staleWhileRevalidate: seconds,
  },
} as const

const cache = {
  type: 'object',
  required: ['to'],
  additionalProperties: false,
  properties: {
    to: { enum: ['varnish', 'fastly', 'cloudflare'] },
    /** The address of Varnish; of the other two, where they are not reached at their usual address. */
    url: { type: 'string', pattern: '^https?://' },
    /** The id of a service of Fastly, or of a zone of Cloudflare. */
    id: { type: 'string', minLength: 1 },
    token: { type: 'string', minLength: 1 },
  },
} as const

/** `config/plugins: cdn.config` */
export const settings = {
  type: 'object',
  properties: {
    /** Lifetimes by uid of the type; all others have `default`. A response depends on several types: the shortest time wins. */
    types: { type: 'object', additionalProperties: lifetime, default: {} },
    default: { ...lifetime, default: false },
    /** Characters of keys in one header; a response with more has the key `many` instead, which every purge names. */
    mostKeys: { type: 'integer', minimum: 100, maximum: 16_000, default: 4000 },
    /** Caches to purge. Needs the plugin `events`. */
    purge: { type: 'array', items: cache, default: [] },
    /** Milliseconds that a cache has for its response. */
    timeout: { type: 'integer', minimum: 100, maximum: 60_000, default: 10_000 },
  },
} as const

export interface Lifetime {
  readonly maxAge: number
  readonly sMaxAge?: number
  readonly staleWhileRevalidate?: number
}

export interface CacheSettings {
  readonly to: 'varnish' | 'fastly' | 'cloudflare'
  readonly url?: string
  readonly id?: string
  readonly token?: string
}

export interface Settings {
  readonly types: Readonly<Record<string, Lifetime | false>>
  readonly default: Lifetime | false
  readonly mostKeys: number
  readonly purge: readonly CacheSettings[]
  readonly timeout: number
}
