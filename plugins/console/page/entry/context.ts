import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Form } from '../../model/form/form.js'
import type { Item } from '../../model/form/item.js'
import type { Related } from '../../model/form/plain.js'
import type { TypeMeta } from '../../model/meta.js'
import type { EntryStore } from './store/store.js'

export interface BesideProps {
  readonly type: TypeMeta
  /** The entry that is edited; a new one is made without it. */
  readonly id?: number
  /** The title of a new entry, and its language. */
  readonly text?: string
  readonly locale?: string | null
  readonly onStored: (entry: Related) => void
  readonly onClose: () => void
}

/** The entry that a field belongs to, and the form that it stands in. */
export interface EntryInPage {
  readonly store: EntryStore
  readonly form: Form
  /** The view says why nothing of it can be written, so that its fields do not. */
  readonly isPast?: true
  /** The dialog with the form of another entry; a form that stands in one has none. */
  readonly Beside?: ComponentType<BesideProps>
  /** Renders the fields of an item: fields hold items, which have fields. */
  readonly fieldsOf: (item: Item) => ComponentChildren
}

export const EntryContext = createContext<EntryInPage | undefined>(undefined)

export function useEntry(): EntryInPage {
  const entry = useContext(EntryContext)
  if (!entry) throw new Error('a field stands in the form of an entry')
  return entry
}
