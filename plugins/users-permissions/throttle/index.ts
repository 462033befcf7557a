import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { RateLimitError, type SettingsOf } from '../../../core/index.js'
import { senderOf } from '../../../core/plugin-kit.js'
import { accountOf } from './keys.js'
import type { Attempt, Limiter } from './limiter.js'
import type { SharedPlace } from './shared-limiter.js'

const rate = (max: number, interval: number) =>
  ({
    type: 'object',
    additionalProperties: false,
    default: {},
    properties: {
      max: { type: 'integer', minimum: 1, default: max },
      interval: { type: 'integer', minimum: 1000, default: interval },
    },
  }) as const

const minute = 60_000
const hour = 60 * minute

/** `ratelimit` in the settings: the words of Strapi 4 for an address, and two slower rates for an account. */
export const throttleSettings = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    enabled: { type: 'boolean', default: true },
    /** `database`: all processes on all machines count together. */
    store: { type: 'string', enum: ['memory', 'database'], default: 'memory' },
    max: { type: 'integer', minimum: 1, default: 10 },
    /** Milliseconds; the words of Strapi 4, such as `{ min: 5 }`, are understood. */
    interval: { type: ['integer', 'object'], minimum: 1000, default: minute },
    account: rate(50, hour),
    mails: rate(5, hour),
  },
} as const

/** Slows down guessing: from one address, and at one account from many addresses. */
export interface Throttle {
  /**
   * Counts an attempt, and refuses it where there were too many. The account is named as the caller wrote it; resolves to
   * the number of attempts at it that were counted before. One request is one attempt, however often it is looked at.
   */
  check(ctx: Context, bucket: string, account?: string): Promise<number>
  /** Resets the failed attempts after the account's owner has signed in. */
  forget(bucket: string, account: string): Promise<void>
}

/** Every one of these sends a mail to an owner who may not have asked for it. */
const mailing: readonly string[] = ['forgot-password', 'send-email-confirmation']

/** Enough for every honest visitor of an hour, and a few megabytes. */
const keys = 20_000

interface Limiters {
  readonly address: Limiter
  readonly account: Limiter
  readonly mails: Limiter
}

/** The name of the counts of attempts, where all machines count together. */
export const attempts = 'attempts'

/** The place where attempts are counted: in memory, where each process allows its share, or by all processes together. */
export type CountingPlace = { readonly processes: number } | SharedPlace

export function createThrottle(settings: SettingsOf<typeof throttleSettings>, place: CountingPlace): Throttle {
  const salt = 'counts' in place ? place.secret : randomBytes(16)
  let limiters: Promise<Limiters> | undefined
  const load = async (): Promise<Limiters> => {
    const limiter = await limiterMaker(place)
    return {
      address: limiter(settings.max, milliseconds(settings.interval)),
      account: limiter(settings.account.max, settings.account.interval),
      mails: limiter(settings.mails.max, settings.mails.interval),
    }
  }
  const ready = (): Promise<Limiters> => {
    limiters ??= load()
    return limiters
  }
  const limiterOf = ({ account, mails }: Limiters, bucket: string) => (mailing.includes(bucket) ? mails : account)
  const counted = new WeakMap<object, Map<string, number>>()
  return {
    async check(ctx, bucket, account) {
      if (!settings.enabled) return 0
      const all = await ready()
      const before = counted.get(ctx.req) ?? new Map<string, number>()
      counted.set(ctx.req, before)
      const once = async (name: string, work: () => Promise<number>): Promise<number> => {
        const known = before.get(name)
        if (known !== undefined) return known
        const found = await work()
        before.set(name, found)
        return found
      }
      const count = async (limiter: Limiter, key: string, shown: boolean) => {
        const result = await limiter.attempt(`${bucket} ${key}`)
        const refused = result.consumedPoints > limiter.max
        if (shown || refused) ctx.set(headersOf(limiter, result))
        if (refused) throw new RateLimitError(result.msBeforeNext / 1000)
        return result.consumedPoints - 1
      }
      // The address comes first: one that is refused must not lock another user's account.
      await once(bucket, () => count(all.address, senderOf(ctx.ip), true))
      if (account === undefined) return 0
      return once(`${bucket} ${account}`, () => count(limiterOf(all, bucket), accountOf(account, salt), false))
    },
    async forget(bucket, account) {
      if (settings.enabled) await limiterOf(await ready(), bucket).forget(`${bucket} ${accountOf(account, salt)}`)
    },
  }
}

/** Loads the limiter of the place, with the first attempt. */
async function limiterMaker(place: CountingPlace): Promise<(max: number, interval: number) => Limiter> {
  if ('counts' in place) {
    const { SharedLimiter } = await import('./shared-limiter.js')
    return (max, interval) => new SharedLimiter({ max, interval }, place)
  }
  const { BoundedLimiter } = await import('./limiter.js')
  const share = (max: number) => Math.max(1, Math.floor(max / place.processes))
  return (max, interval) => new BoundedLimiter({ max: share(max), interval }, keys)
}

const units = { ms: 1, sec: 1000, min: minute, hour, day: 24 * hour }

function milliseconds(interval: unknown): number {
  if (typeof interval === 'number') return interval
  const parts = Object.entries(units).map(([unit, length]) => {
    const count = Number((interval as Record<string, unknown>)[unit] ?? 0)
    return Number.isFinite(count) ? count * length : 0
  })
  return Math.max(
    1000,
    parts.reduce((sum, part) => sum + part, 0),
  )
}

const headersOf = ({ max }: Limiter, { remainingPoints, msBeforeNext }: Attempt) => ({
  'X-RateLimit-Limit': String(max),
  'X-RateLimit-Remaining': String(remainingPoints),
  'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeNext) / 1000)),
})
