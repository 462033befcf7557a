import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { Permissions, Right, TypeMeta } from '../meta.js'
import type { Path } from './context.js'
import { History } from './history.js'
import { Item } from './item.js'
import { type Kinds, reaches } from './kinds.js'
import { type PlainItem, type PlainValue, refOf } from './plain.js'

/** The form of an entry: what was read, what is in the controls, and the way back. */
export class Form {
  readonly kinds: Kinds
  readonly type: TypeMeta
  readonly root: Item
  readonly history = new History()
  /** The number of fields, lists and relations that differ from what the server has. */
  readonly changes: ReadonlySignal<number>
  /** The server has no such entry yet. */
  readonly isNew: Signal<boolean>
  #stored: PlainItem | undefined

  /**
   * `read` is the entry as the server has it, absent for a new one; `plain` is what the form shows, if that is something else.
   * In languages that the account may not write, everything is read-only.
   */
  constructor(kinds: Kinds, type: TypeMeta, read: PlainItem | undefined, start: FormStart = {}) {
    const { plain, locale, name = '', can = signal(type.can) } = start
    this.kinds = kinds
    this.type = type
    this.#stored = read
    this.isNew = signal(read === undefined)
    const right = computed(() => within(this.isNew.value ? can.value.create : can.value.update, locale))
    const mayHave = (path: Path) => {
      const { read, create } = can.peek()
      const rights = [within(read, locale), within(create, locale)]
      return rights.some(one => one !== null && reaches(one, path))
    }
    const context = { kinds, right, mayHave, history: this.history, keyOf: namer(name) }
    this.root = new Item(context, plain ?? read ?? { uid: type.uid, values: {} }, read, [])
    this.changes = this.root.changes
  }

  /** The attributes of a request that saves the form: those that changed, or all of a new entry. */
  body(): Record<string, unknown> {
    return this.root.body(this.isNew.peek())
  }

  /** The entry as the server has it, as far as the form knows it; undefined for a new one. */
  base(): PlainItem | undefined {
    return this.#stored && withLoaded(this.root, this.#stored)
  }

  /** The server has stored the entry like this: from now on it is changed. */
  saved(stored: PlainItem): void {
    this.#stored = stored
    this.root.id = stored.id
    this.isNew.value = false
  }
}

/** A permission in a language. */
function within(right: Right | null, locale: string | null | undefined): Right | null {
  const isOther = typeof locale === 'string' && right?.locales?.includes(locale) === false
  return isOther ? null : right
}

/** Options that a form begins with, beside the entry. */
interface FormStart {
  /** The values that it shows: a copy, kept changes, the result of a merge. */
  readonly plain?: PlainItem
  /** The language of the entry; absent for types without languages. */
  readonly locale?: string | null
  /** Tells new items apart from those of another form in the page. */
  readonly name?: string
  /** The permissions of the account, which may change while the form is open; those of the type otherwise. */
  readonly can?: ReadonlySignal<Pick<Permissions, 'read' | 'create' | 'update'>>
}

/** Gives stored items the same names in every form of the entry, and no two items the same. */
function namer(name: string): (item: Pick<PlainItem, 'uid' | 'id'>) => string {
  const used = new Set<string>()
  let made = 0
  return item => {
    const ref = refOf(item)
    const isTaken = item.id === undefined || used.has(ref)
    const key = isTaken ? `${ref} new ${name}${++made}` : ref
    used.add(key)
    return key
  }
}

/** The values that were read, with the entries of relations that were loaded since. */
function withLoaded(item: Item, stored: PlainItem): PlainItem {
  const values = Object.entries(stored.values).map(([name, value]): [string, PlainValue] => {
    const node = item.nodes.get(name)
    if (node?.kind === 'links') return [name, { kind: 'links', links: node.read.peek() }]
    if (node?.kind !== 'items' || value.kind !== 'items') return [name, value]
    const shown = new Map(node.items.peek().map(inner => [refOf(inner), inner]))
    const items = value.items.map(inner => {
      const known = shown.get(refOf(inner))
      return known ? withLoaded(known, inner) : inner
    })
    return [name, { kind: 'items', items }]
  })
  return { ...stored, values: Object.fromEntries(values) }
}
