import type { JsonSchema, JsonSchemaObject } from '../../core/index.js'
import type { Schemas } from './schemas.js'

/** True or false as a query says it: the values of a query are text. */
export const truthRef = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('Truth', () => ({
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false', 't', 'f', '1', '0'] }],
    description: 'true, t or 1; false, f or 0',
  }))

/** The schema of a parameter with the words that a query takes for true and false. */
export function sentAs(schemas: Schemas, schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema
  const { type, anyOf, ...rest } = schema
  if (type === 'boolean') return { ...truthRef(schemas), ...rest }
  if (!Array.isArray(anyOf)) return schema
  return { ...schema, anyOf: (anyOf as JsonSchema[]).map(option => sentAs(schemas, option)) }
}
