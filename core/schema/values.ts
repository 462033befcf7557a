import { FormatError } from '../errors.js'
import { print } from '../kit/print.js'
import type { Field } from './kinds.js'
import type { ColumnLimits } from './representation.js'

/** No two entries may have the same value of the attribute. */
export const isUnique = ({ attribute, type }: Field): boolean =>
  attribute.unique === true || type.unique === true || attribute.column?.unique === true

/** Completes the sentence "<field> ..." of a validation error. */
export class WrongValue {
  readonly reason: string
  /** The same for a dialect without plain messages, where its words are others. */
  readonly older: string | undefined
  constructor(reason: string, older?: string) {
    this.reason = reason
    this.older = older
  }
}

const wanted = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  mixed: 'JSON',
} as const
export type JsonType = keyof typeof wanted

/** A value of another type than the attribute takes; `cast` is the type it was cast to before the check, in a dialect that says so. */
export function mismatch(type: JsonType, value: unknown, cast?: 'NaN' | 'null'): WrongValue {
  const found = cast === undefined ? `\`${print(value)}\`` : `\`${cast}\` (cast from the value \`${print(value)}\`)`
  return new WrongValue(`must be ${wanted[type]}`, `must be a \`${type}\` type, but the final value was: ${found}.`)
}

export function writeText(value: unknown, { attribute, type }: Field, limits: ColumnLimits): string {
  if (typeof value !== 'string') throw mismatch('string', value)
  if (value.includes('\0')) throw new WrongValue('must not contain a null byte')
  const { maxLength, regex } = attribute as { maxLength?: number; regex?: string }
  const longest = type.as === 'text' ? Math.min(maxLength ?? Infinity, limits.shortText) : maxLength
  if (longest !== undefined && value.length > longest) throw new WrongValue(`must be at most ${longest} characters`)
  if (regex !== undefined && value !== '' && !new RegExp(regex).test(value))
    throw new WrongValue(`must match the following: "${new RegExp(regex)}"`)
  return value
}

/** One linear pass: no backtracking over dots. */
export function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  const hasOddSign = /[\s\p{C}"<>()\\,;:]/u.test(value)
  if (at < 1 || at > 64 || value.length > 254 || hasOddSign || value.indexOf('@') !== at) return false
  const labels = value.slice(at + 1).split('.')
  return labels.length > 1 && labels.every(label => /^[\p{L}\p{N}-]{1,63}$/u.test(label))
}

/** Text as JSON bodies and queries may write a number. */
export const numeric = (value: unknown): number => {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return Number.NaN
  return Number(value)
}

export function writeNumber(value: unknown, { attribute }: Field): number {
  const number = numeric(value)
  if (!Number.isFinite(number)) throw mismatch('number', value, 'NaN')
  const { min, max } = attribute as { min?: number; max?: number }
  if (min !== undefined && number < Number(min)) throw new WrongValue(`must be greater than or equal to ${min}`)
  if (max !== undefined && number > Number(max)) throw new WrongValue(`must be less than or equal to ${max}`)
  return number
}

export function within(number: number, limit: number): number {
  if (number > limit) throw new WrongValue(`must be less than or equal to ${limit}`)
  if (number < -limit) throw new WrongValue(`must be greater than or equal to ${-limit}`)
  return number
}

export function writeInteger(value: unknown, field: Field, limits: ColumnLimits): number {
  const number = writeNumber(value, field)
  if (!Number.isInteger(number)) throw new WrongValue('must be an integer')
  return within(number, limits.integer)
}

/** The largest that 64 bits hold. */
export const largest = 2n ** 63n - 1n

export function writeBig(value: unknown, { attribute }: Field): string {
  const written = typeof value === 'number' ? String(value) : value
  if (typeof written !== 'string' || !/^[+-]?\d{1,19}$/.test(written))
    throw new WrongValue('must be an integer of at most 19 digits, written as a string or a number')
  const big = BigInt(written)
  if (big > largest || big < -largest - 1n) throw new WrongValue(`must be between ${-largest - 1n} and ${largest}`)
  const { min, max } = attribute as { min?: string; max?: string }
  if (min !== undefined && big < BigInt(min)) throw new WrongValue(`must be greater than or equal to ${min}`)
  if (max !== undefined && big > BigInt(max)) throw new WrongValue(`must be less than or equal to ${max}`)
  return String(big)
}

