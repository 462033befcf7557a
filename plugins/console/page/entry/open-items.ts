import { type Signal, signal } from '@preact/signals'
import type { Item, ItemList } from '../../model/form/item.js'

/** A list shows its first items open. */
const openAtFirst = 3

/** The open items of a form: only their fields are in the page. It outlives the form, which a merge replaces. */
export class OpenItems {
  readonly #states = new Map<string, Signal<boolean>>()

  state(list: ItemList, item: Item): Signal<boolean> {
    return this.#states.get(item.key) ?? this.#set(item, list.items.peek().indexOf(item) < openAtFirst)
  }

  open(item: Item): void {
    this.#set(item, true)
  }

  #set({ key }: Item, isOpen: boolean): Signal<boolean> {
    const state = this.#states.get(key) ?? signal(isOpen)
    state.value = isOpen
    this.#states.set(key, state)
    return state
  }
}
