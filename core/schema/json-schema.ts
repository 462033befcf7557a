import type { DeclaredAttribute } from './attribute.js'

/** A JSON schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = boolean | JsonSchemaObject
export interface JsonSchemaObject {
  readonly [keyword: string]: unknown
}

/** JSON schemas of the values of an attribute. None of them allows null: any attribute may have no value. */
export interface ValueShape {
  /** The schema of a value in a response. */
  readonly read: JsonSchema
  /** The schema of a value in the data of a write; that of `read` by default. */
  readonly write?: JsonSchema
  /** The schema of a value as the operand of a filter; that of `read` by default. */
  readonly operand?: JsonSchema
}

type Shapes = (attribute: DeclaredAttribute) => ValueShape

/** A field, as far as it tells the shape of its values. */
interface ShapedField {
  readonly type: { readonly json?: Shapes }
  readonly attribute: DeclaredAttribute
}

/** The values of a field in all three places; anything where its type does not say. */
export function shapeOfField({ type, attribute }: ShapedField): Required<ValueShape> {
  const { read, write = read, operand = read } = type.json?.(attribute) ?? { read: {} }
  return { read, write, operand }
}

/** The same schema for responses, writes and operands. */
const same =
  (read: JsonSchema): Shapes =>
  () => ({ read })

/** Text; its length in a write is bounded by the options of the attribute. */
const text =
  (read: JsonSchemaObject = { type: 'string' }, write: JsonSchemaObject = read): Shapes =>
  attribute => ({ read, write: { ...write, ...textBounds(attribute) }, operand: { type: 'string' } })

function textBounds({ minLength, maxLength, regex }: DeclaredAttribute): JsonSchemaObject {
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    // An empty text is written whatever the expression says.
    ...(typeof regex === 'string' && { pattern: `^$|${regex}` }),
  }
}

const choice: Shapes = ({ enum: words }) => ({ read: { type: 'string', enum: words } })

/** Numbers; a text that is a number is written as well, and clients had better send a number. */
const number =
  (type: 'integer' | 'number'): Shapes =>
  ({ min, max }) => ({
    read: { type },
    write: {
      type,
      ...(min !== undefined && { minimum: Number(min) }),
      ...(max !== undefined && { maximum: Number(max) }),
    },
  })

const digits = { type: 'string', pattern: '^[+-]?\\d{1,19}$' }
const big: Shapes = () => {
  const sent = { anyOf: [digits, { type: 'integer' }] }
  return { read: { type: 'string', pattern: '^-?\\d{1,19}$' }, write: sent, operand: sent }
}

const date: Shapes = same({ type: 'string', format: 'date' })
const time: Shapes = () => {
  const clock = '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d'
  const sent = { type: 'string', pattern: `${clock}(\\.\\d{1,3})?$` }
  return { read: { type: 'string', pattern: `${clock}(\\.\\d+)?$` }, write: sent, operand: sent }
}

/** Instants are read as one text and written as any ISO text, or as milliseconds since 1970. */
const instant =
  (read: JsonSchema): Shapes =>
  () => {
    const sent = {
      description: 'an ISO 8601 text, or milliseconds since 1970',
      anyOf: [{ type: 'string' }, { type: 'integer' }],
    }
    return { read, write: sent, operand: sent }
  }

/** The shapes of the types of core, for those of plugins as well. */
export const shapes = { same, text, choice, number, big, date, time, instant }
