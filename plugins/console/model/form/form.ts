import type { ReadonlySignal } from '@preact/signals-core'
import type { TypeMeta } from '../meta.js'
import { History } from './history.js'
import { Item } from './item.js'
import type { Kinds } from './kinds.js'
import type { PlainItem } from './plain.js'

/** The form of an entry: what was read, what is in the controls, and the way back. */
export class Form {
  readonly kinds: Kinds
  readonly type: TypeMeta
  readonly root: Item
  readonly history = new History()
  /** How many fields, lists and relations differ from what the server has. */
  readonly changes: ReadonlySignal<number>
  /** The server has no such entry yet. */
  readonly isNew: boolean

  /** `read` is the entry as the server has it, absent for a new one; `plain` is what the form shows, if that is something else. */
  constructor(kinds: Kinds, type: TypeMeta, read: PlainItem | undefined, plain?: PlainItem) {
    this.kinds = kinds
    this.type = type
    this.isNew = read === undefined
    let keys = 0
    const right = this.isNew ? type.can.create : type.can.update
    const context = { kinds, right, history: this.history, nextKey: () => String(++keys) }
    this.root = new Item(context, plain ?? read ?? { uid: type.uid, values: {} }, read, [])
    this.changes = this.root.changes
  }

  /** The attributes of a request that saves the form: those that changed, or all of a new entry. */
  body(): Record<string, unknown> {
    return this.root.body(this.isNew)
  }
}
