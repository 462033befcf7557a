import { BootError } from '../errors.js'
import { type EngineName, engineOfScheme, isFile } from './engines.js'
import { type Tls, tlsOfAddress } from './tls.js'

/** Where a database is, as far as one URL says it. */
export interface Address {
  readonly client: EngineName
  readonly filename?: string
  readonly host?: string
  readonly port?: number
  readonly database?: string
  readonly user?: string
  readonly password?: string
  readonly ssl?: Tls
  readonly schema?: string
}

/** The sentence for an address that cannot be read. */
export const addresses =
  'mysql://user:password@host:port/name, the same with postgres:, or sqlite:path (special characters percent-encoded)'

/** Reads a database URL; undefined when it is none. */
export function readAddress(text: string): Address | undefined {
  try {
    const [, scheme = '', rest = ''] = /^([\w-]+):(.*)$/s.exec(text) ?? []
    const client = engineOfScheme(scheme)
    if (client === undefined) return undefined
    return isFile(client) ? fileAddress(client, rest) : serverAddress(client, new URL(text))
  } catch (error) {
    if (error instanceof BootError) throw error
    // A URL or a percent sequence that does not parse: the caller knows where the text came from and says so.
    return undefined
  }
}

/** `sqlite:data.db`, `sqlite:/var/data.db`, `sqlite:///var/data.db`, `sqlite::memory:` */
function fileAddress(client: EngineName, rest: string): Address | undefined {
  const filename = decodeURIComponent(rest.replace(/\?.*$/s, '').replace(/^\/\/(?=.)/, ''))
  return filename ? { client, filename } : undefined
}

function serverAddress(client: EngineName, url: URL): Address | undefined {
  const host = decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')) || url.searchParams.get('host')
  const database = decodeURIComponent(url.pathname.slice(1))
  if (url.hash || database.includes('/')) return undefined
  const schema = url.searchParams.get('schema')
  const ssl = tlsOfAddress(url.searchParams)
  return {
    client,
    ...(host && { host }),
    ...(url.port && { port: Number(url.port) }),
    ...(database && { database }),
    ...(url.username && { user: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(schema && { schema }),
    ...(ssl !== undefined && { ssl }),
  }
}
