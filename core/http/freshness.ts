import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../hooks.js'
import { identityOf } from './identity.js'

/** Callers of whom it is known that they have written; the longest ago are forgotten first. */
const kept = 10_000

/** Tells which answers may be a little behind: not those for callers who have just written, nor for whoever says so. */
export class Freshness {
  readonly #writers: LRUCache<string, true>

  /** `span`: the milliseconds after which everything has arrived everywhere. */
  constructor(span: number) {
    this.#writers = new LRUCache({ max: kept, ttl: span })
  }

  /** A request that may have written was answered. */
  wrote(caller: Caller, ctx: Context): void {
    const identity = identityOf(caller, ctx)
    if (identity !== undefined) this.#writers.set(identity, true)
  }

  mayLag(caller: Caller, ctx: Context): boolean {
    if (/\bno-cache\b/i.test(ctx.req.headers['cache-control'] ?? '')) return false
    const identity = identityOf(caller, ctx)
    return identity === undefined || !this.#writers.has(identity)
  }
}
