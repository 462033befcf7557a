import { type Issue, ValidationError } from '../../../core/index.js'
import type { AccountWish, NewAccount } from './accounts.js'

type Body = Readonly<Record<string, unknown>>
type Rule = (value: unknown) => string | undefined

const text: Rule = value => (typeof value === 'string' ? undefined : 'must be a string')
const textOrNull: Rule = value => (value === null ? undefined : text(value))
const ids: Rule = value => {
  if (!Array.isArray(value) || !value.every(Number.isSafeInteger) || new Set(value).size < value.length)
    return 'must be a list of different ids'
  return value.length > 0 ? undefined : 'must not be empty: an account needs at least one role'
}
const truth: Rule = value => (typeof value === 'boolean' ? undefined : 'must be true or false')

const newRules = { email: text, firstname: textOrNull, lastname: textOrNull, roles: ids }
const ownRules = { firstname: textOrNull, lastname: textOrNull, username: textOrNull, language: textOrNull }
const wishRules = { ...newRules, ...ownRules, blocked: truth }

/** The data of an invitation; all that is wrong is said at once. */
export function readNew(body: unknown): Omit<NewAccount, 'password'> {
  const sent = objectOf(body)
  const missing = ['email', 'roles'].filter(name => sent[name] === undefined)
  return checked<Omit<NewAccount, 'password'>>(
    sent,
    newRules,
    missing.map(name => issue(name, 'is required')),
  )
}

/** A change of an account. A password is none: its owner chooses it. */
export const readWish = (body: unknown): AccountWish => checked<AccountWish>(objectOf(body), wishRules, [])

/** A change of the own account: names, and the language of the page. Roles and the address are for others to change. */
export const readOwn = (body: unknown): AccountWish => checked<AccountWish>(objectOf(body), ownRules, [])

function checked<Data>(sent: Body, rules: Readonly<Record<string, Rule>>, missing: readonly Issue[]): Data {
  const wrong = Object.entries(sent).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    const says = rule ? rule(value) : `is not accepted; there are ${Object.keys(rules).join(', ')}`
    return says === undefined || value === undefined ? [] : [issue(name, says)]
  })
  if (missing.length + wrong.length > 0) throw ValidationError.of([...missing, ...wrong])
  return sent as Data
}

function objectOf(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  throw new ValidationError('The body must be a JSON object')
}

const issue = (name: string, says: string): Issue => ({
  path: [name],
  message: `${name} ${says}`,
  name: 'ValidationError',
})
