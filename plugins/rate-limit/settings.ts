/** Requests in an interval, which is in seconds; `false` for no limit. */
const limit = (max: number) =>
  ({
    anyOf: [
      { type: 'boolean', const: false },
      {
        type: 'object',
        additionalProperties: false,
        required: ['max'],
        properties: {
          max: { type: 'integer', minimum: 1 },
          interval: { type: 'integer', minimum: 1, default: 60 },
        },
      },
    ],
    default: { max, interval: 60 },
  }) as const

/** `config/plugins: rate-limit.config` */
export const settings = {
  type: 'object',
  properties: {
    /** For an address, of requests without credentials. */
    address: limit(600),
    /** For an account or a token, wherever its requests come from. */
    caller: limit(3000),
    /** The same for single callers, by their names in the log: `token 1`, `user 3`. */
    callers: { type: 'object', additionalProperties: limit(3000), default: {} },
    /** Where requests are counted: by each process, or by all processes of all machines together. */
    store: { type: 'string', enum: ['memory', 'database'], default: 'memory' },
  },
} as const

export interface Limit {
  readonly max: number
  readonly interval: number
}

export interface Settings {
  readonly store: 'memory' | 'database'
  readonly address: Limit | false
  readonly caller: Limit | false
  readonly callers: Readonly<Record<string, Limit | false>>
}
