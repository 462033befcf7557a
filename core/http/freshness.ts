import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import type { Engine, Session } from '../engines/engine.js'
import type { Caller } from '../query/ask.js'
import { identityOf } from './gate.js'

/** Callers of whom it is known that they have written; the longest ago are forgotten first. */
const maxWriters = 10_000

/** Chooses the database that a request reads: callers who have just written, or who ask for it, get fresh data. */
export class Freshness {
  readonly #engine: Pick<Engine, 'reader' | 'relaxed'>
  readonly #writers: LRUCache<string, true>

  /** `span`: the milliseconds after which everything has arrived everywhere. */
  constructor(engine: Pick<Engine, 'reader' | 'relaxed'>, span: number) {
    this.#engine = engine
    this.#writers = new LRUCache({ max: maxWriters, ttl: span })
  }

  /** The session that the response to a read comes from. */
  session(caller: Caller, ctx: Context): Session {
    const { reader, relaxed } = this.#engine
    return relaxed && this.#mayLag(caller, ctx) ? relaxed() : reader
  }

  /** A request that may have written was answered. */
  wrote(caller: Caller, ctx: Context): void {
    const identity = identityOf(caller, ctx)
    if (identity !== undefined) this.#writers.set(identity, true)
  }

  #mayLag(caller: Caller, ctx: Context): boolean {
    if (/\bno-cache\b/i.test(ctx.req.headers['cache-control'] ?? '')) return false
    const identity = identityOf(caller, ctx)
    return identity === undefined || !this.#writers.has(identity)
  }
}

type Serve = (ctx: Context, caller: Caller) => Promise<void>

/** A caller that may have written reads its own write in its next request. */
export function noting(freshness: Freshness, serve: Serve): Serve {
  return async (ctx, caller) => {
    try {
      await serve(ctx, caller)
    } finally {
      freshness.wrote(caller, ctx)
    }
  }
}
