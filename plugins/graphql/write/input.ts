import type { ContentType, Link } from '../../../core/index.js'

type Values = Readonly<Record<string, unknown>>

/**
 * The `data` of a mutation as REST takes it. Scalars, enums and zones have been read by their types; left is what these do not know:
 * parts of zones come as plain JSON, and lose what their component does not have.
 */
export function inputOf(type: ContentType, data: unknown): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, value] of Object.entries((data ?? {}) as Values)) {
    const link = type.links.get(name)
    made[name] = link?.embedded ? partsOf(link, value) : value
  }
  return made
}

function partsOf(link: Link, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => partOf(link, item))
  return partOf(link, value)
}

function partOf(link: Link, value: unknown): unknown {
  if (!isObject(value)) return value
  const { __component: uid } = value
  const types = link.types()
  const type = link.shape === 'zone' ? types.find(one => one.uid === uid) : types[0]
  if (!type) return value
  const known = Object.entries(value).filter(([name]) => name === 'id' || type.fields.has(name) || type.links.has(name))
  return { ...(link.shape === 'zone' && { __component: uid }), ...inputOf(type, Object.fromEntries(known)) }
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
