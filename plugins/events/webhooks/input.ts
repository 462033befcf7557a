import { type Issue, ValidationError } from '../../../core/index.js'
import { rowEvents, type WebhookRow } from './rows.js'
import { isAddress, isHeader, shownUrl } from './webhook.js'

type Fields = Readonly<Record<string, unknown>>
type Complain = (path: readonly string[], message: string) => void

const known = ['name', 'url', 'headers', 'events', 'enabled']
const longestName = 255
const longestUrl = 2048
const mostHeaders = 50
const anyName = 'x'

/** Reads a new webhook, or what a change makes of a stored one; all that is wrong is said at once. */
export function readWebhook(body: unknown, stored?: WebhookRow): WebhookRow {
  const sent = dataOf(body)
  const issues: Issue[] = []
  const complain: Complain = (path, message) => {
    issues.push({ path, message: `${path.join('.')} ${message}`, name: 'ValidationError' })
  }
  for (const name of Object.keys(sent))
    if (!known.includes(name)) complain([name.slice(0, 50)], `is not accepted; there are ${known.join(', ')}`)
  const isUrlSent = sent.url !== undefined && !(stored && sent.url === shownUrl(stored.url))
  const { name, events, enabled }: Fields = { events: [], enabled: true, ...stored, ...sent }
  const url = isUrlSent ? sent.url : stored?.url
  const wished = { name: readText(name), url: readUrl(url), events: readEvents(events, stored?.events ?? []), enabled }
  if (wished.name === undefined) complain(['name'], `must be a text of 1 to ${longestName} characters`)
  if (wished.url === undefined) complain(['url'], 'must be an address of http or https')
  else if (isUrlSent && shownUrl(wished.url) !== wished.url)
    complain(['url'], 'must have no name and no password: send them in the header Authorization')
  if (!wished.events) complain(['events'], `must be a list of at least one of ${rowEvents.join(', ')}`)
  if (typeof wished.enabled !== 'boolean') complain(['enabled'], 'must be true or false')
  const isMoved = stored !== undefined && wished.url !== undefined && originOf(wished.url) !== originOf(stored.url)
  const headers = readHeaders(sent.headers, { stored: stored?.headers ?? {}, isMoved }, complain)
  if (issues.length > 0) throw ValidationError.of(issues)
  return { ...wished, headers } as WebhookRow
}

interface StoredHeaders {
  readonly stored: Readonly<Record<string, string>>
  /** The webhook gets another server, which must not learn what the former one was told. */
  readonly isMoved: boolean
}

/** Values of headers are never shown: `true` keeps the stored one. */
function readHeaders(sent: unknown, { stored, isMoved }: StoredHeaders, complain: Complain): Record<string, string> {
  const given = sent === undefined ? Object.fromEntries(Object.keys(stored).map(name => [name, true])) : sent
  if (!isObject(given) || Object.keys(given).length > mostHeaders) {
    complain(['headers'], `must be an object of at most ${mostHeaders} texts`)
    return {}
  }
  const found = Object.entries(given).map(([name, value]): [string, string] => {
    const at = ['headers', name.slice(0, 50)]
    if (value === true && isMoved) complain(at, 'has to be sent again, as the address is that of another server')
    const kept = value === true ? Object.entries(stored).find(([one]) => isSame(one, name)) : undefined
    const [as, text] = kept ?? [name, value]
    if (typeof text !== 'string' || !isHeader(anyName, text)) complain(at, 'must be a text without line breaks')
    else if (!isHeader(as, text)) complain(at, 'is no name of a header: these have letters, digits and dashes')
    return [as, String(text)]
  })
  return Object.fromEntries(found)
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function readEvents(value: unknown, stored: readonly string[]): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || new Set(value).size !== value.length) return undefined
  return value.every(name => rowEvents.includes(name) || stored.includes(name)) ? value : undefined
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longestName && !value.includes('\0')
    ? value
    : undefined

const readUrl = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= longestUrl && !/\s|\0/.test(value) && isAddress(value)
    ? value
    : undefined

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

/** Fields stand in `data`, as everywhere. */
function dataOf(body: unknown): Fields {
  const data = isObject(body) ? body.data : undefined
  if (!isObject(data)) throw ValidationError.missingData()
  return data
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
