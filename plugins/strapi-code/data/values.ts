import type { Store } from '../../../core/index.js'
import type { Column } from './models.js'

/** An error with a name, as the layer of the database throws it. */
const named = (name: string, message: string): Error => Object.assign(new Error(message), { name })

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined

/** A value as a column of its type keeps it, before the engine's own form: refused only where it cannot be read at all. */
export function readValue({ attribute: { type } }: Column, value: unknown): unknown {
  if (isNothing(value)) return null
  switch (type) {
    case 'increments':
      return readNumber(value)
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
      return typeof value === 'string' ? value : plainText(value)
  }
}

const plainText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(',') : String(value)

function readNumber(value: unknown): number {
  const number = value instanceof Date ? value.getTime() : Number(value)
  if (Number.isNaN(number)) throw new Error(`Expected a valid Number, got ${String(value)}`)
  return number
}

const yes: readonly unknown[] = ['true', 't', '1', 1, true]
const no: readonly unknown[] = ['false', 'f', '0', 0, false]

const readBoolean = (value: unknown): boolean => yes.includes(value) || (!no.includes(value) && Boolean(value))

const instant = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

function readInstant(value: unknown): number {
  const time = timeOf(value)
  if (time === undefined || Number.isNaN(time))
    throw named('InvalidDatetimeFormat', 'Invalid format, expected a timestamp or an ISO date')
  return time
}

function timeOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  if (/^-?\d{5,15}$/.test(value)) return Number(value)
  if (!instant.test(value)) return undefined
  const hasTime = value.length > 10
  const hasZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(value.slice(10))
  return Date.parse(hasTime && !hasZone ? `${value.replace(' ', 'T')}Z` : value.replace(' ', 'T'))
}

function readDate(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  const day = typeof value === 'string' ? value.slice(0, 10) : ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw named('InvalidDateFormat', 'Invalid format, expected yyyy-MM-dd')
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
