import { copyOf, isOwn } from './copy.js'
import type { Form } from './form.js'
import type { Node } from './item.js'

/** True if the value of another language may be taken over: it differs between languages, all of it is known, and it may be written. */
export function canTakeOver(from: Node | undefined, to: Node | undefined): boolean {
  if (!from || !to?.canWrite || to.attribute.localized !== true || isOwn(to.attribute)) return false
  if (from.kind === 'links' && to.kind === 'links') return !from.value.value.more && !to.value.value.more
  if (to.kind === 'items') return from.kind === 'items' && to.items.value.every(item => to.canRemove(item))
  return from.kind === to.kind && from.attribute.type !== 'password'
}

/** Gives an attribute the value that the form of another language shows, components as new ones. */
export function takeOver(from: Form, to: Form, name: string, title: string): void {
  const value = copyOf(from.kinds, from.root.plain()).plain.values[name]
  const node = to.root.nodes.get(name)
  if (node?.kind === 'cell' && value?.kind === 'typed') node.value.value = value.typed
  else if (node?.kind === 'links' && value?.kind === 'links') node.choose(value.links.head, title)
  else if (node?.kind === 'items' && value?.kind === 'items') node.fill(value.items, title)
}
