import { type Issue, ValidationError, WrongValue } from '../../core/index.js'
import { isEmail } from '../../core/plugin-kit.js'

/** Completes "<field> ..." where a value is wrong. */
type Rule = (value: unknown) => string | WrongValue | undefined

const text: Rule = value =>
  typeof value === 'string'
    ? undefined
    : new WrongValue('must be a string', `must be a \`string\` type, but the final value was: \`${shown(value)}\`.`)

/** Text that may be empty, as it is read. */
const textOrNull: Rule = value => (value === null ? undefined : text(value))

/** Text that an account is looked up by. */
const name: Rule = value => text(value) ?? (String(value).includes('\0') ? 'must not contain a null byte' : undefined)

const email: Rule = value => text(value) ?? (isEmail(String(value)) ? undefined : 'must be a valid email')
const anything: Rule = () => undefined

export const rules = { text, textOrNull, name, email, anything }

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 200)

type Texts<Rules> = { readonly [Name in keyof Rules]: string }

/** The fields of a body that has to have all of them; everything that is missing or wrong is said at once, in their order. */
export function readBody<const Rules extends Readonly<Record<string, Rule>>>(
  body: unknown,
  wanted: Rules,
): Texts<Rules> {
  const sent = objectOf(body)
  const issues = issuesOfAll(sent, wanted)
  if (issues.length > 0) throw ValidationError.of(issues)
  return Object.fromEntries(Object.keys(wanted).map(name => [name, sent[name]])) as Texts<Rules>
}

/** Checks the known fields that a body has. */
export function checkBody(body: unknown, known: Readonly<Record<string, Rule>>): void {
  const issues = issuesOfKnown(objectOf(body), known)
  if (issues.length > 0) throw ValidationError.of(issues)
}

type Fields = Readonly<Record<string, unknown>>

/** The complaints about fields that all have to be there. */
export const issuesOfAll = (sent: Fields, wanted: Readonly<Record<string, Rule>>): Issue[] =>
  Object.entries(wanted).flatMap(([name, rule]): Issue[] => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (value === undefined || value === null || value === '') return [issue(name, required)]
    const wrong = rule(value)
    return wrong === undefined ? [] : [issue(name, wrong)]
  })

/** The complaints about those of the fields that are there. */
export const issuesOfKnown = (sent: Fields, known: Readonly<Record<string, Rule>>): Issue[] =>
  Object.entries(known).flatMap(([name, rule]): Issue[] => {
    const wrong = Object.hasOwn(sent, name) ? rule(sent[name]) : undefined
    return wrong === undefined ? [] : [issue(name, wrong)]
  })

/** A body that is no object holds nothing. */
export const objectOf = (body: unknown): Fields =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}

const required = new WrongValue('is required', 'is a required field')

/** A complaint about one field. */
export function issue(name: string, wrong: string | WrongValue): Issue {
  const { reason, older } = typeof wrong === 'string' ? new WrongValue(wrong) : wrong
  return {
    path: [name],
    message: `${name} ${reason}`,
    name: 'ValidationError',
    ...(older !== undefined && { older: `${name} ${older}` }),
  }
}
