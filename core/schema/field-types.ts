import type { EngineName, Representation } from '../store/engine.js'
import { parseDate, parseInstant, parseTime } from './dates.js'
import { print } from './print.js'
import type { AttributeBase, Field, LinkSpec } from './types.js'

/** Which operators make sense on a field. */
export type OperatorFamily = 'text' | 'order' | 'equality'

/** An attribute kind that is one column of the entry's own table. */
export interface ValueType {
  readonly name: string
  readonly kind: 'value'
  /** How engines store and read it. */
  readonly as: Representation
  /** JSON schemas of the options that this type has besides the common ones. */
  readonly options?: Readonly<Record<string, object>>
  /** Checks one attribute of a schema file beyond what a JSON schema can say; returns what is wrong. */
  readonly check?: (attribute: AttributeBase & Readonly<Record<string, unknown>>) => string | undefined
  /** Never given out, filtered or sorted. */
  readonly secret?: boolean
  readonly operators: OperatorFamily
  /** The column has a unique index whatever the schema says. */
  readonly unique?: boolean
  /** A request's value as it is stored; throws a FormatError, or a string that completes "<field> ...". */
  readonly write: (value: unknown, field: Field, engine: EngineName) => unknown
  /** A last step before storing that may take its time, such as hashing. */
  readonly seal?: (value: unknown) => Promise<unknown>
  /** A filter's text as it is compared; undefined can match nothing. */
  readonly operand: (value: unknown, loose: boolean) => unknown
  /** A stored value as it is answered, where the representation alone does not say it. */
  readonly show?: (value: unknown) => unknown
}

/** An attribute kind that leads to rows of other tables. */
export interface LinkType {
  readonly name: string
  readonly kind: 'link'
  readonly options?: Readonly<Record<string, object>>
  readonly check?: (attribute: AttributeBase & Readonly<Record<string, unknown>>) => string | undefined
  readonly link: (place: LinkPlace) => LinkSpec
}

/** What a link kind may know when it says where its rows stand. */
export interface LinkPlace {
  readonly uid: string
  readonly table: string
  readonly singularName: string
  readonly name: string
  readonly attribute: AttributeBase & Readonly<Record<string, unknown>>
  /** Names of any other type; throws a sentence when it does not exist. */
  readonly other: (uid: string) => {
    uid: string
    table: string
    singularName: string
    attribute: (name: string) => (AttributeBase & Readonly<Record<string, unknown>>) | undefined
  }
  /** All components of the app, where they may stand in any zone. */
  readonly components?: readonly string[] | undefined
  /** Takes note of what is wrong with the schema and can be lived with; absent where nothing may be wrong. */
  readonly note?: ((sentence: string) => void) | undefined
}

export type FieldType = ValueType
export type AttributeKind = ValueType | LinkType

