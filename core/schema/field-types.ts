import { type JsonSchema, shapes } from './json-schema.js'
import type { ValueType } from './kinds.js'
import { operandBig, operandBoolean, operandId, operandJson, operandNumber, operandText } from './operands.js'
import type { Representation } from './representation.js'
import {
  mismatch,
  parseDate,
  parseInstant,
  parseTime,
  uidPattern,
  within,
  writeBig,
  writeBoolean,
  writeEmail,
  writeEnumeration,
  writeInteger,
  writeNumber,
  writePassword,
  writeText,
  writeUid,
} from './values.js'

export type * from './kinds.js'

const textOptions = {
  minLength: { type: 'integer', minimum: 0 },
  maxLength: { type: 'integer', minimum: 0 },
  regex: { type: 'string' },
} as const
const numberOptions = { min: { type: ['number', 'string'] }, max: { type: ['number', 'string'] } } as const

type TextOptions = typeof textOptions
type NumberOptions = typeof numberOptions
type NoOptions = Readonly<Record<never, never>>

function text<const Name extends string>(
  name: Name,
  more: Partial<ValueType<Name, TextOptions>> = {},
): ValueType<Name, TextOptions> {
  return {
    name,
    kind: 'value',
    as: 'text',
    operators: 'text',
    options: textOptions,
    check: ({ regex }) => checkRegex(regex),
    write: writeText,
    operand: operandText,
    json: shapes.text(),
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

function number<const Name extends string>(
  name: Name,
  as: Representation,
  more: Partial<ValueType<Name, NumberOptions>> = {},
): ValueType<Name, NumberOptions> {
  return {
    name,
    kind: 'value',
    as,
    operators: 'order',
    options: numberOptions,
    write: writeNumber,
    operand: operandNumber,
    json: shapes.number('number'),
    ...more,
  }
}

const uidShape: ValueType['json'] = attribute =>
  shapes.text()({ ...attribute, regex: attribute.regex ?? uidPattern.source })

function date<const Name extends string>(
  name: Name,
  as: Representation,
  parse: (value: unknown) => unknown,
  { json, show }: Pick<ValueType, 'json' | 'show'>,
): ValueType<Name, NoOptions> {
  return {
    name,
    kind: 'value',
    as,
    operators: 'order',
    write: parse,
    operand: parse,
    ...(json && { json }),
    ...(show && { show }),
  }
}

function json<const Name extends string>(
  name: Name,
  read: JsonSchema,
  check?: (value: unknown) => boolean,
): ValueType<Name, NoOptions> {
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
    json: () => ({ read, operand: { description: 'the whole document, as JSON text or as the word that it is' } }),
  }
}

/** The attribute types of the specification that are columns. */
export const valueTypes = [
  text('string'),
  text('text', { as: 'longtext' }),
  text('richtext', { as: 'longtext' }),
  {
    ...text('enumeration', {
      check: attribute => (Array.isArray(attribute.enum) ? undefined : 'enum must list at least one value'),
      write: writeEnumeration,
      json: shapes.choice,
    }),
    options: {
      enum: { type: 'array', items: { type: 'string' }, minItems: 1 },
      enumName: { type: 'string' },
    },
  },
  text('email', { write: writeEmail, json: shapes.text({ type: 'string', format: 'email' }) }),
  text('password', {
    secret: true,
    write: writePassword,
    seal: async value => (await import('@node-rs/bcrypt')).default.hash(String(value), 10),
  }),
  {
    ...text('uid', { unique: true, write: writeUid, json: uidShape }),
    options: { ...textOptions, targetField: { type: 'string' }, options: { type: 'object' } },
  },
  date('date', 'date', parseDate, { json: shapes.date }),
  date('time', 'time', parseTime, { json: shapes.time }),
  date('datetime', 'datetime', parseInstant, { json: shapes.instant({ type: 'string', format: 'date-time' }) }),
  date('timestamp', 'timestamp', parseInstant, {
    json: shapes.instant({ type: 'string', pattern: '^-?\\d+$' }),
    show: value => String(Date.parse(String(value))),
  }),
  number('integer', 'integer', { write: writeInteger, json: shapes.number('integer') }),
  number('biginteger', 'bigint', { write: writeBig, operand: operandBig, json: shapes.big }),
  number('float', 'float'),
  number('decimal', 'decimal', {
    write: (value, field, limits) => within(writeNumber(value, field), limits.decimal),
  }),
  {
    name: 'boolean',
    kind: 'value',
    as: 'boolean',
    operators: 'equality',
    write: writeBoolean,
    operand: operandBoolean,
    json: shapes.same({ type: 'boolean' }),
  },
  json('json', {}),
  json('array', { type: 'array', items: {} }, Array.isArray),
  json('blocks', { type: 'array', items: {} }, Array.isArray),
] as const

/** The id of every type: a number that requests may name as text. */
export const idType: ValueType = {
  name: 'id',
  kind: 'value',
  as: 'id',
  operators: 'order',
  write: value => value,
  operand: operandId,
  json: shapes.same({ type: 'integer' }),
}
