import { valueTypes } from './field-types.js'
import type { Field, ValueType } from './kinds.js'
import type { ColumnLimits } from './representation.js'
import { writeText } from './values.js'

/** A value as its column takes it, whatever the attribute asks of values otherwise. The types of plugins convert as they check. */
export function converted(value: unknown, field: Field, limits: ColumnLimits): unknown {
  const { type } = field
  if (!own.has(type)) return type.write(value, field, limits)
  if (type.as === 'json') return JSON.stringify(value)
  const bare = bareOf(field)
  return type.operators === 'text' ? writeText(asText(value), bare, limits) : type.write(value, bare, limits)
}

const own: ReadonlySet<ValueType> = new Set<ValueType>(valueTypes)

const bare = new WeakMap<Field, Field>()

/** The attribute without its options. */
function bareOf(field: Field): Field {
  const known = bare.get(field) ?? { ...field, attribute: { type: field.type.name } as Field['attribute'] }
  bare.set(field, known)
  return known
}

const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : value
