import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

export interface Address {
  readonly address: string
  readonly family: number
}

/** Networks that no webhook reaches unless it is allowed: this machine, private networks, and addresses that are not unicast. */
const privateNetworks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/8', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23'],
  ...['2001:db8::/32', '2002::/16', '3fff::/20', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The networks among some words. Each family has a list of its own: to a common one, addresses of IPv4 are in `::/8` as well. */
class Networks {
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() }

  constructor(words: readonly string[]) {
    for (const [network, prefix] of words.flatMap(word => networkOf(word) ?? [])) {
      const family = familyOf(network)
      this.#lists[family].addSubnet(network, prefix, family)
    }
  }

  has(address: string): boolean {
    const family = familyOf(address)
    return this.#lists[family].check(address, family)
  }
}

const blocked = new Networks(privateNetworks)

/** Private addresses that webhooks may be sent to: all, or some networks and host names. */
export class AllowedAddresses {
  readonly #all: boolean
  readonly #names: readonly string[]
  readonly #networks: Networks

  constructor(allowed: boolean | readonly string[]) {
    this.#all = allowed === true
    const words = typeof allowed === 'boolean' ? [] : allowed
    this.#names = words.filter(word => networkOf(word) === undefined).map(word => word.toLowerCase())
    this.#networks = new Networks(words)
  }

  admits(host: string, address: string): boolean {
    if (this.#all || this.#names.includes(host.toLowerCase()) || this.#networks.has(address)) return true
    return !blocked.has(address)
  }
}

/** A network such as `10.0.0.0/8`, or one address; in a list, as lists are joined by flattening them. */
function networkOf(word: string): [[string, number]] | undefined {
  const [network = '', prefix, ...rest] = word.split('/')
  const kind = isIP(network)
  const most = kind === 6 ? 128 : 32
  const length = prefix === undefined ? most : Number(prefix)
  if (kind === 0 || rest.length > 0 || !(Number.isInteger(length) && length >= 0 && length <= most)) return undefined
  return [[network, length]]
}

/**
 * The address of a host, looked up once: the request goes to this one, so that a name which means another address at a
 * second look changes nothing.
 */
export async function addressOf(hostname: string, allowed: AllowedAddresses): Promise<Address> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true })
  const usable = found.find(({ address }) => allowed.admits(host, plain(address)))
  if (usable) return usable
  const addresses = found.map(({ address }) => address).join(', ')
  throw new Error(
    `${host} is ${addresses}, a private address: the setting "privateAddresses" of the plugin events lists those that webhooks may reach`,
  )
}

/** An IPv4 address in IPv6 notation counts as IPv4. */
function plain(address: string): string {
  const [, mapped, high, low] = /^::ffff:(?:([\d.]+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (high === undefined || low === undefined) return address
  const bytes = [high, low].flatMap(part => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
  return bytes.join('.')
}
