import type { Item, ItemList } from '../../../model/form/item.js'
import type { Kinds } from '../../../model/form/kinds.js'
import { itemTitle } from '../../../model/form/titles.js'

/** The name of an item: its component, and its title or else its place; the reader subscribes to both. */
export function nameOf(kinds: Kinds, list: ItemList, item: Item): string {
  const component = kinds.of(item.uid)?.name ?? item.uid
  const title = itemTitle(kinds, item)
  if (title !== undefined) return `${component}: ${title}`
  return list.attribute.many ? `${component} ${list.items.value.indexOf(item) + 1}` : component
}
