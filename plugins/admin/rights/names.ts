import type { ContentType } from '../../../core/index.js'

/**
 * The attributes that names stand for, down to the parts of components: `seo` is `seo.metaTitle` and the rest of it. Names of
 * attributes that are gone stand for nothing.
 */
export function leavesIn(type: ContentType, names: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const name of names) for (const leaf of leavesAt([type], name.split('.'), [])) found.add(leaf)
  return found
}

/** All attributes of a type, down to the parts of components. */
export const leavesOf = (type: ContentType): ReadonlySet<string> => leavesIn(type, namesOf(type))

export const namesOf = ({ fields, links }: ContentType): string[] => [...fields.keys(), ...links.keys()]

/** Attributes as the panel of Strapi 4 lists them: parts of components by dots, zones by their name. */
export function storedNames(type: ContentType, leaves: ReadonlySet<string>): string[] {
  const found = new Set(leaves)
  for (const { name, shape } of type.links.values()) {
    const parts = shape === 'zone' ? [...leavesIn(type, [name])] : []
    if (parts.length === 0 || !parts.every(part => found.has(part))) continue
    for (const part of parts) found.delete(part)
    found.add(name)
  }
  return [...found]
}

/** The leaves with a name for each component of which all are there, as they are meant together. */
export function withWholes(type: ContentType, leaves: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(leaves)
  for (const name of namesOf(type)) {
    const parts = [...leavesIn(type, [name])]
    if (parts.length > 0 && parts.every(part => leaves.has(part))) {
      for (const part of parts) found.delete(part)
      found.add(name)
    }
  }
  return found
}

function leavesAt(
  types: readonly ContentType[],
  [name = '', ...rest]: readonly string[],
  seen: readonly ContentType[],
) {
  const leaves = new Set<string>()
  for (const type of types) {
    const inner = partsOf(type, name).filter(part => !seen.includes(part))
    // A component within itself is one leaf: its parts have no end.
    if (inner.length === 0 && rest.length === 0 && (type.fields.has(name) || type.links.has(name))) leaves.add(name)
    const below = [...seen, type]
    const paths = rest.length > 0 ? [rest] : [...new Set(inner.flatMap(namesOf))].map(one => [one])
    for (const path of paths) for (const leaf of leavesAt(inner, path, below)) leaves.add(`${name}.${leaf}`)
  }
  return leaves
}

/** The components that an attribute has. */
const partsOf = ({ links }: ContentType, name: string): readonly ContentType[] => {
  const link = links.get(name)
  return link?.embedded ? link.types() : []
}
