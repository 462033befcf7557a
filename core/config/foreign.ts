import type { ConfigFile } from './files.js'
import type { Schema } from './forms.js'
import { isSection } from './merge.js'
import { foreign, schemaOf } from './schemas.js'

/** Settings that this server has no use for, by file name: whole files it does not read, and single keys of those it does. */
export function foreignOf(files: ReadonlyMap<string, ConfigFile>): Record<string, unknown> {
  const kept = [...files].map(([name, { value }]) => {
    const schema = schemaOf(name, value)
    return [name, schema ? foreignPart(schema, value) : value] as const
  })
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined))
}

function foreignPart(schema: Schema, value: unknown): unknown {
  if (schema === foreign) return value
  if (!schema.properties || !isSection(value)) return undefined
  const parts = Object.entries(schema.properties)
    .map(([key, inner]) => [key, Object.hasOwn(value, key) ? foreignPart(inner, value[key]) : undefined] as const)
    .filter(([, part]) => part !== undefined)
  return parts.length > 0 ? Object.fromEntries(parts) : undefined
}
