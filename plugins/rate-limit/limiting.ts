import type { Context, Next } from 'koa'
import { type Caller, RateLimitError, senderOf } from '../../core/index.js'
import type { Counted, Counter } from './counter.js'
import type { Limit, Settings } from './settings.js'

/** Refuses the requests of senders beyond their limits, and says in headers how much is left. */
export function limiting({ address, caller: known, callers }: Settings, counter: Counter) {
  const named = new Map(Object.entries(callers))
  const limitOf = (actor: string | undefined): Limit | false =>
    actor === undefined ? address : (named.get(actor) ?? known)
  return (ctx: Context, next: Next): Promise<void> => {
    const { actor } = ctx.state.caller as Caller
    const limit = limitOf(actor)
    if (!limit) return next()
    const { interval } = limit
    const max = counter.maxOf(limit)
    const policy = actor === undefined ? 'address' : 'caller'
    const go = ({ passes, left, ends }: Counted): Promise<void> => {
      const seconds = Math.max(1, Math.ceil(ends / 1000))
      ctx.set('RateLimit-Policy', `"${policy}";q=${max};w=${interval}`)
      ctx.set('RateLimit', `"${policy}";r=${left};t=${seconds}`)
      if (passes) return next()
      throw new RateLimitError(seconds, `More than ${max} requests in ${interval} seconds; try again later`)
    }
    const counted = counter.count(actor ?? senderOf(ctx.ip), limit)
    return counted instanceof Promise ? counted.then(go) : go(counted)
  }
}
