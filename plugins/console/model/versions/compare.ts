import type { Kinds } from '../form/kinds.js'
import type { PlainItem, PlainValue } from '../form/plain.js'
import { isSameItem, isSameValue } from '../merge/same.js'
import type { AttributeInfo } from '../meta.js'

/** A field, or one of the items that it holds. */
export type Step = { readonly uid: string; readonly name: string } | { readonly item: PlainItem }

/** A value in which two states of an entry differ. */
export interface Difference {
  readonly path: readonly Step[]
  readonly attribute: AttributeInfo
  /** Undefined where there is no such item. */
  readonly before: PlainValue | undefined
  readonly after: PlainValue | undefined
}

/** Compares two states of an entry by field, and lists of components by item. Items have no ids here: they are paired by their places. */
export function compared(
  kinds: Kinds,
  before: PlainItem,
  after: PlainItem,
  path: readonly Step[] = [],
): readonly Difference[] {
  return kinds.shown(after.uid).flatMap((attribute): readonly Difference[] => {
    const { name } = attribute
    const [was, is] = [before.values[name], after.values[name]]
    if ((!was && !is) || (was && is && isSameValue(kinds, attribute, was, is))) return []
    const at = [...path, { uid: after.uid, name }]
    if (was?.kind !== 'items' || is?.kind !== 'items') return [{ path: at, attribute, before: was, after: is }]
    return pairs(kinds, was.items, is.items).flatMap(({ former, later }) => {
      const item = later ?? former
      if (!item) return []
      const inside = [...at, { item }]
      if (former && later) return compared(kinds, former, later, inside)
      return [{ path: inside, attribute, before: asValue(former), after: asValue(later) }]
    })
  })
}

const asValue = (item: PlainItem | undefined): PlainValue | undefined => item && { kind: 'items', items: [item] }

interface Pair {
  readonly former: PlainItem | undefined
  readonly later: PlainItem | undefined
}

/** Pairs items: those alike at both ends first; between them, items of one component stand for each other in their order. */
function pairs(kinds: Kinds, former: readonly PlainItem[], later: readonly PlainItem[]): readonly Pair[] {
  const shorter = Math.min(former.length, later.length)
  const isSame = (one: PlainItem | undefined, other: PlainItem | undefined) =>
    one !== undefined && other !== undefined && isSameItem(kinds, one, other)
  let start = 0
  while (start < shorter && isSame(former[start], later[start])) start += 1
  let end = 0
  while (end < shorter - start && isSame(former.at(-1 - end), later.at(-1 - end))) end += 1
  const rest = later.slice(start, later.length - end)
  const found = former.slice(start, former.length - end).map((item): Pair => {
    const at = rest.findIndex(({ uid }) => uid === item.uid)
    return { former: item, later: at < 0 ? undefined : rest.splice(at, 1)[0] }
  })
  return [...found, ...rest.map(item => ({ former: undefined, later: item }))]
}
