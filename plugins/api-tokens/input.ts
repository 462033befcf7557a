import { type Issue, ValidationError } from '../../core/index.js'
import { nearest } from '../../core/plugin-kit.js'
import { type TokenType, tokenTypes } from './content-types.js'
import { readLifespan } from './lifespan.js'
import type { TokenRow } from './token-rows.js'

/** A token as a request describes it. */
export interface TokenWish {
  readonly name: string
  readonly description: string
  readonly type: TokenType
  readonly permissions: readonly string[]
  readonly lifespan: number | null
}

type Fields = Readonly<Record<string, unknown>>
type Former = Pick<TokenRow, keyof TokenWish>

const writable = ['name', 'description', 'type', 'permissions', 'lifespan']
/** Parts of a response that may come back with a change; they are the server's to say. */
const served = ['id', 'accessKey', 'expiresAt', 'lastUsedAt', 'createdAt', 'updatedAt']
const longest = 255
const mostIssues = 20

/** Reads a new token, and reports all errors in it at once. */
export function readNew(body: unknown, known: readonly string[]): TokenWish {
  return read(fieldsOf(body), known, { description: '', type: 'read-only', permissions: [], lifespan: null })
}

/** Checks a change of a token: omitted fields stay as they are. */
export function readChange(body: unknown, known: readonly string[], former: Former): TokenWish {
  // Actions of a plugin that is disabled now stay granted.
  return read(fieldsOf(body), [...known, ...former.permissions], former, former.lifespan)
}

/** The fields stand in `data`, as everywhere, or directly in the body, as the panel of Strapi 4 sends them. */
function fieldsOf(body: unknown): Fields {
  const data = isObject(body) && Object.hasOwn(body, 'data') ? body.data : body
  if (!isObject(data)) throw ValidationError.missingData()
  return data
}

function read(fields: Fields, known: readonly string[], former: Partial<Former>, fixed?: number | null): TokenWish {
  const issues: Issue[] = []
  const complain = (path: readonly string[], message: string) => {
    issues.push({ path, message: `${path.join('.')} ${message}`, name: 'ValidationError' })
  }
  for (const name of Object.keys(fields))
    if (!writable.includes(name) && !served.includes(name)) complain([shortened(name)], unknownField(name))
  const given = (name: keyof Former) => (fields[name] === undefined ? former[name] : fields[name])

  const name = readText(given('name'))
  if (!name) complain(['name'], `must be a text of 1 to ${longest} characters`)
  const description = readText(given('description') ?? '')
  if (description === undefined) complain(['description'], `must be a text of at most ${longest} characters`)
  const type = tokenTypes.find(one => one === given('type'))
  if (!type) complain(['type'], `must be one of ${tokenTypes.join(', ')}`)
  const lifespan = readLifespan(given('lifespan') ?? null)
  if (lifespan === undefined)
    complain(['lifespan'], 'must be 7d, 30d, 90d, unlimited, or a number of milliseconds up to 100 years')
  else if (fixed !== undefined && lifespan !== fixed)
    complain(['lifespan'], 'cannot be changed: the key it belongs to is in use already')
  const permissions = type && readPermissions(fields.permissions, { type, former, known }, complain)

  if (issues.length > 0) throw ValidationError.of(issues.slice(0, mostIssues))
  return { name, description, type, permissions, lifespan } as TokenWish
}

/** The grants that a token of a type may be given. */
interface Grantable {
  readonly type: TokenType
  readonly former: Partial<Former>
  /** All actions that there are. */
  readonly known: readonly string[]
}

/** Actions, each once; undefined where something is wrong with them, which is told. */
function readPermissions(
  sent: unknown,
  { type, former, known }: Grantable,
  complain: (path: readonly string[], message: string) => void,
): readonly string[] | undefined {
  const isList = Array.isArray(sent)
  if (type !== 'custom') {
    if (isList ? sent.length > 0 : sent !== undefined && sent !== null)
      complain(['permissions'], 'must be left out: only a custom token lists actions')
    return []
  }
  if (sent === undefined && former.type === 'custom') return former.permissions
  if (!isList) {
    complain(['permissions'], 'must be a list of actions, such as ["api::article.article.find"]')
    return undefined
  }
  const granted = new Set(known)
  const wrong = sent.findIndex(action => !granted.has(action))
  if (wrong < 0) return [...new Set(sent as string[])]
  complain(['permissions', String(wrong)], unknownAction(sent[wrong], known))
  return undefined
}

function unknownAction(action: unknown, known: readonly string[]): string {
  if (typeof action !== 'string') return 'must be the name of an action, such as api::article.article.find'
  return `is no action: there is no "${shortened(action)}"${meant(action, known)}`
}

const unknownField = (name: string): string =>
  `is no field of a token${meant(name, writable) || `; there are ${writable.join(', ')}`}`

/** Compares words of a slip's length only: long texts would take their time. */
function meant(word: string, known: readonly string[]): string {
  const near = word.length <= longest ? nearest(word, known) : undefined
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** Text that every engine can store in a column of this length. */
function readText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return [...text].length <= longest && !text.includes('\0') ? text : undefined
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}...` : text)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
