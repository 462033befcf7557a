import type { Cell } from '../../../../plugins/console/model/form/cell.js'
import type { Form } from '../../../../plugins/console/model/form/form.js'
import type { Item, ItemList, Node } from '../../../../plugins/console/model/form/item.js'
import type { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import {
  loaded,
  type PlainItem,
  type Related,
  refOf,
  type Typed,
} from '../../../../plugins/console/model/form/plain.js'
import type { Relation } from '../../../../plugins/console/model/form/relation.js'
import { parse } from '../../../../plugins/console/model/form/typed.js'
import type { FieldInfo, LinkInfo } from '../../../../plugins/console/model/meta.js'
import type { Dice } from '../../explorer/random.js'

/** Changes forms at random, with values that the server takes. */
export class Typist {
  readonly #dice: Dice
  /** Entries that relations may lead to, by type. */
  readonly #ids: ReadonlyMap<string, readonly number[]>
  #count: number

  /** `first` is where it begins to count, so that what several of them type differs. */
  constructor(dice: Dice, ids: ReadonlyMap<string, readonly number[]>, first = 0) {
    this.#dice = dice
    this.#ids = ids
    this.#count = first
  }

  /** Some changes in an entry; `share` of its attributes are touched. */
  change({ root, type }: Form, share: number): void {
    const self = refOf({ uid: type.uid, ...(root.id !== undefined && { id: root.id }) })
    this.#item(root, share, self)
  }

  /** Fills in what a new entry has to have, and some more. */
  fill({ root }: Form): void {
    this.#filled(root, '', 0)
  }

  #item(item: Item, share: number, self: string): void {
    for (const node of item.nodes.values()) if (node.canWrite && this.#dice.chance(share)) this.#node(node, self, share)
  }

  #node(node: Node, self: string, share: number): void {
    if (node.kind === 'cell') this.type(node)
    else if (node.kind === 'links') this.#relate(node, self)
    else this.#arrange(node, self, share)
  }

  type(cell: Cell): void {
    const { attribute } = cell
    const mayEmpty = !attribute.required && this.#dice.chance(0.2)
    cell.value.value = mayEmpty ? (attribute.type === 'boolean' ? null : '') : this.#typed(attribute)
  }

  #typed(field: FieldInfo): Typed {
    this.#count += 1
    const dice = this.#dice
    if (field.enum) return dice.one(field.enum)
    const number = () => {
      const least = Number(field.min ?? -50)
      return least + dice.below(Math.min(Number(field.max ?? 500), 500) - least)
    }
    const typed: Readonly<Record<string, () => Typed>> = {
      boolean: () => dice.chance(0.5),
      integer: () => String(Math.floor(number())),
      biginteger: () => dice.one(['9007199254740993', '-17', String(Math.floor(number()))]),
      float: () => String(number() + 0.5 > Number(field.max ?? 9999) ? number() : number() + 0.25),
      decimal: () => `${Math.abs(Math.floor(number()))}.${dice.one(['5', '25'])}`,
      date: () => dice.one(['2024-02-29', '1999-12-31']),
      time: () => dice.one(['12:30', '23:59:59', '00:00:00.123']),
      datetime: () => dice.one(['2024-05-01T10:30', '2024-05-01T10:30:00.250Z', '2024-05-01T10:30:00+02:00']),
      timestamp: () => dice.one(['2024-05-01T10:30', '1970-01-02T00:00']),
      json: () => dice.one(['{"a": [1, null]}', '1', '"x"', '[]', 'false', '{"data": {"id": 1}}']),
      array: () => dice.one(['["a","b"]', '[]', '[{"id": 1}]']),
      blocks: () => [{ type: 'paragraph', children: [{ type: 'text', text: `words ${this.#count}` }] }],
      email: () => `writer-${this.#count}@example.com`,
      uid: () => `uid-${this.#count}`,
      password: () => 'long enough',
    }
    const made = typed[field.type]?.()
    if (made !== undefined) return made
    if (field.regex?.startsWith('^https')) return `https://example.com/${this.#count}`
    if (field.regex) return `a${this.#count}`
    const odd = dice.one(['text', 'ä ß 東京', "it's", ' a\n\tb ', '<b>&amp;', '100%', '{"id":1}'])
    return `${odd} ${this.#count}`.slice(0, field.maxLength)
  }

  #relate(relation: Relation, self: string): void {
    const entries = relation.entries.peek()
    const change = this.#dice.below(3)
    if (change === 0 && entries.length > 0 && !(relation.attribute.required && entries.length === 1))
      relation.remove(this.#dice.one(entries), 'one')
    else if (change === 1 && entries.length > 1)
      relation.move(this.#dice.one(entries), this.#dice.below(entries.length), 'one')
    else {
      const added = this.related(relation.attribute, self)
      if (!added) return
      if (relation.attribute.type === 'media' && relation.attribute.many)
        relation.choose([...new Map([...entries, added].map(one => [refOf(one), one])).values()], 'files')
      else relation.add(added, 'one')
    }
  }

  /** An entry that a relation may lead to. */
  related({ targets }: LinkInfo, self: string): Related | undefined {
    const known = [...this.#ids].filter(([uid]) => targets?.includes(uid) ?? uid.startsWith('api::'))
    const all = known
      .flatMap(([uid, ids]) => ids.map(id => ({ uid, id, values: {} })))
      .filter(one => refOf(one) !== self)
    return all.length > 0 ? this.#dice.one(all) : undefined
  }

  #arrange(list: ItemList, self: string, share: number): void {
    const items = list.items.peek()
    const { many, max, required } = list.attribute
    const change = this.#dice.below(4)
    const gone = items.filter(item => list.canRemove(item))
    if (change === 0 && gone.length > 0 && items.length > (required ? 1 : 0)) list.remove(this.#dice.one(gone), 'one')
    else if (change === 1 && items.length > 1) list.move(this.#dice.one(items), this.#dice.below(items.length), 'one')
    else if (change === 2 && list.canAdd && items.length < Number(max ?? 12) - 2)
      this.#add(list, many ? this.#dice.below(items.length + 1) : 0, 0)
    else for (const item of items) this.#item(item, Math.max(share, 0.3), self)
  }

  #add(list: ItemList, at: number, depth: number): void {
    const uid = this.#dice.one(list.attribute.targets ?? [])
    const item = list.make({ uid, values: {} })
    this.#filled(item, '', depth + 1)
    list.insert(item, at, 'one')
  }

  #filled(item: Item, self: string, depth: number): void {
    for (const node of item.nodes.values()) {
      // The server makes a value of this type where none is sent.
      const must = node.attribute.required === true || node.attribute.type === 'uid'
      if (!node.canWrite || (!must && this.#dice.chance(0.5))) continue
      if (node.kind === 'cell') node.value.value = this.#typed(node.attribute)
      else if (node.kind === 'links') this.#relate(node, self)
      else if (must || depth < 2) this.#add(node, 0, depth)
    }
  }
}

/** What an entry says, without what a form need not show alike: the form of numbers, ids of components, passwords. */
export function told(kinds: Kinds, { uid, values }: PlainItem): unknown {
  const said = kinds.shown(uid).flatMap(attribute => {
    const value = values[attribute.name]
    if (!value || attribute.type === 'password') return []
    if (value.kind === 'items') return [[attribute.name, value.items.map(item => [item.uid, told(kinds, item)])]]
    if (value.kind === 'links') {
      const { relation } = attribute as LinkInfo
      // One entry of any type comes without its type in one of the dialects.
      const refs = loaded(value.links).map(one => (relation === 'morphToOne' ? one.id : refOf(one)))
      // Entries at the other end of a polymorphic relation stand in the order of their ids.
      return [[attribute.name, relation === 'morphMany' ? refs.sort() : refs]]
    }
    return [[attribute.name, parse(attribute as FieldInfo, value.typed).value]]
  })
  return Object.fromEntries(said)
}
