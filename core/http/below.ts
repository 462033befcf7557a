import type { Middleware } from 'koa'

/** Koa middleware for every request, or for those to a path and below it. */
export interface PluginMiddleware {
  readonly below?: string | undefined
  readonly run: Middleware
}

/** True for a path and for those below it, in any case of letters, as the router compares. */
export const isBelow = (path: string, below: string): boolean =>
  path.slice(0, below.length).toLowerCase() === below && (path.length === below.length || path[below.length] === '/')

/** The middleware for the paths that it is for: requests to others are sent as without it. */
export function placed({ below, run }: PluginMiddleware): Middleware {
  if (below === undefined) return run
  return (ctx, next) => {
    if (!isBelow(ctx.path, below)) return next()
    ctx.state.isAround = true
    return run(ctx, next)
  }
}
