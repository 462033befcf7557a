import { fitTo } from '../../config/fit-to.js'
import { isSection, type Section } from '../../config/merge.js'

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly additionalProperties?: unknown
}

/** Settings that another server reads too, as far as a schema of this one knows them. */
export function supportedSettings(settings: Section, schema: unknown): Section {
  const { properties = {} } = (schema ?? {}) as Shape
  const known = Object.entries(settings).filter(([key]) => Object.hasOwn(properties, key))
  return Object.fromEntries(
    known.map(([key, value]) => {
      const inner = properties[key] as Shape
      const isClosed = isSection(value) && inner.properties !== undefined && inner.additionalProperties === false
      return [key, isClosed ? supportedSettings(value, inner) : value]
    }),
  )
}

/** Settings of which the values can be used too, and the names of the others: their defaults count. */
export function usableSettings(
  settings: Section,
  schema: unknown,
): { readonly settings: Section; readonly unusable: readonly string[] } {
  const known = supportedSettings(settings, schema)
  const { value, changed } = fitTo(known, { type: 'object', ...(schema as object | undefined) })
  const left = changed.filter(({ used }) => used === undefined)
  return {
    settings: value as Section,
    unusable: left.map(({ error }) => error.instancePath.slice(1).replaceAll('/', '.')),
  }
}

/** The names of those that it does not know: `providerOptions.host`. */
export function unknownIn(settings: Section, schema: unknown): string[] {
  const kept = supportedSettings(settings, schema)
  return Object.entries(settings).flatMap(([key, value]) => {
    if (!Object.hasOwn(kept, key)) return [key]
    const inner = ((schema ?? {}) as Shape).properties?.[key]
    const isClosed = isSection(value) && (inner as Shape).additionalProperties === false
    return isClosed ? unknownIn(value, inner).map(name => `${key}.${name}`) : []
  })
}
