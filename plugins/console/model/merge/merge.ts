import type { Kinds } from '../form/kinds.js'
import { type PlainItem, type PlainValue, refOf, withoutIds } from '../form/plain.js'
import type { AttributeInfo, LinkInfo } from '../meta.js'
import { mergedLinks, type Three } from './links.js'
import { mergedOrder, type Side } from './order.js'
import { isSameItem, isSameValue } from './same.js'

export type { Side } from './order.js'

/** Two changes of which only one can be taken. */
export interface Conflict {
  /** Names of attributes, and the types and ids of the items between them. */
  readonly path: readonly string[]
  /** One value; the order of a list; an item that one side changed and the other removed, or a component that both replaced. */
  readonly what: 'value' | 'order' | 'item'
  readonly attribute: AttributeInfo
  /** Undefined where there is none. */
  readonly before: PlainValue | undefined
  readonly theirs: PlainValue | undefined
  readonly mine: PlainValue | undefined
}

/** A change that was taken over without a question. */
export interface Change {
  readonly path: readonly string[]
  readonly attribute: AttributeInfo
  readonly by: Side | 'both'
}

export interface Merged {
  /** The values that the server has now. */
  readonly read: PlainItem
  /** The values that the form shows: theirs, with mine on top. */
  readonly plain: PlainItem
  readonly conflicts: readonly Conflict[]
  readonly changes: readonly Change[]
}

/**
 * Compares an entry as it was read, as it is now, and as it is in a form: by attribute, in components by item and attribute, in
 * lists by item, in relations by entry. What only one side changed is taken; `choose` decides the rest.
 */
export function merge(
  kinds: Kinds,
  three: Three<PlainItem>,
  choose: (conflict: Conflict) => Side = () => 'mine',
): Merged {
  const conflicts: Conflict[] = []
  const changes: Change[] = []
  const ask = (conflict: Conflict): Side => {
    conflicts.push(conflict)
    return choose(conflict)
  }
  const merged = new Merging(kinds, ask, changes).item(three, [])
  return { ...merged, conflicts, changes }
}

interface MergedItem {
  readonly read: PlainItem
  readonly plain: PlainItem
}

/** The state of one attribute on both sides, and in the form. */
interface MergedValue {
  readonly read: PlainValue
  readonly plain: PlainValue
}

type Path = readonly string[]

class Merging {
  readonly #kinds: Kinds
  readonly #ask: (conflict: Conflict) => Side
  readonly #changes: Change[]

  constructor(kinds: Kinds, ask: (conflict: Conflict) => Side, changes: Change[]) {
    this.#kinds = kinds
    this.#ask = ask
    this.#changes = changes
  }

  item({ base, theirs, mine }: Three<PlainItem>, path: Path): MergedItem {
    const read: Record<string, PlainValue> = {}
    const plain: Record<string, PlainValue> = {}
    for (const attribute of this.#kinds.shown(theirs.uid)) {
      const { name } = attribute
      const now = theirs.values[name]
      if (!now) continue
      const three = { base: base.values[name] ?? now, theirs: now, mine: mine.values[name] ?? base.values[name] ?? now }
      const merged = this.#attribute(attribute, three, [...path, name])
      read[name] = merged.read
      plain[name] = merged.plain
    }
    return { read: { ...theirs, values: read }, plain: { ...theirs, values: plain } }
  }

  #attribute(attribute: AttributeInfo, three: Three<PlainValue>, path: Path): MergedValue {
    const { base, theirs, mine } = three
    const isSame = (one: PlainValue, other: PlainValue) => isSameValue(this.#kinds, attribute, one, other)
    const areTheirs = !isSame(base, theirs)
    const areMine = !isSame(base, mine)
    const areBoth = areTheirs && areMine && !isSame(theirs, mine)
    if (areTheirs || areMine) this.#note(attribute, path, areTheirs && areMine ? 'both' : areMine ? 'mine' : 'theirs')
    if (attribute.kind === 'link' && mine.kind === 'items' && theirs.kind === 'items' && base.kind === 'items')
      return this.#items(attribute, { base: base.items, theirs: theirs.items, mine: mine.items }, path)
    if (attribute.kind === 'link' && mine.kind === 'links' && theirs.kind === 'links' && base.kind === 'links') {
      const ask = (what: 'value' | 'order') => this.#choose({ ...three, attribute, path, what })
      const links = { base: base.links, theirs: theirs.links, mine: mine.links }
      const merged = mergedLinks(links, attribute.many, ask)
      return { read: { kind: 'links', links: merged.read }, plain: { kind: 'links', links: merged.links } }
    }
    const side = areBoth ? this.#choose({ ...three, attribute, path, what: 'value' }) : areMine ? 'mine' : 'theirs'
    return { read: theirs, plain: side === 'mine' && mine.kind === theirs.kind ? mine : theirs }
  }

