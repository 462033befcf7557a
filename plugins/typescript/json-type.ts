import type { JsonSchema, JsonSchemaObject } from '../../core/index.js'
import { type Member, objectOf, quoted, unionOf } from './text.js'

/** The type that a reference of a schema stands for; undefined where there is none. */
export type ResolveRef = (ref: unknown) => string | undefined

/** The TypeScript type of a JSON schema, as far as the compiler can tell. */
export function jsonType(schema: JsonSchema | undefined, resolve: ResolveRef = () => undefined, indent = ''): string {
  if (schema === undefined || schema === true) return 'unknown'
  if (schema === false) return 'never'
  const inner = (part: unknown) => jsonType(part as JsonSchema, resolve, indent)
  const { $ref, enum: words, anyOf, oneOf, allOf, type } = schema
  if ($ref !== undefined) return resolve($ref) ?? 'unknown'
  if (Object.hasOwn(schema, 'const')) return literal(schema.const)
  if (Array.isArray(words)) return unionOf(words.map(literal))
  const choice = anyOf ?? oneOf
  if (Array.isArray(choice)) return unionOf(choice.map(inner))
  if (Array.isArray(allOf)) return allOf.map(part => bracketed(inner(part))).join(' & ')
  if (Array.isArray(type)) return unionOf(type.map(one => inner({ ...schema, type: one })))
  return plainType(schema, resolve, indent)
}

function plainType(schema: JsonSchemaObject, resolve: ResolveRef, indent: string): string {
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `${bracketed(jsonType(schema.items as JsonSchema | undefined, resolve, indent))}[]`
    default:
      return schema.type === 'object' || schema.properties ? objectType(schema, resolve, indent) : 'unknown'
  }
}

function objectType(schema: JsonSchemaObject, resolve: ResolveRef, indent: string): string {
  const { properties, required = [], additionalProperties } = schema
  if (!properties) {
    const values = additionalProperties as JsonSchema | undefined
    return `Record<string, ${values === false ? 'never' : jsonType(values, resolve, indent)}>`
  }
  const members = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, property]): Member => ({
      name,
      type: jsonType(property, resolve, `${indent}  `),
      optional: !(required as readonly string[]).includes(name),
    }),
  )
  return objectOf(members, indent)
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? quoted(value) : value === null || typeof value !== 'object' ? String(value) : 'unknown'

/** A union or an intersection as a part of another type. */
export const bracketed = (type: string): string => (/ [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type)
