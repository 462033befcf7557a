import { isIPv6 } from 'node:net'
import type { Middleware } from 'koa'

const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

/**
 * Forgets headers of a proxy, unless one of the listed addresses sent the request. Of a chain of addresses the last one that is
 * not listed counts: those before it are what the client wrote itself.
 */
export function trustOnly(addresses: readonly string[]): Middleware {
  return (ctx, next) => {
    const { headers, socket } = ctx.req
    if (!addresses.includes(asIpv4(socket.remoteAddress ?? ''))) for (const name of forwarded) delete headers[name]
    const chain = (headers['x-forwarded-for'] as string | undefined)?.split(',').map(part => asIpv4(part.trim())) ?? []
    const client = chain.findLast(address => !addresses.includes(address)) ?? chain[0]
    if (client !== undefined) headers['x-forwarded-for'] = client
    return next()
  }
}

const asIpv4 = (address: string): string => address.replace(/^::ffff:/, '')

/** The sender of a request: an IPv4 address, or the network of an IPv6 one, as a single household has 2^64 of those. */
export function senderOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(address)) return address.slice(0, 64)
  const [left = '', right] = address.split('::')
  const [start, end] = [groupsOf(left), groupsOf(right ?? '')]
  const between = right === undefined ? 0 : Math.max(0, 8 - start.length - end.length)
  const groups = [...start, ...Array<string>(between).fill('0'), ...end]
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const groupsOf = (text: string): string[] => text.split(':').filter(group => group !== '')
