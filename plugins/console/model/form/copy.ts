import type { AttributeInfo, FieldInfo, LinkInfo } from '../meta.js'
import type { Item, ItemList } from './item.js'
import type { Kinds } from './kinds.js'
import { isRecord, noLinks, type PlainItem, type PlainValue, withoutIds } from './plain.js'
import { typedOf } from './typed.js'

/** A component as it is copied: into another place, form or tab. Passwords stay where they are. */
export interface Clip {
  readonly component: PlainItem
}

export const clipOf = (kinds: Kinds, item: Item): Clip => ({
  component: withoutSecrets(kinds, withoutIds(item.plain())),
})

/** A copied component where it may stand in a list; undefined elsewhere, and for anything else. */
export function pasted(kinds: Kinds, { attribute, canArrange }: ItemList, clip: unknown): PlainItem | undefined {
  const component = isRecord(clip) ? clip.component : undefined
  if (!canArrange || !isRecord(component) || !isRecord(component.values)) return undefined
  const { uid, values } = component as unknown as PlainItem
  const fits = attribute.targets?.includes(uid) === true && kinds.of(uid) !== undefined
  return fits ? withoutIds({ uid, values }) : undefined
}

/** An item without what was typed into fields for passwords. */
export function withoutSecrets(kinds: Kinds, item: PlainItem): PlainItem {
  const values = kinds.shown(item.uid).flatMap((attribute): [string, PlainValue][] => {
    const value = item.values[attribute.name]
    if (!value) return []
    if (attribute.type === 'password') return [[attribute.name, { kind: 'typed', typed: '' }]]
    if (value.kind !== 'items') return [[attribute.name, value]]
    return [[attribute.name, { kind: 'items', items: value.items.map(inner => withoutSecrets(kinds, inner)) }]]
  })
  return { ...item, values: Object.fromEntries(values) }
}

/** A new entry with everything of another one, and the attributes that could not be taken over. */
export interface Duplicate {
  readonly plain: PlainItem
  readonly emptied: readonly string[]
}

/**
 * Unique values are emptied, and so are relations to entries that lead to one entry alone: taking them would take them away.
 * Values of type `uid` are emptied as well, and made anew.
 */
export function duplicateOf(kinds: Kinds, entry: PlainItem): Duplicate {
  const emptied: string[] = []
  const plain = withoutSecrets(kinds, withoutIds(entry))
  const values = kinds.shown(entry.uid).flatMap((attribute): [string, PlainValue][] => {
    const value = plain.values[attribute.name]
    if (!value) return []
    if (!isOwn(attribute) && !isUnnamed(value)) return [[attribute.name, value]]
    if (!isNothing(value)) emptied.push(attribute.name)
    return [[attribute.name, emptyOf(attribute)]]
  })
  return { plain: { ...plain, values: Object.fromEntries(values) }, emptied }
}

/** It leads to an entry of which the response left out the type. */
const isUnnamed = (value: PlainValue): boolean =>
  value.kind === 'links' && value.links.head.some(({ uid }) => uid === '')

/** No two entries may have the same. */
const isOwn = (attribute: AttributeInfo): boolean =>
  attribute.kind === 'field' ? attribute.unique === true || attribute.type === 'uid' : isOwnLink(attribute)

const isOwnLink = ({ exclusive, relation }: LinkInfo): boolean =>
  exclusive === true || relation === 'morphOne' || relation === 'morphMany'

const emptyOf = (attribute: FieldInfo | LinkInfo): PlainValue =>
  attribute.kind === 'field'
    ? { kind: 'typed', typed: typedOf(attribute, undefined) }
    : { kind: 'links', links: noLinks }

const isNothing = (value: PlainValue): boolean =>
  value.kind === 'typed'
    ? value.typed === '' || value.typed === null
    : value.kind === 'links' && value.links.head.length === 0
