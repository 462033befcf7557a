import type { AttributeInfo, FieldInfo, LinkInfo } from '../meta.js'
import type { Item, ItemList, Node } from './item.js'
import type { Kinds } from './kinds.js'
import { isRecord, noLinks, type PlainItem, type PlainValue, withoutIds } from './plain.js'
import { typedOf } from './typed.js'

/** A component as it is copied: into another place, form or tab. */
export interface Clip {
  readonly component: PlainItem
}

export const clipOf = (kinds: Kinds, item: Item): Clip => ({ component: copyOf(kinds, item.plain()).plain })

/** A copied component where it may stand in a list; undefined elsewhere, and for anything else. */
export function pasted(kinds: Kinds, { attribute, canAdd }: ItemList, clip: unknown): PlainItem | undefined {
  const component = isRecord(clip) ? clip.component : undefined
  if (!canAdd || !isRecord(component) || !isRecord(component.values)) return undefined
  const { uid, values } = component as unknown as PlainItem
  const fits = attribute.targets?.includes(uid) === true && kinds.of(uid) !== undefined
  return fits ? withoutIds({ uid, values }) : undefined
}

/** An item without what was typed into fields for passwords. */
export const withoutSecrets = (kinds: Kinds, item: PlainItem): PlainItem =>
  emptied(kinds, item, ({ type }) => type === 'password', [])

/** A new item with everything of another one. */
export interface Copy {
  readonly plain: PlainItem
  /** The attributes that were not taken over; the items between them by their places. */
  readonly emptied: readonly Path[]
}

type Path = readonly string[]

/**
 * Copies an entry or a component. Unique values are emptied, and so are relations to entries that lead to one entry alone: taking
 * them would take them away. Values of type `uid` are emptied as well, and made anew.
 */
export function copyOf(kinds: Kinds, item: PlainItem): Copy {
  const paths: Path[] = []
  const plain = emptied(
    kinds,
    withoutIds(item),
    (attribute, value, path) => {
      const isLeftOut = isOwn(attribute) || isUnnamed(value)
      if (isLeftOut && !isNothing(value)) paths.push(path)
      return isLeftOut || attribute.type === 'password'
    },
    [],
  )
  return { plain, emptied: paths }
}

/** Marks the fields of a copy that were not taken over. */
export function markEmptied(item: Item, { emptied }: Copy): void {
  for (const path of emptied) {
    let at: Item | undefined = item
    for (let step = 0; at && step < path.length; step += 2) {
      const node: Node | undefined = at.nodes.get(path[step] ?? '')
      if (node && node.kind !== 'items') node.mark.value = 'emptied'
      at = node?.kind === 'items' ? node.items.peek()[Number(path[step + 1])] : undefined
    }
  }
}

/** An item in which some attributes have no value, at every depth. */
function emptied(
  kinds: Kinds,
  item: PlainItem,
  isLeftOut: (attribute: AttributeInfo, value: PlainValue, path: Path) => boolean,
  path: Path,
): PlainItem {
  const values = kinds.shown(item.uid).flatMap((attribute): [string, PlainValue][] => {
    const { name } = attribute
    const value = item.values[name]
    const at = [...path, name]
    if (!value) return []
    if (value.kind !== 'items') return [[name, isLeftOut(attribute, value, at) ? emptyOf(attribute) : value]]
    const items = value.items.map((inner, index) => emptied(kinds, inner, isLeftOut, [...at, String(index)]))
    return [[name, { kind: 'items', items }]]
  })
  return { ...item, values: Object.fromEntries(values) }
}

/** It leads to an entry of which the response left out the type. */
const isUnnamed = (value: PlainValue): boolean =>
  value.kind === 'links' && value.links.head.some(({ uid }) => uid === '')

/** No two entries may have the same. */
export const isOwn = (attribute: AttributeInfo): boolean =>
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
