import type { ContentType } from '../schema/types.js'

/** The attributes that a caller may name of a type: whole ones, and components of which it may name some parts. */
export type Named = ReadonlyMap<string, true | Named>

/**
 * The attributes that names stand for: `seo.social.title` is a part of a component in a component, and `blocks.text` one of each
 * component of a zone that has it. Names behind relations stand for nothing.
 */
export function namedIn(types: readonly ContentType[], names: ReadonlySet<string>): Named {
  const found = new Map<string, true | Named>()
  const inner = new Map<string, Set<string>>()
  for (const name of names) {
    const cut = name.indexOf('.')
    if (cut >= 0) inner.set(name.slice(0, cut), (inner.get(name.slice(0, cut)) ?? new Set()).add(name.slice(cut + 1)))
    else if (types.some(({ fields, links }) => fields.has(name) || links.has(name))) found.set(name, true)
  }
  for (const [name, parts] of inner) {
    if (found.has(name)) continue
    const below = namedIn(componentsAt(types, name), parts)
    if (below.size > 0) found.set(name, below)
  }
  return found
}

/** The same with each component as a whole one of which every part is named. */
export function withWholes(types: readonly ContentType[], named: Named): Named {
  const found = new Map<string, true | Named>()
  for (const [name, parts] of named) {
    const targets = parts === true ? [] : componentsAt(types, name)
    const below = parts === true || withWholes(targets, parts)
    found.set(name, below === true || targets.every(type => isWhole(type, below)) || below)
  }
  return found
}

const componentsAt = (types: readonly ContentType[], name: string): readonly ContentType[] =>
  types.flatMap(type => type.links.get(name) ?? []).flatMap(link => (link.embedded ? link.types() : []))

const isWhole = ({ fields, links }: ContentType, named: Named): boolean =>
  [...fields.keys(), ...links.keys()].every(name => named.get(name) === true)

/** True where some component may be named in part only. */
export const hasParts = (named: Named): boolean => [...named.values()].some(parts => parts !== true)

/** The attributes that two callers may name. */
export function common(one: Named, other: Named): Named {
  const found = new Map<string, true | Named>()
  for (const [name, parts] of one) {
    const others = other.get(name)
    if (others === undefined) continue
    if (parts === true || others === true) found.set(name, parts === true ? others : parts)
    else found.set(name, common(parts, others))
  }
  return found
}
