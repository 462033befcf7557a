import type { Bag, Loose } from '../../types.js'

interface TypedValue {
  readonly type: string
  readonly value: Loose
  readonly forceCast?: boolean
}

/** A value of a form or a query as an attribute of a type has it. */
export function parseType({ type, value, forceCast = false }: TypedValue): Loose {
  const read = readers[type]
  return read ? read(value, forceCast) : value
}

const yes: readonly Loose[] = ['true', 't', '1', 1, true]
const no: readonly Loose[] = ['false', 'f', '0', 0, false]

function boolean(value: Loose, forceCast: boolean): boolean {
  if (yes.includes(value)) return true
  if (no.includes(value)) return false
  if (forceCast) return Boolean(value)
  throw new Error('Invalid boolean input. Expected "t","1","true","false","0","f"')
}

function number(value: Loose): number {
  if (Number.isNaN(Number(value))) throw new Error(`Expected a valid Number, got ${value}`)
  return Number(value)
}

function time(value: Loose): string {
  if (value instanceof Date) return value.toISOString().slice(11, 23)
  const found = typeof value === 'string' ? /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,3})?)?$/.exec(value) : null
  if (!found) throw new Error('Invalid time format, expected HH:mm:ss.SSS')
  const [, hours, minutes, seconds = '00', rest = '.000'] = found
  return `${hours}:${minutes}:${seconds}${rest.padEnd(4, '0')}`
}

function date(value: Loose): string {
  const found = value instanceof Date ? value.toISOString() : String(value)
  const [, day] = /^(\d{4}-\d\d-\d\d)/.exec(found) ?? []
  if (day === undefined) throw new Error('Invalid format, expected yyyy-MM-dd')
  return day
}

function datetime(value: Loose): Date {
  const found = value instanceof Date ? value : new Date(/^\d+$/.test(String(value)) ? Number(value) : value)
  if (!Number.isNaN(found.getTime())) return found
  const error = new Error('Invalid format, expected a timestamp or an ISO date')
  error.name = 'InvalidDatetimeFormat'
  throw error
}

const text = (value: Loose): Loose => value
const readers: Readonly<Record<string, ((value: Loose, forceCast: boolean) => Loose) | undefined>> = {
  boolean,
  integer: number,
  biginteger: number,
  float: number,
  decimal: number,
  time,
  date,
  timestamp: datetime,
  datetime,
  string: text,
} satisfies Bag
