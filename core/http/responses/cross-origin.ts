import cors from '@koa/cors'
import type { Middleware } from 'koa'
import type { ServerConfig } from '../../config/types.js'

/** Browsers of other origins may read, and never with cookies unless the operator lists who. */
export function crossOrigin({
  origin,
  headers,
  methods,
  expose,
  maxAge,
  credentials,
}: ServerConfig['cors']): Middleware {
  const listed = origin === '*' ? undefined : origin
  return cors({
    origin: listed ? ctx => (listed.includes(ctx.get('Origin')) ? ctx.get('Origin') : '') : '*',
    credentials,
    maxAge,
    exposeHeaders: [...expose],
    allowMethods: [...methods],
    allowHeaders: [...headers],
  })
}
