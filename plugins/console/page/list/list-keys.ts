import { go } from '../shell/address.js'
import { hearLetters } from '../shell/keys.js'
import { addressOfEntry, addressOfTrashed, addressOfType } from '../shell/routes.js'
import type { ListStore } from './store.js'

/** The single letters of a list: to the search, to a new entry, and to the first one that is chosen. */
export function hearListKeys(list: ListStore): () => void {
  const { type } = list
  return hearLetters({
    '/': () => document.querySelector<HTMLElement>('.toolbar input[type=search]')?.focus(),
    n: () => {
      if (type.can.create) go(`${addressOfType(type)}/new`)
    },
    e: () => {
      const first = list.firstChosen
      if (first !== undefined) go((list.view.peek().state === 'trash' ? addressOfTrashed : addressOfEntry)(type, first))
    },
  })
}
