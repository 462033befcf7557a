import type { Form } from './form.js'
import type { Item } from './item.js'
import type { Kinds } from './kinds.js'
import { type Related, refOf } from './plain.js'
import { relatedTitle } from './titles.js'

/** The titles of the drafts that a form links to, as far as they are loaded. Views may subscribe to it. */
export function linkedDrafts(kinds: Kinds, { root }: Form): readonly string[] {
  return [...new Map(draftsIn(kinds, root)).values()]
}

function draftsIn(kinds: Kinds, item: Item): (readonly [string, string])[] {
  const holder = kinds.of(item.uid)
  return [...item.nodes.values()].flatMap(node => {
    if (node.kind === 'items') return node.items.value.flatMap(inner => draftsIn(kinds, inner))
    if (node.kind !== 'links' || !holder) return []
    const drafts = node.entries.value.filter(entry => isDraft(kinds, entry))
    return drafts.map(
      entry => [refOf(entry), relatedTitle(kinds, node.attribute, holder, entry) ?? `#${entry.id}`] as const,
    )
  })
}

export const isDraft = (kinds: Kinds, { uid, values }: Related): boolean =>
  kinds.type(uid)?.options.drafts === true && values.publishedAt === null
