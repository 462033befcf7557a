import { FormatError } from '../errors.js'

/** `YYYY-MM-DD`; a longer ISO text is cut to its date. */
export function parseDate(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value))
    throw new FormatError('Invalid format, expected yyyy-MM-dd')
  const day = value.slice(0, 10)
  if (value.length > 10 && !/^[T ]/.test(value.slice(10))) throw new FormatError('Invalid format, expected yyyy-MM-dd')
  if (!isDate(day)) throw new FormatError('Invalid date')
  return day
}

/** The first day of year 1: not every engine has a year 0. */
const earliest = -62135596800000

/** The day exists in the calendar. */
export function isDate(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return time >= earliest && new Date(time).toISOString().startsWith(day)
}

/** `HH:mm:ss` with up to three digits of a second; stored with all three. */
export function parseTime(value: unknown): string {
  if (typeof value !== 'string') throw new FormatError(`Expected a string, got a ${typeof value}`)
  const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/.exec(value)
  if (!parts) throw new FormatError('Invalid time format, expected HH:mm:ss.SSS')
  return `${parts[1]}:${parts[2]}:${parts[3]}.${(parts[4] ?? '').padEnd(3, '0')}`
}

const instant =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** Epoch milliseconds or an ISO text; a text without a zone is UTC. */
export function parseInstant(value: unknown): number {
  const time = readInstant(value)
  // Nothing outside the four-digit years can be written back as the ISO text that is answered.
  if (time === undefined || time < earliest || time > 253402300799999)
    throw new FormatError('Invalid format, expected a timestamp or an ISO date')
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
