import { batch } from '@preact/signals-core'
import type { Cell } from '../form/cell.js'
import type { Form } from '../form/form.js'
import type { Item, ItemList } from '../form/item.js'
import { type Links, loaded, noLinks, type PlainItem, refOf } from '../form/plain.js'
import type { Relation } from '../form/relation.js'
import type { Sent } from '../form/sent.js'
import { isSameTyped } from '../form/typed.js'
import { mergedLinks } from './links.js'

/** Takes over the response to a save: values are replaced only where nothing was typed since it was sent. */
export function settle(form: Form, sent: Sent, stored: PlainItem): void {
  batch(() => {
    form.saved(stored)
    settleItem(form.root, sent, stored)
  })
}

function settleItem({ nodes }: Item, sent: Sent, { values }: PlainItem): void {
  for (const [name, node] of nodes) {
    const value = values[name]
    node.accept()
    if (node.kind === 'cell') settleCell(node, sent, value?.kind === 'typed' ? value.typed : sent.typed(node))
    else if (node.kind === 'links')
      settleLinks(node, sent.links(node), value?.kind === 'links' ? value.links : undefined)
    else if (value?.kind === 'items') settleList(node, sent, value.items)
  }
}

function settleCell(cell: Cell, sent: Sent, now: unknown): void {
  const typed = cell.value.peek()
  cell.read.value = now
  // A number stays in the form in which it was typed, such as 1.0.
  if (typed === sent.typed(cell) && !isSameTyped(cell.attribute, typed, now)) cell.value.value = now
  cell.mark.value = undefined
}

function settleLinks(relation: Relation, sent: Links = noLinks, now: Links = sent): void {
  const { read, value, stored } = relation
  const isOther = !isAsSent(sent, now)
  const known = stored.peek()
  const added = loaded(sent).length - loaded(read.peek()).length
  if (!isOther) read.value = sent
  else {
    const { many } = relation.attribute
    const merged = mergedLinks({ base: sent, theirs: now, mine: value.peek() }, many, () => 'mine')
    relation.replace(merged.read, merged.links)
  }
  stored.value = now.more ? (known === undefined ? undefined : known + added) : now.head.length
  relation.mark.value = undefined
  relation.forgetUnnamed()
}

/** The response has the entries that were sent, as far as it lists them. */
function isAsSent(sent: Links, now: Links): boolean {
  const before = (sent.more ? sent.head : loaded(sent)).map(refOf)
  const after = now.head.map(refOf)
  if (!now.more) return !sent.more && before.length === after.length && isStart(before, after)
  return sent.more || before.length >= after.length ? isStart(before, after) : false
}

const isStart = (one: readonly string[], other: readonly string[]): boolean =>
  one.slice(0, other.length).every((ref, index) => ref === other[index])

function settleList(list: ItemList, sent: Sent, now: readonly PlainItem[]): void {
  const items = sent.items(list)
  const pairs = pairsOf(list, items, now)
  for (const [plain, item] of pairs) {
    item.id = plain.id
    settleItem(item, sent, plain)
  }
  const current = list.items.peek()
  const order = now.map(plain => pairs.get(plain) ?? list.make(plain, plain))
  const isAsSent = order.length === items.length && order.every((item, index) => item === items[index])
  for (const item of list.former()) if (!items.includes(item)) item.forget()
  list.read.value = now.map(refOf)
  if (isAsSent) return
  const added = order.filter(item => !items.includes(item))
  list.replace(current === items ? order : [...current, ...added])
}

/** The items of a response and those that were sent: stored ones by their ids, new ones in their order. */
function pairsOf(list: ItemList, items: readonly Item[], now: readonly PlainItem[]): Map<PlainItem, Item> {
  const stored = new Map(items.filter(item => list.isStored(item)).map(item => [refOf(item), item]))
  const fresh = items.filter(item => !list.isStored(item))
  const pairs = new Map<PlainItem, Item>()
  for (const plain of now) {
    const at = stored.has(refOf(plain)) ? -1 : fresh.findIndex(({ uid }) => uid === plain.uid)
    const item = at < 0 ? stored.get(refOf(plain)) : fresh.splice(at, 1)[0]
    if (item) pairs.set(plain, item)
  }
  return pairs
}
