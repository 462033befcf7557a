import type { ReadonlySignal } from '@preact/signals-core'
import type { Right } from '../meta.js'
import type { History } from './history.js'
import type { Kinds } from './kinds.js'
import type { PlainItem } from './plain.js'

/** Values that all items of a form share. */
export interface FormContext {
  readonly kinds: Kinds
  readonly history: History
  /** The permission to write the entry; null is nothing. */
  readonly right: ReadonlySignal<Right | null>
  /** True for a place that the account may read or write in a new entry of this language. */
  readonly mayHave: (path: Path) => boolean
  /** The name of an item, for views. */
  readonly keyOf: (item: Pick<PlainItem, 'uid' | 'id'>) => string
}

/** The place of an item: the names of the attributes that lead to it. */
export type Path = readonly string[]
