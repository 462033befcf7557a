import type { Entry } from '../query/ask.js'
import type { QueryNode } from '../query/tree.js'
import type { ContentType, Link } from '../schema/types.js'
import { isInput } from './attributes.js'
import { bareNode, childOf, deepest } from './complete.js'

/**
 * A query for the parts of an entry that can be written again: columns, hidden ones too, components, and of other entries their
 * ids. All of them include what is sent with a new entry alone.
 */
export function copyNode(
  type: ContentType,
  names: readonly string[] | undefined,
  anyTarget: readonly ContentType[],
  depth = 0,
): QueryNode {
  const isWanted = (name: string) => names?.includes(name) ?? true
  const links = [...type.links.values()].filter(
    ({ name, writable, embedded }) => writable && isWanted(name) && (depth < deepest || !embedded),
  )
  const nodes = ({ embedded, targets, types }: Link) =>
    embedded
      ? types().map(part => copyNode(part, undefined, anyTarget, depth + 1))
      : (targets === undefined ? anyTarget : types()).map(target => ({ ...bareNode(target, depth + 1), fields: [] }))
  return {
    ...bareNode(type, depth),
    fields: [...type.fields.values()].filter(
      field => isInput(field, names === undefined) && !field.type.secret && isWanted(field.name),
    ),
    children: links.map(link => childOf(link, nodes(link))),
  }
}

/** An entry that was read as above, as the `data` of a write that makes another one of the same content. */
export function dataOf(type: ContentType, { id: _, ...entry }: Entry): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      const link = type.links.get(name)
      if (!link || (value === null && !link.many)) return [name, value]
      const each = (item: Entry): unknown => {
        if (!link.embedded) return link.targets === undefined ? { id: item.id, __type: item.__type } : item.id
        const part = link.types().find(({ uid }) => uid === item.__component) ?? link.types()[0]
        return part ? dataOf(part, item) : item
      }
      return [name, link.many ? ((value as Entry[] | null) ?? []).map(each) : each(value as Entry)]
    }),
  )
}
