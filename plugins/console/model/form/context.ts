import type { Signal } from '@preact/signals-core'
import type { Right } from '../meta.js'
import type { History } from './history.js'
import type { Kinds } from './kinds.js'
import type { PlainItem } from './plain.js'

/** What all items of a form share. */
export interface FormContext {
  readonly kinds: Kinds
  readonly history: History
  /** What the account may write of the entry; null is nothing. */
  readonly right: Signal<Right | null>
  /** The name of an item, for views. */
  readonly keyOf: (item: Pick<PlainItem, 'uid' | 'id'>) => string
}

/** Where an item stands: the names of the attributes that lead to it. */
export type Path = readonly string[]
