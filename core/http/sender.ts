import { isIPv6 } from 'node:net'

/** Who sends: an IPv4 address, or the network of an IPv6 one, as a single household has 2^64 of those. */
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
