import type { Kinds } from '../form/kinds.js'
import { loaded, type PlainItem, type PlainValue, refOf } from '../form/plain.js'
import { isSameTyped } from '../form/typed.js'
import type { AttributeInfo } from '../meta.js'

/** True if two states of an attribute say the same. */
export function isSameValue(kinds: Kinds, attribute: AttributeInfo, one: PlainValue, other: PlainValue): boolean {
  if (one.kind === 'typed' && other.kind === 'typed')
    return attribute.kind === 'field' && isSameTyped(attribute, one.typed, other.typed)
  if (one.kind === 'links' && other.kind === 'links') {
    const [first, second] = [loaded(one.links), loaded(other.links)]
    return first.length === second.length && first.every((entry, at) => refOf(entry) === refOf(second[at] ?? entry))
  }
  if (one.kind !== 'items' || other.kind !== 'items') return false
  const { items } = other
  return one.items.length === items.length && one.items.every((item, at) => isSameItem(kinds, item, items[at] ?? item))
}

/** True for one item, stored or not, with the same values. */
export function isSameItem(kinds: Kinds, one: PlainItem, other: PlainItem): boolean {
  if (refOf(one) !== refOf(other)) return false
  return kinds.shown(one.uid).every(attribute => {
    const [first, second] = [one.values[attribute.name], other.values[attribute.name]]
    return first && second ? isSameValue(kinds, attribute, first, second) : first === second
  })
}

/** True if the server has stored an item as it was sent: what was new has ids by then. */
export const isStoredAs = (kinds: Kinds, sent: PlainItem, stored: PlainItem): boolean =>
  isSameItem(kinds, withIdsOf(stored, sent), stored)

function withIdsOf({ id, uid, values }: PlainItem, sent: PlainItem): PlainItem {
  if (uid !== sent.uid || (sent.id !== undefined && sent.id !== id)) return sent
  const named = Object.entries(sent.values).map(([name, value]): [string, PlainValue] => {
    const now = values[name]
    if (value.kind !== 'items' || now?.kind !== 'items') return [name, value]
    return [name, { kind: 'items', items: value.items.map((item, at) => withIdsOf(now.items[at] ?? item, item)) }]
  })
  return { ...sent, ...(id !== undefined && { id }), values: Object.fromEntries(named) }
}
