import { AsyncLocalStorage } from 'node:async_hooks'
import type { Loose } from '../types.js'

/** The request that code runs for, wherever it is. */
export function makeRequestContext() {
  const current = new AsyncLocalStorage<Loose>()
  return {
    current,
    requestContext: {
      get: (): Loose => current.getStore(),
      // It gives a promise, whatever the work gives.
      run: async <T>(ctx: Loose, work: () => T): Promise<Awaited<T>> => await current.run(ctx, work),
    },
  }
}
