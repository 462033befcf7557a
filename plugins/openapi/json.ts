import type { JsonSchema, JsonSchemaObject } from '../../core/index.js'

export type Properties = Readonly<Record<string, JsonSchema>>

/** An object; all of its properties are required unless told which. */
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
