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

/**
 * Runs a route for a context of code: policies, middlewares, the handler. What the handler returns becomes the body, or is
 * given back where nothing is there to look at it.
 */
export async function runRoute(
  ready: Ready,
  ctx: Loose,
  needs: () => void | Promise<void>,
  isSeen: boolean,
): Promise<unknown> {
  try {
    const waits = needs()
    if (waits) await waits
    for (const guard of ready.guards) await guard(ctx)
    if (ready.arounds.length === 0 && !isSeen) return valueFor(ctx, await handled(ready.handler, ctx))
    await around(ready.arounds, ctx, async () => {
      const value = valueFor(ctx, await handled(ready.handler, ctx))
      if (value !== undefined) ctx.body = value
    })
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    ctx.status = refusal.status
    ctx.body = errorBody(refusal)
  }
  return undefined
}

const handled = ({ before, run }: Handler, ctx: Loose): unknown =>
  before.length === 0 ? run(ctx, noNext) : around(before, ctx, async () => run(ctx, noNext))

/** The value that a handler has returned, where it is to be the body. */
const valueFor = (ctx: Loose, value: unknown): unknown => (value !== null && isUnset(ctx.body) ? value : undefined)

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
