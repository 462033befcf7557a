const instant = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const day = /^\d{4}-\d\d-\d\d$/
const clock = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,3}))?$/

/** Readers return the value as REST takes it, and undefined for one that is none. */
export function parseDateTime(value: unknown): string | undefined {
  const [, date] = (typeof value === 'string' && instant.exec(value)) || []
  return date !== undefined && isDay(date) ? new Date(value as string).toISOString() : undefined
}

export const parseDate = (value: unknown): string | undefined =>
  typeof value === 'string' && day.test(value) && isDay(value) ? value : undefined

export const parseTime = (value: unknown): string | undefined =>
  typeof value === 'string' && clock.test(value) ? showTime(value) : undefined

/** Large numbers stay digits. */
export function parseLong(value: unknown): number | string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? showLong(BigInt(value)) : undefined
  return typeof value === 'string' && /^[+-]?\d{1,40}$/.test(value) ? showLong(value.replace('+', '')) : undefined
}

/** A stored time as ISO text; timestamps are milliseconds. */
export function showDateTime(value: unknown): string {
  const isCount = typeof value === 'string' && /^-?\d+$/.test(value)
  return new Date(isCount ? Number(value) : (value as string | number | Date)).toISOString()
}

/** `10:15:30` is `10:15:30.000`. */
export function showTime(value: unknown): string {
  const [whole = '', part = ''] = String(value).split('.')
  return `${whole}.${part.slice(0, 3).padEnd(3, '0')}`
}

/** A number as long as it is exact. */
export function showLong(value: unknown): number | string {
  const exact = BigInt(value as string | number | bigint)
  return exact <= Number.MAX_SAFE_INTEGER && exact >= Number.MIN_SAFE_INTEGER ? Number(exact) : String(exact)
}

function isDay(text: string): boolean {
  const found = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(found.getTime()) && found.toISOString().startsWith(text)
}
