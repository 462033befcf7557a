import type { ContentType } from '../schema/types.js'
import type { Engine } from './engine.js'

/** Values of attributes by their names, which code gives, as the columns of the row take them. */
export function encodedRow(
  { encode, facts }: Engine,
  { fields }: ContentType,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const columns = Object.entries(values).flatMap(([name, value]) => {
    const field = fields.get(name)
    if (!field) return []
    const written = value === null ? null : field.type.write(value, field, facts.limits)
    return [[field.column, encode(field.type.as, written)] as const]
  })
  return Object.fromEntries(columns)
}
