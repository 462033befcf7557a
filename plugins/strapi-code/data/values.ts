import type { Store } from '../../../core/index.js'
import type { Column } from './models.js'

/** An error with a name, as the layer of the database throws it. */
const named = (name: string, message: string): Error => Object.assign(new Error(message), { name })

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined

/** A value as a column of its type keeps it, before the engine's own form: refused only where it cannot be read at all. */
export function readValue({ attribute: { type }, as }: Column, value: unknown): unknown {
  if (isNothing(value)) return null
  switch (type) {
    case 'increments':
    case 'integer':
    case 'float':
    case 'decimal':
      return readNumber(value)
    case 'biginteger':
      return String(value)
    case 'boolean':
      return readBoolean(value)
    case 'datetime':
    case 'timestamp':
      return readInstant(value)
    case 'date':
      return readDate(value)
    case 'time':
      return readTime(value)
    case 'json':
    case 'array':
    case 'blocks':
      return JSON.stringify(value)
    default:
      return as === 'text' || as === 'longtext' ? plainText(value) : readAs(as, value)
  }
}

/** A value of a type that a plugin has, in the form in which it is stored. */
function readAs(as: Column['as'], value: unknown): unknown {
  switch (as) {
    case 'json':
      return JSON.stringify(value)
    case 'boolean':
      return readBoolean(value)
    case 'integer':
    case 'float':
    case 'decimal':
      return readNumber(value)
    case 'datetime':
    case 'timestamp':
      return readInstant(value)
    case 'date':
      return readDate(value)
    case 'time':
      return readTime(value)
    default:
      return plainText(value)
  }
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(',') : String(value)
}

function readNumber(value: unknown): number {
  const number = value instanceof Date ? value.getTime() : Number(value)
  if (Number.isNaN(number)) throw new Error(`Expected a valid Number, got ${String(value)}`)
  return number
}

const yes: readonly unknown[] = ['true', 't', '1', 1, true]
const no: readonly unknown[] = ['false', 'f', '0', 0, false]

const readBoolean = (value: unknown): boolean => yes.includes(value) || (!no.includes(value) && Boolean(value))

const instant =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

function readInstant(value: unknown): number {
  const time = timeOf(value)
  if (time === undefined || Number.isNaN(time))
    throw named('InvalidDatetimeFormat', 'Invalid format, expected a timestamp or an ISO date')
  return time
}

/** Milliseconds since 1970; a text without a zone is UTC. */
function timeOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  if (/^-?\d{5,15}$/.test(value)) return Number(value)
  const [, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = instant.exec(value) ?? []
  if (day === undefined || !isDay(day)) return undefined
  const offset = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, '$1:$2').toUpperCase()
  return Date.parse(`${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
}

/** The day exists in the calendar. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** `yyyy-MM-dd`; a longer text of a date and a time is cut to its day. */
function readDate(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  const isDate = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/s.test(value)
  if (!isDate) throw named('InvalidDateFormat', 'Invalid format, expected yyyy-MM-dd')
  const day = value.slice(0, 10)
  if (!isDay(day)) throw named('InvalidDateFormat', 'Invalid date')
  return day
}

function readTime(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(11, 23)
  if (typeof value !== 'string') throw named('InvalidTimeFormat', `Expected a string, got a ${typeof value}`)
  const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/.exec(value)
  if (!parts) throw named('InvalidTimeFormat', 'Invalid time format, expected HH:mm:ss.SSS')
  return `${parts[1]}:${parts[2]}:${parts[3]}.${(parts[4] ?? '').padEnd(3, '0')}`
}

/** A value of code as a statement binds it. */
export function bound(store: Pick<Store, 'encode'>, column: Column, value: unknown): unknown {
  const read = readValue(column, value)
  return read === null ? null : store.encode(column.as, read)
}
