import type { Cell } from './cell.js'
import type { Form } from './form.js'
import type { Item, ItemList, Node } from './item.js'
import type { Links, Typed } from './plain.js'
import type { Relation } from './relation.js'

/** A request that saves a form, and what was in the form when it was sent: writing goes on while the request is in flight. */
export class Sent {
  readonly data: Readonly<Record<string, unknown>>
  readonly #typed = new Map<Cell, Typed>()
  readonly #items = new Map<ItemList, readonly Item[]>()
  readonly #links = new Map<Relation, Links>()
  readonly #root: Item

  constructor(form: Form) {
    this.#root = form.root
    this.data = form.body()
    this.#note(form.root)
  }

  #note(item: Item): void {
    for (const node of item.nodes.values()) {
      if (node.kind === 'cell') this.#typed.set(node, node.value.peek())
      else if (node.kind === 'links') this.#links.set(node, node.value.peek())
      else {
        this.#items.set(node, node.items.peek())
        for (const inner of node.items.peek()) this.#note(inner)
      }
    }
  }

  typed(cell: Cell): Typed {
    return this.#typed.get(cell)
  }

  items(list: ItemList): readonly Item[] {
    return this.#items.get(list) ?? []
  }

  links(relation: Relation): Links | undefined {
    return this.#links.get(relation)
  }

  /** Shows errors of the server where they belong, and gives those that belong to no field. */
  place(errors: readonly ServerError[]): readonly ServerError[] {
    for (const node of [...this.#typed.keys(), ...this.#items.keys(), ...this.#links.keys()]) node.accept()
    return errors.filter(({ path, message }) => {
      const node = this.#at(path)
      node?.refuse(message)
      return node === undefined
    })
  }

  /** The innermost field on a path such as `['sources', '1', 'url']`; places in a list are those that were sent. */
  #at(path: readonly (string | number)[]): Node | undefined {
    let item: Item | undefined = this.#root
    let found: Node | undefined
    const rest = path.map(String)
    while (item && rest.length > 0) {
      const node: Node | undefined = item.nodes.get(rest.shift() ?? '')
      if (!node) return found
      found = node
      if (node.kind !== 'items') return found
      item = this.items(node)[node.attribute.many ? Number(rest.shift()) : 0]
    }
    return found
  }
}

/** One of `error.details.errors`. */
interface ServerError {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The errors in the response to a write; its message, where it names none. */
export function errorsOf(response: unknown): readonly ServerError[] {
  const { error } = Object(response) as { error?: { message?: unknown; details?: { errors?: unknown } } }
  const errors = error?.details?.errors
  if (!Array.isArray(errors)) return [{ path: [], message: String(error?.message ?? '') }]
  return errors.map(({ path, message }) => ({ path: Array.isArray(path) ? path : [], message: String(message) }))
}
