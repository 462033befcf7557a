import type { CodeType, Loose } from '../types.js'
import { errorBody, refusalOf } from './errors.js'
import type { Handler } from './handlers.js'
import type { Around, Guard } from './policies.js'

/** A route with all that stands around its handler. */
export interface Ready {
  readonly guards: readonly Guard[]
  readonly arounds: readonly Around[]
  readonly handler: Handler
  /** The standard action that the route is, where there is nothing around it. */
  readonly direct?: { readonly type: CodeType; readonly action: string }
}

/** Runs a route for a context of code: policies, middlewares, the handler, and what the handler returns. */
export async function runRoute({ guards, arounds, handler }: Ready, ctx: Loose): Promise<void> {
  try {
    for (const guard of guards) await guard(ctx)
    await around(arounds, ctx, async () => {
      const value = await around(handler.before, ctx, async () => handler.run(ctx, noNext))
      if (value !== undefined && value !== null && isUnset(ctx.body)) ctx.body = value
    })
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    ctx.status = refusal.status
    ctx.body = errorBody(refusal)
  }
}

const noNext = async (): Promise<void> => undefined

const isUnset = (body: unknown): boolean => body === undefined || body === null

/** Runs middlewares, each around the next, and the last around what follows. */
export function around(middlewares: readonly Around[], ctx: Loose, last: () => Promise<unknown>): Promise<unknown> {
  const from = async (index: number): Promise<unknown> => {
    const next = middlewares[index]
    if (!next) return last()
    let isCalled = false
    return next(ctx, () => {
      if (isCalled) return Promise.reject(new Error('next() called multiple times'))
      isCalled = true
      return from(index + 1)
    })
  }
  return from(0)
}
