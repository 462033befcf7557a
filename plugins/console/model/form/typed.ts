import type { FieldInfo } from '../meta.js'
import type { Typed } from './plain.js'
import { isSame } from './plain.js'

/** A problem of one value, without words: the page says it in the language of the account. */
export interface ValueProblem {
  readonly code: ProblemCode
  readonly params?: Readonly<Record<string, string | number>>
}

type ProblemCode =
  | 'required'
  | 'tooShort'
  | 'tooLong'
  | 'pattern'
  | 'number'
  | 'integer'
  | 'tooSmall'
  | 'tooLarge'
  | 'date'
  | 'time'
  | 'instant'
  | 'json'
  | 'list'
  | 'choice'
  | 'email'
  | 'tooFew'
  | 'tooMany'
  /** The server refused it: `params.message`. */
  | 'refused'

/** The value to send for what was typed, or why there is none. */
export type Parsed = { readonly value: unknown; readonly problem?: ValueProblem }

/** The value of the API as its control shows it. */
export function typedOf({ type }: Pick<FieldInfo, 'type'>, value: unknown): Typed {
  if (type === 'password') return ''
  if (type === 'boolean' || !isText(type)) return value ?? null
  if (value === null || value === undefined) return ''
  if (isJson(type)) return JSON.stringify(value, null, 2)
  // Timestamps are read as milliseconds, and shown like other times.
  if (type === 'timestamp' && /^-?\d+$/.test(String(value))) return new Date(Number(value)).toISOString()
  return String(value)
}

/** True if nothing was typed. */
export const isEmpty = (typed: Typed): boolean => typed === '' || typed === null || typed === undefined

/** Reads what was typed; nothing typed is null. */
export function parse(field: FieldInfo, typed: Typed): Parsed {
  if (isEmpty(typed)) return { value: null }
  if (typeof typed !== 'string') return { value: typed }
  const read = readers[field.type]
  const parsed = read ? read(typed) : { value: typed }
  return parsed.problem ? parsed : { ...parsed, ...ruleOf(field, parsed.value) }
}

/** True if both stand for one value, as `1.0` and `1` do. What cannot be read is compared as it was typed. */
export function isSameTyped(field: FieldInfo, one: Typed, other: Typed): boolean {
  if (isSame(one, other)) return true
  const [first, second] = [parse(field, one), parse(field, other)]
  const isRead = !isUnread(first) && !isUnread(second)
  return isRead && field.type !== 'password' && isSame(first.value, second.value)
}

const isUnread = ({ value }: Parsed): boolean => value === undefined

export const isJson = (type: string): boolean => type === 'json' || type === 'array'

const texts = ['string', 'text', 'richtext', 'email', 'uid', 'enumeration', 'password']
const isText = (type: string): boolean => texts.includes(type) || type in readers

const wrong = (code: ProblemCode, params?: ValueProblem['params']): Parsed => ({
  value: undefined,
  problem: { code, ...(params && { params }) },
})

type Reader = (text: string) => Parsed

const number: Reader = text => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) && !/[xob]/i.test(text) ? { value } : wrong('number')
}

const integer: Reader = text => {
  const { value, problem } = number(text)
  if (problem) return wrong('integer')
  return Number.isSafeInteger(value) ? { value } : wrong('integer')
}

/** The largest that 64 bits hold. */
const largest = 2n ** 63n - 1n

const big: Reader = text => {
  if (!/^[+-]?\d{1,40}$/.test(text.trim())) return wrong('integer')
  const value = BigInt(text.trim().replace(/^\+/, ''))
  if (value > largest) return wrong('tooLarge', { max: String(largest) })
  return value < -largest - 1n ? wrong('tooSmall', { min: String(-largest - 1n) }) : { value: String(value) }
}

const date: Reader = text => (isDay(text) ? { value: text } : wrong('date'))

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && !text.startsWith('0000')
}

const time: Reader = text => {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?$/.exec(text)
  if (!parts) return wrong('time')
  const [, hour, minute, second = '00', part = ''] = parts
  return { value: `${hour}:${minute}:${second}.${part.padEnd(3, '0')}` }
}

/** A time without a zone is UTC, as for the server. */
const instant: Reader = text => {
  if (!isDay(text.slice(0, 10))) return wrong('instant')
  const full = text.length === 10 ? `${text}T00:00` : text
  const at = Date.parse(/(z|[+-]\d\d:?\d\d)$/i.test(full.slice(10)) ? full : `${full}Z`)
  return Number.isNaN(at) ? wrong('instant') : { value: new Date(at).toISOString() }
}

const json: Reader = text => {
  try {
    return { value: JSON.parse(text) }
  } catch (reason) {
    // Some engines say where, each in its own words.
    const at = /position (\d+)/.exec(String(reason))?.[1]
    const line = at === undefined ? undefined : text.slice(0, Number(at)).split('\n').length
    return wrong('json', line === undefined ? undefined : { line })
  }
}

const list: Reader = text => {
  const parsed = json(text)
  return parsed.problem || Array.isArray(parsed.value) ? parsed : wrong('list')
}

const readers: Readonly<Record<string, Reader>> = {
  ...{ integer, biginteger: big, float: number, decimal: number },
  ...{ date, time, datetime: instant, timestamp: instant },
  ...{ json, array: list },
}

/** The rule of a field that a value does not meet. The least length is a rule for finished entries only, see `tooShort`. */
function ruleOf(field: FieldInfo, value: unknown): { problem?: ValueProblem } {
  const problem =
    typeof value === 'string' && !(field.type in readers) ? textRule(field, value) : numberRule(field, value)
  return problem ? { problem } : {}
}

function textRule({ type, maxLength, regex, enum: choices }: FieldInfo, text: string): ValueProblem | undefined {
  if (maxLength !== undefined && text.length > maxLength) return { code: 'tooLong', params: { max: maxLength } }
  if (choices && !choices.includes(text)) return { code: 'choice' }
  if (type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { code: 'email' }
  const pattern = regex ?? (type === 'uid' ? '^[A-Za-z0-9-_.~]*$' : undefined)
  return pattern !== undefined && !matches(pattern, text) ? { code: 'pattern', params: { pattern } } : undefined
}

/** A pattern that this browser cannot read is checked by the server alone. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return true
  }
}

function numberRule({ type, min, max }: FieldInfo, value: unknown): ValueProblem | undefined {
  const isBig = type === 'biginteger'
  if (!isBig && typeof value !== 'number') return undefined
  const compared = (limit: number | string): number => {
    if (!isBig) return Number(value) - Number(limit)
    // A limit that is no whole number is left to the server.
    const difference = /^-?\d+$/.test(String(limit)) ? BigInt(String(value)) - BigInt(limit) : 0n
    return difference > 0n ? 1 : difference < 0n ? -1 : 0
  }
  if (min !== undefined && compared(min) < 0) return { code: 'tooSmall', params: { min } }
  return max !== undefined && compared(max) > 0 ? { code: 'tooLarge', params: { max } } : undefined
}

/** The least length, which a draft need not have. */
export function tooShort({ minLength, family }: FieldInfo, typed: Typed): ValueProblem | undefined {
  const isShort = minLength !== undefined && family === 'text' && typeof typed === 'string' && !isEmpty(typed)
  return isShort && typed.length < minLength ? { code: 'tooShort', params: { min: minLength } } : undefined
}
