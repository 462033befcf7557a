const time = (usual: string) => ({ type: 'string', pattern: '^[1-9]\\d{0,3}[mhd]$', default: usual }) as const

const lifetime = (idle: string, most: string) =>
  ({
    type: 'object',
    additionalProperties: false,
    default: {},
    properties: {
      /** A session ends when it was not used for so long. */
      idle: time(idle),
      /** It ends after so long, however much it is used. */
      most: time(most),
    },
  }) as const

/** `sessions` in the settings; times are `30m`, `12h` or `30d`. */
export const sessionsSettings = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    usual: lifetime('12h', '30d'),
    /** Of an editor who asks to stay signed in. */
    kept: lifetime('30d', '90d'),
  },
} as const

const units = { m: 60_000, h: 3600_000, d: 24 * 3600_000 }

/** Milliseconds of such a time. */
export const millisecondsOf = (time: string): number =>
  Number(time.slice(0, -1)) * units[time.slice(-1) as keyof typeof units]
