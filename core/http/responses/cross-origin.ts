import cors from '@koa/cors'
import type { Middleware } from 'koa'
import { apiHeaders } from '../../config/settings.js'
import type { ServerConfig } from '../../config/types.js'

/**
 * Browsers of other origins may read, and never with cookies unless the operator lists who. They may send the headers that the
 * operator lists, or else those of the API and those that enabled plugins read: a browser blocks any other before it is sent.
 */
export function crossOrigin(
  { origin, headers, methods, expose, maxAge, credentials }: ServerConfig['cors'],
  read: readonly string[],
): Middleware {
  const listed = origin === '*' ? undefined : origin
  return cors({
    origin: listed ? ctx => (listed.includes(ctx.get('Origin')) ? ctx.get('Origin') : '') : '*',
    credentials,
    maxAge,
    exposeHeaders: [...expose],
    allowMethods: [...methods],
    allowHeaders: [...(headers ?? [...apiHeaders, ...missingFrom(apiHeaders, read)])],
  })
}

/** Each name once: names of headers are the same in capital letters. */
function missingFrom(listed: readonly string[], names: readonly string[]): string[] {
  const known = new Set(listed.map(name => name.toLowerCase()))
  return names.filter(name => !known.has(name.toLowerCase()) && known.add(name.toLowerCase()))
}