const truths = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  [false, false],
  [0, false],
  ['0', false],
  ['true', true],
  ['false', false],
])

export function writeBoolean(value: unknown): boolean {
  const truth = truths.get(typeof value === 'string' ? value.toLowerCase() : value)
  if (truth === undefined) throw mismatch('boolean', value)
  return truth
}

export function writeEnumeration(value: unknown, field: Field): unknown {
  if (typeof value === 'object') throw mismatch('string', value)
  const { enum: listed = [] } = field.attribute as { enum?: readonly unknown[] }
  if (!listed.includes(value))
    throw new WrongValue(
      `must be one of ${listed.join(', ')}`,
      `must be one of the following values: ${listed.join(', ')}, `,
    )
  return value
}

export function writeEmail(value: unknown, field: Field, limits: ColumnLimits): string {
  const written = writeText(value, field, limits)
  if (written === '') throw new WrongValue('cannot be empty')
  if (!isEmail(written)) throw new WrongValue('must be a valid email')
  return written
}

export const uidPattern = /^[A-Za-z0-9-_.~]*$/

export function writeUid(value: unknown, field: Field, limits: ColumnLimits): string {
  const written = writeText(value, field, limits)
  const { regex } = field.attribute as { regex?: string }
  if (regex === undefined && !uidPattern.test(written))
    throw new WrongValue(`must match the following: "${uidPattern}"`)
  return written
}

/** bcrypt reads 72 bytes and stops at a null byte; a longer password would be weaker than it looks. */
export function writePassword(value: unknown, field: Field, limits: ColumnLimits): string {
  const written = writeText(value, field, limits)
  if (Buffer.byteLength(written) > 72) throw new WrongValue('must be at most 72 bytes long')
  return written
}

/** An id as it is looked up, or undefined if no entry can have it. */
export function readId(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || !/^\d{1,15}$/.test(value))) return undefined
  const id = Number(value)
  return Number.isInteger(id) && id > 0 && id <= 2 ** 31 - 1 ? id : undefined
}

/** `YYYY-MM-DD`; a longer ISO text is cut to its date. */
export function parseDate(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) throw notADate()
  const day = value.slice(0, 10)
  if (value.length > 10 && !/^[T ]/.test(value.slice(10))) throw notADate()
  if (!isDate(day)) throw new FormatError('Invalid date', 'a day of the calendar')
  return day
}

const notADate = () => new FormatError('Invalid format, expected yyyy-MM-dd', 'a date of the form yyyy-MM-dd')

/** The first day of year 1: not every engine has a year 0. */
const earliest = -62135596800000

/** The day exists in the calendar. */
function isDate(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return time >= earliest && new Date(time).toISOString().startsWith(day)
}

/** `HH:mm:ss` with up to three digits of a second; stored with all three. */
export function parseTime(value: unknown): string {
  const wanted = 'a time of the form HH:mm:ss.SSS'
  if (typeof value !== 'string') throw new FormatError(`Expected a string, got a ${typeof value}`, wanted)
  const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/.exec(value)
  if (!parts) throw new FormatError('Invalid time format, expected HH:mm:ss.SSS', wanted)
  return `${parts[1]}:${parts[2]}:${parts[3]}.${(parts[4] ?? '').padEnd(3, '0')}`
}

const instant =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** Epoch milliseconds or an ISO text; a text without a zone is UTC. */
export function parseInstant(value: unknown): number {
  const time = readInstant(value)
  // Nothing outside the four-digit years can be written back as the ISO text that is returned.
  if (time === undefined || time < earliest || time > 253402300799999)
    throw new FormatError(
      'Invalid format, expected a timestamp or an ISO date',
      'an ISO 8601 date, or milliseconds since 1970',
    )
  return time
}

function readInstant(value: unknown): number | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime()
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  if (/^-?\d{5,15}$/.test(value)) return Number(value)
  const parts = instant.exec(value)
  if (!parts?.[1] || !isDate(parts[1])) return undefined
  const [, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = parts
  const offset =
    zone.toUpperCase() === 'Z' ? 'Z' : zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  const time = Date.parse(`${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(time) ? undefined : time
}
