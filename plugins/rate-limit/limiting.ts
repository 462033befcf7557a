import type { Context, Next } from 'koa'
import { LRUCache } from 'lru-cache'
import { type Caller, RateLimitError, senderOf } from '../../core/index.js'
import type { Limit, Settings } from './settings.js'

/** Addresses and callers that are counted at the same time: those unused for longest begin anew. */
const most = 50_000

/** What one sender has sent in its interval. */
interface Window {
  count: number
  /** When the next interval begins, on the clock of the process. */
  readonly ends: number
}

/** Each process counts for itself: of several that serve the app together, each lets its share pass. */
export function limiting({ address, caller: known, callers }: Settings, processes: number) {
  const share = (limit: Limit | false): Limit | undefined =>
    limit ? { ...limit, max: Math.max(1, Math.floor(limit.max / processes)) } : undefined
  const [ofAddress, ofCaller] = [share(address), share(known)]
  const named = new Map(Object.entries(callers).map(([name, limit]) => [name, share(limit)]))
  const windows = new LRUCache<string, Window>({ max: most })

  const limitOf = (actor: string | undefined): Limit | undefined => {
    if (actor === undefined) return ofAddress
    return named.has(actor) ? named.get(actor) : ofCaller
  }
  return (ctx: Context, next: Next): Promise<void> => {
    const { actor } = ctx.state.caller as Caller
    const limit = limitOf(actor)
    if (!limit) return next()
    const now = performance.now()
    const key = actor ?? senderOf(ctx.ip)
    let window = windows.get(key)
    if (!window || window.ends <= now) {
      window = { count: 0, ends: now + limit.interval * 1000 }
      windows.set(key, window)
    }
    window.count += 1
    const seconds = Math.ceil((window.ends - now) / 1000)
    const policy = actor === undefined ? 'address' : 'caller'
    ctx.set('RateLimit-Policy', `"${policy}";q=${limit.max};w=${limit.interval}`)
    ctx.set('RateLimit', `"${policy}";r=${Math.max(0, limit.max - window.count)};t=${seconds}`)
    if (window.count > limit.max)
      throw new RateLimitError(seconds, `More than ${limit.max} requests in ${limit.interval} seconds; try again later`)
    return next()
  }
}
