import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { AttributeInfo, LinkInfo, Right } from '../meta.js'
import { Cell } from './cell.js'
import type { FormContext, Path } from './context.js'
import type { StepName } from './history.js'
import { covers, coversAll, reaches } from './kinds.js'
import { noLinks, type PlainItem, type PlainValue, refOf, type Typed, withoutIds } from './plain.js'
import { Relation } from './relation.js'
import { sumOf } from './sum.js'
import { typedOf } from './typed.js'

export type Node = Cell | ItemList | Relation

/** An entry, or a component in it, in a form. */
export class Item {
  /** The same as long as the form is open; that of a stored item is the same in the next form of the entry. */
  readonly key: string
  readonly uid: string
  /** Absent until it is stored. */
  id: number | undefined
  readonly nodes: ReadonlyMap<string, Node>
  readonly changes: ReadonlySignal<number>

  constructor(context: FormContext, plain: PlainItem, read: PlainItem | undefined, path: Path) {
    this.key = context.keyOf(plain)
    this.uid = plain.uid
    this.id = plain.id
    this.nodes = new Map(
      context.kinds.shown(plain.uid).flatMap(attribute => {
        const node = nodeOf(context, attribute, { plain, read, path: [...path, attribute.name] })
        return node ? [[attribute.name, node] as const] : []
      }),
    )
    this.changes = sumOf(() => this.nodes.values())
  }

  body(isNew: boolean): Record<string, unknown> {
    const data: Record<string, unknown> = {}
    for (const [name, node] of this.nodes) {
      const value = node.canWrite ? node.body(isNew) : undefined
      if (value !== undefined) data[name] = value
    }
    return data
  }

  plain(): PlainItem {
    const values = [...this.nodes].map(([name, node]) => [name, node.plain()] as const)
    return { uid: this.uid, ...(this.id !== undefined && { id: this.id }), values: Object.fromEntries(values) }
  }

  /** The server has removed it: if it is brought back, it is a new one, also where its id is given again. */
  forget(): void {
    this.id = undefined
    for (const node of this.nodes.values())
      if (node.kind === 'items') {
        node.read.value = []
        for (const item of node.items.peek()) item.forget()
      }
  }

  cell(name: string): Cell | undefined {
    const node = this.nodes.get(name)
    return node?.kind === 'cell' ? node : undefined
  }

  list(name: string): ItemList | undefined {
    const node = this.nodes.get(name)
    return node?.kind === 'items' ? node : undefined
  }

  relation(name: string): Relation | undefined {
    const node = this.nodes.get(name)
    return node?.kind === 'links' ? node : undefined
  }
}

interface NodePlace {
  readonly plain: PlainItem
  /** Absent for a new item, which has all attributes that may be read or written; one that was read has those of the response. */
  readonly read: PlainItem | undefined
  readonly path: Path
}

function nodeOf(context: FormContext, attribute: AttributeInfo, { plain, read, path }: NodePlace): Node | undefined {
  const { name } = attribute
  const before = read?.values[name]
  if (read ? !before : attribute.type !== 'password' && !context.mayHave(path)) return undefined
  const now = plain.values[name] ?? before
  const isEditable = attribute.writable && context.kinds.of(plain.uid)?.layout.fields[name]?.editable !== false
  const mayWrite = (covered: (right: Right, path: Path) => boolean) => () =>
    isEditable && context.right.value !== null && covered(context.right.value, path)
  if (attribute.kind === 'field') {
    const former = typedIn(before, typedOf(attribute, read ? undefined : attribute.default))
    return new Cell(attribute, mayWrite(covers), { read: former, typed: typedIn(now, former) })
  }
  if (attribute.embedded) {
    const whole = mayWrite(right => coversAll(context.kinds, right, attribute, path))
    const place = { canWrite: mayWrite(reaches), isWhole: whole, path }
    return new ItemList(context, attribute, place, { read: itemsIn(before), items: itemsIn(now) })
  }
  const place = { canWrite: mayWrite(covers), history: context.history }
  return new Relation(attribute, place, { read: linksIn(before), value: linksIn(now) })
}

/** Null is a value here: a boolean that is neither. */
const typedIn = (value: PlainValue | undefined, otherwise: Typed) => (value?.kind === 'typed' ? value.typed : otherwise)
const itemsIn = (value: PlainValue | undefined) => (value?.kind === 'items' ? value.items : [])
const linksIn = (value: PlainValue | undefined) => (value?.kind === 'links' ? value.links : noLinks)

interface ListPlace {
  readonly canWrite: () => boolean
  /** The account may write every part of its items. */
  readonly isWhole: () => boolean
  readonly path: Path
}

