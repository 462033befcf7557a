import { readFileSync } from 'node:fs'
import { BootError } from '../errors.js'
import { type EngineName, engineOfScheme, isFile, kindOf } from './engines.js'

/** The address of a database, as far as one URL says it. */
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

/**
 * The encryption of a connection: none, with a certificate that is verified, as a driver's object of options says, or
 * by the name of a profile that a driver has.
 */
export type Tls = boolean | string | Readonly<Record<string, unknown>>

const unencrypted = ['', 'false', '0', 'no', 'off', 'disable', 'disabled']
const verified = ['true', '1', 'yes', 'on', 'allow', 'prefer', 'preferred', 'require', 'required']
const verifiedByMode = ['verify-ca', 'verify-full', 'verify-identity']
/** Modes that compare the name of the server also where an authority of one's own has signed it. */
const named = ['verify-full', 'verify-identity']

const wordIn = (said: string): string => said.trim().toLowerCase().replaceAll('_', '-')

/** A word for it, as variables and addresses have one; undefined for any other text. */
export function tlsWord(said: string): Tls | undefined {
  const word = wordIn(said)
  if (unencrypted.includes(word)) return false
  if (word === 'no-verify') return { rejectUnauthorized: false }
  return verified.includes(word) || verifiedByMode.includes(word) ? true : undefined
}

/** Reads the setting. A text that is neither a word nor JSON stays one: it may be the name of a profile. */
export function readTls(said: Tls | null): Tls {
  if (said === null) return false
  return typeof said === 'string' ? (tlsWord(said) ?? parsed(said) ?? said) : said
}

function parsed(said: string): Tls | undefined {
  if (!said.trim().startsWith('{')) return undefined
  try {
    return JSON.parse(said) as Tls
  } catch {
    return undefined
  }
}

/** Refuses a text that names no profile of the driver: other words have been read before. */
export function assertTls(ssl: Tls, client: EngineName, place = 'config/database'): void {
  if (typeof ssl !== 'string' || kindOf(client).tlsProfiles?.includes(ssl)) return
  // The text may be options with a key in them.
  const shown = ssl.includes('{') ? 'cannot be read' : `is ${JSON.stringify(ssl)}`
  throw new BootError(`${place}: ssl ${shown}; expected true, false, no-verify, or an object of TLS options`)
}

/** The parameters of addresses that name a file, by the option that takes its text. */
const fileParameters = {
  ca: ['sslrootcert', 'ssl-ca', 'sslca'],
  cert: ['sslcert', 'ssl-cert'],
  key: ['sslkey', 'ssl-key'],
} as const

/** `sslmode`, `ssl-mode` or plain `ssl`: whatever encrypts also checks the certificate, unless it says not to. */
function tlsOfAddress(params: URLSearchParams): Tls | undefined {
  const mode = params.get('sslmode') ?? params.get('ssl-mode') ?? params.get('ssl')
  const tls = mode === null ? undefined : readTls(mode)
  const files = filesOf(params)
  if (tls === false || files.length === 0) return tls
  return {
    ...(typeof tls === 'object' && tls),
    ...Object.fromEntries(files),
    ...(mode !== null && named.includes(wordIn(mode)) && { verifyIdentity: true }),
  }
}

function filesOf(params: URLSearchParams): [option: string, text: string][] {
  return Object.entries(fileParameters).flatMap(([option, names]) => {
    const name = names.find(name => params.get(name))
    return name === undefined ? [] : [[option, textOf(name, params.get(name) as string)]]
  })
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new BootError(`the file ${file}, which ${name} of the address of the database names, cannot be read`, {
      cause,
    })
  }
}
