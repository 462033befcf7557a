import type { Middleware } from 'koa'

const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

/** Forgets what a proxy is said to have written, unless one of the listed addresses sent the request. */
export function trustOnly(addresses: readonly string[]): Middleware {
  return (ctx, next) => {
    const sender = ctx.req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    if (!addresses.includes(sender)) for (const name of forwarded) delete ctx.req.headers[name]
    return next()
  }
}