/** A component, a list of them, or a zone. */
export class ItemList {
  readonly kind = 'items'
  readonly attribute: LinkInfo
  readonly items: Signal<readonly Item[]>
  /** The items that the server has, in order, by type and id. */
  readonly read: Signal<readonly string[]>
  readonly changes: ReadonlySignal<number>
  readonly refused = signal<string | undefined>(undefined)
  readonly #stored: ReadonlySignal<ReadonlySet<string>>
  readonly #context: FormContext
  readonly #place: ListPlace

  constructor(
    context: FormContext,
    attribute: LinkInfo,
    place: ListPlace,
    { read, items }: { readonly read: readonly PlainItem[]; readonly items: readonly PlainItem[] },
  ) {
    this.#context = context
    this.#place = place
    this.attribute = attribute
    this.read = signal(read.map(refOf))
    this.#stored = computed(() => new Set(this.read.value))
    const stored = new Map(read.map(item => [refOf(item), item]))
    this.items = signal(items.map(item => new Item(context, item, stored.get(refOf(item)), place.path)))
    const inside = sumOf(() => this.items.value.filter(item => this.isStored(item)))
    this.changes = computed(() => inside.value + (this.isRearranged() ? 1 : 0))
  }

  get canWrite(): boolean {
    return this.#place.canWrite()
  }

  /** Items may be added; a component that is there would be replaced. */
  get canAdd(): boolean {
    const isFree = this.attribute.many || this.items.value.length === 0
    return this.canWrite && (isFree || this.#place.isWhole())
  }

  /** An item with parts that the account may not write stays, at one place or another. */
  canRemove(item: Item): boolean {
    return this.canWrite && (this.#place.isWhole() || !this.isStored(item))
  }

  /** The server has the item in this list; one that was removed, saved and brought back is a new one. */
  isStored(item: Item): boolean {
    return item.id !== undefined && this.#stored.value.has(refOf(item))
  }

  /** Items were added, moved or removed. */
  isRearranged(): boolean {
    const read = this.read.value
    const items = this.items.value
    return items.length !== read.length || items.some((item, index) => refOf(item) !== read[index])
  }

  /** A new item, empty or as a copy says, or one that the server has; it is in the list once it is inserted. */
  make(plain: PlainItem, read?: PlainItem): Item {
    return new Item(this.#context, plain, read, this.#place.path)
  }

  insert(item: Item, at: number, title: string): void {
    const items = this.attribute.many ? [...this.items.peek()] : []
    items.splice(at, 0, item)
    this.#arrange(items, 'added', title)
  }

  remove(item: Item, title: string): void {
    this.#arrange(
      this.items.peek().filter(one => one !== item),
      'removed',
      title,
    )
  }

  /** New items in place of all that are there. */
  fill(items: readonly PlainItem[], title: string): void {
    const made = items.map(item => this.make(withoutIds(item)))
    this.#arrange(made, 'replaced', title)
  }

  move(item: Item, to: number, title: string): void {
    const items = this.items.peek().filter(one => one !== item)
    items.splice(to, 0, item)
    this.#arrange(items, 'moved', title)
  }

  #arrange(items: readonly Item[], what: StepName, title: string): void {
    this.refused.value = undefined
    this.#context.history.change(this.items, items, { what, list: this.attribute.name, title })
  }

  /** Items that were in the list, and that can be brought back. */
  former(): readonly Item[] {
    return [...new Set(this.#context.history.contents(this.items).flat())]
  }

  /** Takes over other items than those of the form; the steps before cannot be undone. */
  replace(items: readonly Item[]): void {
    this.#context.history.forget(this.items)
    this.items.value = items
  }

  refuse(message: string): void {
    this.refused.value = message
  }

  accept(): void {
    this.refused.value = undefined
  }

  /** Lists are sent whole. Of an item that is stored, the server keeps what is not sent. */
  body(isNew: boolean): unknown {
    const items = this.items.peek()
    const { many, required, shape } = this.attribute
    if (isNew ? items.length === 0 && !(many && required) : this.changes.peek() === 0) return undefined
    const bodies = items.map(item => {
      const isStored = !isNew && this.isStored(item)
      return {
        ...(shape === 'zone' && { __component: item.uid }),
        ...(isStored && { id: item.id }),
        ...item.body(!isStored),
      }
    })
    return many ? bodies : (bodies[0] ?? null)
  }

  plain(): PlainValue {
    const items = this.items.peek()
    return { kind: 'items', items: items.map(item => (this.isStored(item) ? item.plain() : withoutIds(item.plain()))) }
  }
}
