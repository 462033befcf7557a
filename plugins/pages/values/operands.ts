import type { FieldInfo, OperatorInfo } from './attributes.js'

type Operand = string | number | boolean

type ComparedField = Pick<FieldInfo, 'type' | 'family'>
type Operator = Pick<OperatorInfo, 'takes' | 'families' | 'types'>

/** True if the operand is a text for values of any type. */
export const takesText = ({ families, types }: Operator): boolean =>
  types !== undefined || (families.length === 1 && families[0] === 'text')

/** The operand of a condition, from its values as they are typed; undefined where it is not complete. */
export function comparedWith(field: ComparedField, operator: Operator, values: readonly string[]): unknown {
  if (operator.takes === 'flag') return values[0] !== 'false'
  const isPart = takesText(operator)
  const read = values.map(value => operandOf(field, value, isPart))
  const [first, second] = read
  if (operator.takes === 'one') return first
  if (operator.takes === 'two') return first === undefined || second === undefined ? undefined : [first, second]
  const list = read.filter(value => value !== undefined)
  return list.length > 0 ? list : undefined
}

/** Converts typed text to a value that a field can be compared with; undefined if it is invalid. */
export function operandOf(field: ComparedField, text: string, asText: boolean): Operand | undefined {
  if (asText || field.family === 'text') return text === '' || text.includes('\0') ? undefined : text.slice(0, 10_000)
  const trimmed = text.trim()
  return readers[field.type]?.(trimmed) ?? (field.type in readers || trimmed === '' ? undefined : trimmed)
}

type Reader = (text: string) => Operand | undefined

const integer: Reader = text => (/^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined)
const number: Reader = text => (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i.test(text) ? Number(text) : undefined)
const big: Reader = text => (/^[+-]?\d{1,18}$/.test(text) ? text : undefined)
const instant: Reader = text => {
  const full = text.length === 10 ? `${text}T00:00` : text
  const time = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(full) ? full : `${full}Z`)
  return Number.isNaN(time) || !isDay(text.slice(0, 10)) ? undefined : new Date(time).toISOString()
}

const readers: Readonly<Record<string, Reader>> = {
  id: integer,
  integer,
  biginteger: big,
  float: number,
  decimal: number,
  boolean: text => (text === 'true' ? true : text === 'false' ? false : undefined),
  date: text => (isDay(text) ? text : undefined),
  time: text => {
    const parts = /^(([01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(\.\d{1,3})?)?$/.exec(text)
    return parts ? `${parts[1]}${parts[3] ?? ':00'}` : undefined
  },
  datetime: instant,
  timestamp: instant,
}

function isDay(text: string): boolean {
  const parts = /^(\d{4})-\d{2}-\d{2}$/.exec(text)
  if (!parts || parts[1] === '0000') return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The hint for a field with invalid text. */
export function expected({ type }: Pick<ComparedField, 'type'>): string {
  return expectations[type] ?? 'a value'
}

const expectations: Readonly<Record<string, string>> = {
  id: 'a whole number',
  integer: 'a whole number',
  biginteger: 'a whole number of at most 18 digits',
  float: 'a number',
  decimal: 'a number',
  boolean: 'true or false',
  date: 'a day, 2026-01-31',
  time: 'a time, 18:30 or 18:30:00',
  datetime: 'a time, 2026-01-31T18:30',
  timestamp: 'a time, 2026-01-31T18:30',
}

/** The kind of input in which a value of a type is best typed. */
export const inputTypes: Readonly<Record<string, 'number' | 'date' | 'datetime-local' | 'time'>> = {
  integer: 'number',
  float: 'number',
  decimal: 'number',
  id: 'number',
  date: 'date',
  datetime: 'datetime-local',
  timestamp: 'datetime-local',
  time: 'time',
}
