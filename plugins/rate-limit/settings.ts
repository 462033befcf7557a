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
          interval: { type: 'integer', minimum: 1 },
        },
      },
    ],
    default: { max },
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
    /** For requests of single routes, beside the others: `POST /comments`. With `false` they are not counted at all. */
    routes: { type: 'object', additionalProperties: limit(60), default: {} },
    /** The counter's scope: each process, or all processes of all machines together. */
    store: { type: 'string', enum: ['memory', 'database'], default: 'memory' },
  },
} as const

export interface Limit {
  readonly max: number
  readonly interval: number
}

/** A limit as the settings have it. */
type LimitSetting = false | { readonly max: number; readonly interval?: number }

/** The settings as they were checked: defaults do not reach into alternatives, so the interval may be missing. */
export interface SaidSettings {
  readonly address: LimitSetting
  readonly caller: LimitSetting
  readonly callers: Readonly<Record<string, LimitSetting>>
  readonly routes: Readonly<Record<string, LimitSetting>>
}

const usual = 60

const limitOf = (said: LimitSetting): Limit | false => said && { max: said.max, interval: said.interval ?? usual }

const limitsOf = (said: Readonly<Record<string, LimitSetting>>): Settings['callers'] =>
  Object.fromEntries(Object.entries(said).map(([name, one]) => [name, limitOf(one)]))

/** The limits, each with its interval. */
export const readSettings = ({ address, caller, callers, routes }: SaidSettings): Settings => ({
  ...{ address: limitOf(address), caller: limitOf(caller) },
  ...{ callers: limitsOf(callers), routes: limitsOf(routes) },
})

export interface Settings {
  readonly address: Limit | false
  readonly caller: Limit | false
  readonly callers: Readonly<Record<string, Limit | false>>
  readonly routes: Readonly<Record<string, Limit | false>>
}
