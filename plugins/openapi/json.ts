import type { JsonSchema, JsonSchemaObject } from '../../core/index.js'

export type Properties = Readonly<Record<string, JsonSchema>>

/** An object; all of its properties are required unless `required` names some. */
export const object = (
  properties: Properties,
  required: readonly string[] = Object.keys(properties),
): JsonSchemaObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

export const listOf = (items: JsonSchema): JsonSchemaObject => ({ type: 'array', items })

export const anyOf = (...schemas: readonly JsonSchema[]): JsonSchemaObject => ({ anyOf: schemas })

/** The schema, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || Object.keys(schema).length === 0) return schema
  const { type, enum: words, anyOf: options } = schema
  if (Array.isArray(options)) return { ...schema, anyOf: [...options, { type: 'null' }] }
  if (typeof type !== 'string') return anyOf(schema, { type: 'null' })
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) }
}

/** A schema, or a reference to one, with a description beside it. */
export const described = (schema: JsonSchema, description: string): JsonSchema =>
  typeof schema === 'boolean' ? schema : { ...schema, description }

/** Keywords whose members are named by the author of a schema, and are schemas. */
const named = ['properties', 'patternProperties', '$defs', 'dependentSchemas']
/** Keywords that hold values, in which nothing is a keyword. */
const values = ['const', 'enum', 'example', 'examples']

/**
 * A schema of a request, with its defaults in words: generators of clients take an attribute with a `default` for one
 * that is always there, which is so in responses alone.
 */
export function sent<S extends JsonSchema>(schema: S): S {
  if (typeof schema !== 'object') return schema
  const { default: fallback, ...rest } = schema
  const entries = Object.entries(rest).map(([key, value]) => [key, sentPart(key, value)])
  const described = fallback === undefined ? {} : { description: withFallback(schema.description, fallback) }
  return { ...Object.fromEntries(entries), ...described } as S
}

function sentPart(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || values.includes(key)) return value
  if (Array.isArray(value)) return value.map(one => sentPart('', one))
  if (!named.includes(key)) return sent(value as JsonSchemaObject)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sentPart('', inner)]))
}

const withFallback = (description: unknown, fallback: unknown): string =>
  [description, `where it is not sent: ${JSON.stringify(fallback)}`].filter(Boolean).join('; ')