  #note(attribute: AttributeInfo, path: Path, by: Change['by']): void {
    this.#changes.push({ attribute, path, by })
  }

  #choose({ base: before, ...conflict }: Omit<Conflict, 'before'> & { readonly base: PlainValue | undefined }): Side {
    return this.#ask({ ...conflict, before })
  }

  #items(attribute: LinkInfo, three: Three<readonly PlainItem[]>, path: Path): MergedValue {
    const isOne = !attribute.many && new Set([three.base, three.theirs, three.mine].map(refsOf)).size > 1
    const merged = isOne ? this.#component(attribute, three, path) : this.#list(attribute, three, path)
    return { read: { kind: 'items', items: merged.read }, plain: { kind: 'items', items: merged.plain } }
  }

  /** A component that one side removed, made or replaced. */
  #component(attribute: LinkInfo, { base, theirs, mine }: Three<readonly PlainItem[]>, path: Path): MergedItems {
    const values = { base: asValue(base), theirs: asValue(theirs), mine: asValue(mine) }
    const isSame = (one: PlainValue, other: PlainValue) => isSameValue(this.#kinds, attribute, one, other)
    const areMine = !isSame(values.base, values.mine)
    const isConflict = areMine && !isSame(values.base, values.theirs) && !isSame(values.theirs, values.mine)
    const side = isConflict ? this.#choose({ ...values, attribute, path, what: 'item' }) : areMine ? 'mine' : 'theirs'
    const stored = new Set(theirs.map(refOf))
    const plain = side === 'mine' ? mine.map(item => (stored.has(refOf(item)) ? item : withoutIds(item))) : theirs
    return { read: theirs, plain }
  }

  #list(attribute: LinkInfo, { base, theirs, mine }: Three<readonly PlainItem[]>, path: Path): MergedItems {
    const before = new Map(base.map(item => [refOf(item), item]))
    const now = new Map(theirs.map(item => [refOf(item), item]))
    // Items without a place on the server have names of their own.
    const named = mine.map((item, index) => [before.has(refOf(item)) ? refOf(item) : `new ${index}`, item] as const)
    const wanted = new Map(named)
    const read = new Map(now)
    const plain = new Map<string, PlainItem>()
    for (const [ref, item] of before) {
      const sides = { base: item, theirs: now.get(ref), mine: wanted.get(ref) }
      const merged = this.#one(attribute, sides, [...path, ref])
      if (merged.read) read.set(ref, merged.read)
      if (merged.plain) plain.set(ref, merged.plain)
    }
    for (const [ref, item] of now) if (!before.has(ref)) plain.set(ref, item)
    for (const [ref, item] of wanted) if (!before.has(ref)) plain.set(ref, withoutIds(item))
    const orders = { base: [...before.keys()], theirs: [...now.keys()], mine: [...wanted.keys()] }
    const values = { base: asValue(base), theirs: asValue(theirs), mine: asValue(mine) }
    const order = mergedOrder(orders, new Set(plain.keys()), () =>
      this.#choose({ ...values, attribute, path, what: 'order' }),
    )
    return { read: [...read.values()], plain: order.flatMap(ref => plain.get(ref) ?? []) }
  }

  /** An item that was there before. */
  #one(
    attribute: LinkInfo,
    { base, theirs, mine }: { base: PlainItem; theirs: PlainItem | undefined; mine: PlainItem | undefined },
    path: Path,
  ): { readonly read?: PlainItem; readonly plain?: PlainItem } {
    if (theirs && mine) return this.item({ base, theirs, mine }, path)
    const left = theirs ?? mine
    if (!left || isSameItem(this.#kinds, base, left)) return {}
    const value = (item: PlainItem | undefined) => (item ? asValue([item]) : undefined)
    const sides = { base: value(base), theirs: value(theirs), mine: value(mine) }
    const side = this.#choose({ ...sides, attribute, path, what: 'item' })
    if (side === 'theirs') return theirs ? { plain: theirs } : {}
    return mine ? { plain: withoutIds(mine) } : {}
  }
}

interface MergedItems {
  readonly read: readonly PlainItem[]
  readonly plain: readonly PlainItem[]
}

const asValue = (items: readonly PlainItem[]): PlainValue => ({ kind: 'items', items })
const refsOf = (items: readonly PlainItem[]): string => items.map(refOf).join(' ')
