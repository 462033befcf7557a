import { BootError } from '../errors.js'
import { type EngineName, kindOf } from './engines.js'

/** The address of one server of a database. */
export interface HostAddress {
  readonly host: string
  readonly port: number
}

/** The servers of a database, in the order in which they are tried: `a, b:3307, [::1]:3308`, or a list of the same. */
export function readPlaces(
  said: string | readonly string[],
  port: number,
  client: EngineName,
): [HostAddress, ...HostAddress[]] {
  const entries = typeof said === 'string' ? said.split(',') : said
  const [first, ...others] = entries.map(entry => readPlace(entry.trim(), port))
  if (!first || [first, ...others].some(({ host }) => host === ''))
    throw new BootError('config/database: host has an empty name in its list')
  if (others.length > 0 && !kindOf(client).hasClusters)
    throw new BootError(`config/database: host is a list of servers, which ${client} cannot use; expected one`)
  return [first, ...others]
}

/** An address of IPv6 has colons of its own: only one in brackets can say a port. */
function readPlace(entry: string, port: number): HostAddress {
  const [, bracketed, plain, own] = /^(?:\[(.*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? []
  return { host: bracketed ?? plain ?? entry, port: own === undefined ? port : Number(own) }
}
