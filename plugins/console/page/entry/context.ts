import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Form } from '../../model/form/form.js'
import type { Item } from '../../model/form/item.js'
import type { EntryStore } from './store.js'

/** The entry that a field belongs to, and the form that it stands in. */
export interface EntryInPage {
  readonly store: EntryStore
  readonly form: Form
  /** Renders the fields of an item: fields hold items, which have fields. */
  readonly fieldsOf: (item: Item) => ComponentChildren
}

export const EntryContext = createContext<EntryInPage | undefined>(undefined)

export function useEntry(): EntryInPage {
  const entry = useContext(EntryContext)
  if (!entry) throw new Error('a field stands in the form of an entry')
  return entry
}
