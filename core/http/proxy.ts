import type { Middleware } from 'koa'

const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

/**
 * Forgets what a proxy is said to have written, unless one of the listed addresses sent the request. Of a chain of
 * addresses the last one that is not listed counts: what stands before it is what the client wrote itself.
 */
export function trustOnly(addresses: readonly string[]): Middleware {
  return (ctx, next) => {
    const { headers, socket } = ctx.req
    if (!addresses.includes(plain(socket.remoteAddress ?? ''))) for (const name of forwarded) delete headers[name]
    const chain = (headers['x-forwarded-for'] as string | undefined)?.split(',').map(part => plain(part.trim())) ?? []
    const client = chain.findLast(address => !addresses.includes(address)) ?? chain[0]
    if (client !== undefined) headers['x-forwarded-for'] = client
    return next()
  }
}

const plain = (address: string): string => address.replace(/^::ffff:/, '')
