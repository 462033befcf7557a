import type { ContentType, Link } from '../../core/index.js'
import { isInput } from '../../core/plugin-kit.js'
import type { Data } from './table.js'

/** A visit of a version, attribute by attribute, at every depth. */
export interface Visit {
  /** True if an attribute of a type or component is taken. */
  readonly takes: (type: ContentType, name: string, path: string) => boolean
  /** The ends to keep of those that a relation led to. */
  readonly relation: (link: Link, ends: readonly End[], path: string) => readonly End[]
}

/** An entry that a relation led to: an id, or an id with a type where it can lead to any. */
export type End = number | { readonly id: number; readonly __type: string }

/** The taken parts of a version. Attributes and components that the app does not have any more are left out. */
export function visited(type: ContentType, data: Data, visit: Visit, at = ''): Data {
  const taken = Object.entries(data).filter(([name]) => visit.takes(type, name, at + name))
  return Object.fromEntries(
    taken.map(([name, value]) => {
      const link = type.links.get(name)
      if (!link || value === null) return [name, value]
      const path = `${at}${name}`
      const list = [value].flat()
      const made = link.embedded
        ? partsOf(link, list as Data[], visit, path)
        : visit.relation(link, list as End[], path)
      return [name, link.many ? made : (made[0] ?? null)]
    }),
  )
}

function partsOf(link: Link, items: readonly Data[], visit: Visit, path: string): Data[] {
  return items.flatMap((item, index) => {
    const { __component, ...data } = item
    const part = __component === undefined ? link.types()[0] : link.types().find(({ uid }) => uid === __component)
    if (!part) return []
    const made = visited(part, data, visit, `${path}.${link.many ? `${index}.` : ''}`)
    return [__component === undefined ? made : { __component, ...made }]
  })
}

export const idOf = (end: End): number => (typeof end === 'number' ? end : end.id)

/** The type of an entry that a relation leads to. */
export const uidOf = ({ targets }: Link, end: End): string =>
  typeof end === 'number' ? (targets?.[0] ?? '') : end.__type

/** All entries that the relations of a version lead to: ids by their types. */
export function endsOf(type: ContentType, data: Data): ReadonlyMap<string, ReadonlySet<number>> {
  const ends = new Map<string, Set<number>>()
  visited(type, data, {
    takes: (part, name) => part.fields.has(name) || part.links.has(name),
    relation(link, list) {
      for (const end of list) {
        const ids = ends.get(uidOf(link, end)) ?? new Set()
        ends.set(uidOf(link, end), ids.add(idOf(end)))
      }
      return list
    },
  })
  return ends
}

/** True for what is sent with a new entry alone, such as its language: it says where the entry belongs, and stays as it is. */
export function isFixed({ fields }: Pick<ContentType, 'fields'>, name: string): boolean {
  const field = fields.get(name)
  return field !== undefined && !field.writable && isInput(field, true)
}
