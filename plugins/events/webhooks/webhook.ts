import { BootError } from '../../../core/index.js'
import { namesOf, type StoredEvent } from '../event.js'
import { keyOf } from './sign.js'

/** A receiver of events. */
export interface Webhook {
  /** `config:build`, `added:3`, or `panel:3` for a row of Strapi 4's panel. */
  readonly key: string
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  /** Singular names or uids of the only types that it is notified of. */
  readonly types?: readonly string[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  readonly enabled: boolean
}

/** Events by the names that receivers ask for: `entry.create`, `entry.*`, `*`. */
const eventName = /^(\*|(entry|media|content)\.(\*|\w+))$/

/** The names under which a webhook wants to be told of an event. */
export function wantedNames({ events, types }: Webhook, { event, uid }: Pick<StoredEvent, 'event' | 'uid'>): string[] {
  if (types && !types.some(type => type === uid || type === uid.split(/[.:]/).at(-1))) return []
  const isWanted = (name: string) =>
    events.some(word => word === name || (word.endsWith('*') && name.startsWith(word.slice(0, -1))))
  const [own = event, ...others] = namesOf(event)
  // A pattern that matches several names causes one delivery; a webhook that asked for updates by name is notified of
  // publishing as an update.
  return [
    ...(isWanted(own) ? [own] : []),
    ...others.filter(name => events.includes(name) || (!isWanted(own) && isWanted(name))),
  ]
}

/** The webhooks of `config/webhooks`, by their names. */
export function readConfigured(value: unknown, secret: string | undefined): Webhook[] {
  if (value === undefined) return []
  const all = objectIn(value, 'config/webhooks')
  return Object.entries(all).map(([name, given]) => readOne(name, objectIn(given, `config/webhooks: ${name}`), secret))
}

const known = ['url', 'events', 'types', 'headers', 'secret', 'enabled']

function readOne(name: string, given: Readonly<Record<string, unknown>>, usual: string | undefined): Webhook {
  const at = `config/webhooks: ${name}`
  const unknown = Object.keys(given).find(key => !known.includes(key))
  if (unknown !== undefined)
    throw new BootError(`${at}: there is no setting "${unknown}"; there are ${known.join(', ')}`)
  const { url, events, types, headers = {}, secret = usual, enabled = true } = given
  if (typeof url !== 'string' || !isAddress(url))
    throw new BootError(`${at}: url is ${JSON.stringify(url)}; expected an address of http or https`)
  const names = textsIn(events, `${at}: events`, 'a list such as ["entry.create", "media.*"]') ?? ['*']
  const wrong = names.find(event => !eventName.test(event))
  if (wrong !== undefined)
    throw new BootError(
      `${at}: events has ${JSON.stringify(wrong)}; expected names such as "entry.create", "entry.*" or "*"`,
    )
  if (typeof enabled !== 'boolean')
    throw new BootError(`${at}: enabled is ${JSON.stringify(enabled)}; expected true or false`)
  const secrets =
    textsIn(typeof secret === 'string' ? [secret] : secret, `${at}: secret`, 'a text, or a list of two') ?? []
  checkSecrets(secrets, at)
  return {
    ...{ key: `config:${name}`, name, url, events: names, enabled, secrets },
    types: textsIn(types, `${at}: types`, 'a list such as ["article"]'),
    headers: headersIn(headers, at),
  }
}

export function checkSecrets(secrets: readonly string[], at: string): void {
  if (secrets.some(secret => keyOf(secret) === undefined))
    throw new BootError(
      `${at}: the secret is not "whsec_" and 24 to 64 bytes in base64; \`echo whsec_$(openssl rand -base64 32)\` makes one`,
    )
}

export function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** An address as it is shown: without a name and a password, as values of headers are not shown either. */
export function shownUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.username === '' && url.password === '')) return text
  return Object.assign(url, { username: '', password: '' }).href
}

function objectIn(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new BootError(`${at} is ${JSON.stringify(value)}; expected an object`)
}

function textsIn(value: unknown, at: string, expected: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value
  throw new BootError(`${at} is ${JSON.stringify(value)}; expected ${expected}`)
}

function headersIn(value: unknown, at: string): Record<string, string> {
  const headers = objectIn(value, `${at}: headers`)
  for (const [name, text] of Object.entries(headers))
    if (typeof text !== 'string' || !isHeader(name, text))
      throw new BootError(`${at}: headers.${name} is ${JSON.stringify(text)}; expected a text without line breaks`)
  return headers as Record<string, string>
}

/** True if a header can be sent: names are tokens, values have no control characters. */
export const isHeader = (name: string, text: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
