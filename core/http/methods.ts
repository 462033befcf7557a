import type { Context } from 'koa'
import { MethodNotAllowedError } from '../errors.js'

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