/** Completes the sentence "<field> ..." of a validation error. */
export class WrongValue {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const mismatch = (type: string, value: unknown, cast = false) =>
  new WrongValue(
    cast
      ? `must be a \`${type}\` type, but the final value was: \`NaN\` (cast from the value \`${print(value)}\`).`
      : `must be a \`${type}\` type, but the final value was: \`${print(value)}\`.`,
  )

const textOptions = {
  minLength: { type: 'integer', minimum: 0 },
  maxLength: { type: 'integer', minimum: 0 },
  regex: { type: 'string' },
}
const numberOptions = { min: { type: ['number', 'string'] }, max: { type: ['number', 'string'] } }

/** What a varchar(255) of the layout holds on the engines that enforce it. */
const shortText = 255

function writeText(value: unknown, { attribute, type }: Field, engine: EngineName): string {
  if (typeof value !== 'string') throw mismatch('string', value)
  if (value.includes('\0')) throw new WrongValue('must not contain a null byte')
  const { maxLength, regex } = attribute as { maxLength?: number; regex?: string }
  const longest = type.as === 'text' && engine !== 'sqlite' ? Math.min(maxLength ?? shortText, shortText) : maxLength
  if (longest !== undefined && value.length > longest) throw new WrongValue(`must be at most ${longest} characters`)
  if (regex !== undefined && value !== '' && !new RegExp(regex).test(value))
    throw new WrongValue(`must match the following: "${new RegExp(regex)}"`)
  return value
}

const operandText = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

function text(name: string, more: Partial<ValueType> = {}): ValueType {
  return {
    name,
    kind: 'value',
    as: 'text',
    operators: 'text',
    options: textOptions,
    check: ({ regex }) => checkRegex(regex),
    write: writeText,
    operand: operandText,
    ...more,
  }
}

function checkRegex(regex: unknown): string | undefined {
  if (regex === undefined) return undefined
  try {
    new RegExp(String(regex))
    return undefined
  } catch {
    return `regex ${JSON.stringify(regex)} is not a regular expression`
  }
}

/** One linear pass: no backtracking over dots. */
export function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  const hasOddSign = /[\s\p{C}"<>()\\,;:]/u.test(value)
  if (at < 1 || at > 64 || value.length > 254 || hasOddSign || value.indexOf('@') !== at) return false
  const labels = value.slice(at + 1).split('.')
  return labels.length > 1 && labels.every(label => /^[\p{L}\p{N}-]{1,63}$/u.test(label))
}

const numeric = (value: unknown): number => {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return Number.NaN
  return Number(value)
}

function writeNumber(value: unknown, { attribute }: Field): number {
  const number = numeric(value)
  if (!Number.isFinite(number)) throw mismatch('number', value, true)
  const { min, max } = attribute as { min?: number; max?: number }
  if (min !== undefined && number < Number(min)) throw new WrongValue(`must be greater than or equal to ${min}`)
  if (max !== undefined && number > Number(max)) throw new WrongValue(`must be less than or equal to ${max}`)
  return number
}

function within(number: number, limit: number): number {
  if (number > limit) throw new WrongValue(`must be less than or equal to ${limit}`)
  if (number < -limit) throw new WrongValue(`must be greater than or equal to ${-limit}`)
  return number
}

function operandNumber(value: unknown, loose: boolean): unknown {
  if (value === '' && loose) return 0
  const number = numeric(value)
  if (!Number.isFinite(number)) throw new WrongValue(`${print(value)} is not a number`)
  return number
}

function number(name: string, as: Representation, more: Partial<ValueType> = {}): ValueType {
  return {
    name,
    kind: 'value',
    as,
    operators: 'order',
    options: numberOptions,
    write: writeNumber,
    operand: operandNumber,
    ...more,
  }
}

function writeInteger(value: unknown, field: Field, engine: EngineName): number {
  const number = writeNumber(value, field)
  if (!Number.isInteger(number)) throw new WrongValue('must be an integer')
  return within(number, engine === 'sqlite' ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1)
}

const largest = 2n ** 63n - 1n

function writeBig(value: unknown, { attribute }: Field): string {
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

function operandBig(value: unknown, loose: boolean): unknown {
  if (value === '' && loose) return '0'
  const big = /^[+-]?\d{1,19}$/.test(String(value)) ? BigInt(String(value)) : undefined
  if (big === undefined && loose) return undefined
  if (big === undefined) throw new WrongValue(`${print(value)} is not an integer`)
  if (big > largest || big < -largest - 1n) throw new WrongValue(`${print(value)} has more than 64 bits`)
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

function writeBoolean(value: unknown): boolean {
  const truth = truths.get(typeof value === 'string' ? value.toLowerCase() : value)
  if (truth === undefined) throw mismatch('boolean', value)
  return truth
}

function operandBoolean(value: unknown, loose: boolean): boolean {
  const said = String(value).toLowerCase()
  if (['false', 'f', '0'].includes(said) || (loose && said === '')) return false
  if (loose || ['true', 't', '1'].includes(said)) return true
  throw new WrongValue(`${print(value)} is not a boolean; true, t, 1, false, f and 0 are`)
}

function writeEnumeration(value: unknown, field: Field): unknown {
  if (typeof value === 'object') throw mismatch('string', value)
  const listed: readonly unknown[] = (field.attribute as unknown as { enum: readonly string[] }).enum
  if (!listed.includes(value)) throw new WrongValue(`must be one of the following values: ${listed.join(', ')}, `)
  return value
}

function writeEmail(value: unknown, field: Field, engine: EngineName): string {
  const written = writeText(value, field, engine)
  if (written === '') throw new WrongValue('cannot be empty')
  if (!isEmail(written)) throw new WrongValue('must be a valid email')
  return written
}

const uidPattern = /^[A-Za-z0-9-_.~]*$/

function writeUid(value: unknown, field: Field, engine: EngineName): string {
  const written = writeText(value, field, engine)
  const { regex } = field.attribute as { regex?: string }
  if (regex === undefined && !uidPattern.test(written))
    throw new WrongValue(`must match the following: "${uidPattern}"`)
  return written
}

/** bcrypt reads 72 bytes and stops at a null byte; a longer password would be weaker than it looks. */
function writePassword(value: unknown, field: Field, engine: EngineName): string {
  const written = writeText(value, field, engine)
  if (Buffer.byteLength(written) > 72) throw new WrongValue('must be at most 72 bytes long')
  return written
}

function date(
  name: string,
  as: Representation,
  parse: (value: unknown) => unknown,
  show?: ValueType['show'],
): ValueType {
  return {
    name,
    kind: 'value',
    as,
    operators: 'order',
    write: parse,
    operand: parse,
    ...(show && { show }),
  }
}

function json(name: string, check?: (value: unknown) => boolean): ValueType {
  return {
    name,
    kind: 'value',
    as: 'json',
    operators: 'equality',
    write: value => {
      if (check && !check(value)) throw mismatch('array', value)
      return JSON.stringify(value)
    },
    operand: operandJson,
  }
}

/** Documents are compared as their text: a word that is no JSON is meant as the string that it is. */
function operandJson(value: unknown): unknown {
  const text = operandText(value)
  if (typeof text !== 'string') return text
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

/** The attribute types of the specification that are columns. */
export const valueTypes: readonly ValueType[] = [
  text('string'),
  text('text', { as: 'longtext' }),
  text('richtext', { as: 'longtext' }),
  text('enumeration', {
    options: {
      enum: { type: 'array', items: { type: 'string' }, minItems: 1 },
      enumName: { type: 'string' },
    },
    check: attribute => (Array.isArray(attribute.enum) ? undefined : 'enum must list at least one value'),
    write: writeEnumeration,
  }),
  text('email', { write: writeEmail }),
  text('password', {
    secret: true,
    write: writePassword,
    seal: async value => (await import('bcrypt')).default.hash(String(value), 10),
  }),
  text('uid', {
    unique: true,
    options: { ...textOptions, targetField: { type: 'string' }, options: { type: 'object' } },
    write: writeUid,
  }),
  date('date', 'date', parseDate),
  date('time', 'time', parseTime),
  date('datetime', 'datetime', parseInstant),
  date('timestamp', 'timestamp', parseInstant, value => String(Date.parse(String(value)))),
  number('integer', 'integer', { write: writeInteger }),
  number('biginteger', 'bigint', { write: writeBig, operand: operandBig }),
  number('float', 'float'),
  number('decimal', 'decimal', {
    write: (value, field, engine) => {
      const written = writeNumber(value, field)
      return engine === 'sqlite' ? written : within(written, 99_999_999.99)
    },
  }),
  {
    name: 'boolean',
    kind: 'value',
    as: 'boolean',
    operators: 'equality',
    write: writeBoolean,
    operand: operandBoolean,
  },
  json('json'),
  json('array', Array.isArray),
  json('blocks', Array.isArray),
]

/** The id of every type: a number that requests may name as text. */
export const idType: ValueType = {
  name: 'id',
  kind: 'value',
  as: 'id',
  operators: 'order',
  write: value => value,
  operand: operandId,
}

/** A number that ids are compared with, whether or not an entry can have it; undefined equals none. */
function operandId(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** An id as it is looked up, or undefined where no entry can have it. */
export function readId(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || !/^\d{1,15}$/.test(value))) return undefined
  const id = Number(value)
  return Number.isInteger(id) && id > 0 && id <= 2 ** 31 - 1 ? id : undefined
}
