import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Dialect } from '../dialect.js'
import { MethodNotAllowedError, NoRouteError } from '../errors.js'
import { safePath } from '../kit/safe-path.js'

/** The methods that every route which reads has. */
export const reading = ['GET', 'HEAD']

/** A path that is there, with another method: says which it has. */
export function wrongMethod(ctx: Context, methods: readonly string[]): void {
  const order = ['HEAD', 'GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']
  const allowed = [...methods].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  if (ctx.method !== 'OPTIONS') throw new MethodNotAllowedError(allowed)
  ctx.status = 200
  ctx.set('Allow', allowed.join(', '))
  if (allowed.includes('QUERY')) ctx.set('Accept-Query', 'application/json')
  ctx.body = ''
}

/** What is known of a path that no route takes. */
interface Unrouted {
  readonly path: string
  /** The routers of its first segment. */
  readonly byMethod: ReadonlyMap<string, Router> | undefined
  /** The path that was most likely meant, while an app is developed. */
  readonly meant: string | undefined
}

/** Refuses what no route takes: a path that is not there, or a method that its routes, by their methods, do not have. */
export function unrouted(ctx: Context, { path, byMethod, meant }: Unrouted, { plainMethodErrors }: Dialect): void {
  const { method } = ctx
  const matched = [...(byMethod?.values() ?? [])].flatMap(router => router.match(path, method).path)
  if (matched.length > 0 && !(plainMethodErrors && reading.includes(method)))
    wrongMethod(ctx, [...new Set(matched.flatMap(({ methods }) => methods))])
  // Older servers answer GET everywhere: it is never the wrong method, and any other is on a path that does not exist.
  else if (plainMethodErrors && ![...reading, 'OPTIONS'].includes(method)) wrongMethod(ctx, ['HEAD', 'GET'])
  else {
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    throw new NoRouteError().because(`there is no route ${method} ${safePath(path)}${hint}`)
  }
}
