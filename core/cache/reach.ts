import type { Child, QueryNode } from '../query/tree.js'
import type { Link } from '../schema/types.js'
import { namesIn, type RowDependency, type RowSelection } from './dependency.js'

/** A node of a query, as far as its statements tell which rows they read. */
interface Conditions {
  readonly node: Pick<QueryNode, 'type' | 'countOnly'>
  readonly lead: Text | undefined
  readonly where: Text | undefined
  readonly order: Text
  readonly keyset: unknown
  readonly children: readonly ChildConditions[]
}

interface ChildConditions {
  readonly link: Link
  readonly as: Child['as']
  readonly rendered: readonly Conditions[]
}

interface Text {
  readonly text: string
}

type Ids = ReturnType<RowDependency['idsIn']>

/** The rows of one type in a response, and the populated rows below them. */
interface ShownRows {
  readonly table: string
  readonly children: readonly ShownChild[]
}

interface ShownChild extends ShownRows {
  readonly name: string
  readonly as: Child['as']
  readonly isWrapped: boolean
  /** The table of the links, and its column that has the id of the entry. */
  readonly links: string
  readonly from: string
}

/** An entry as a response has it. */
type Entry = Readonly<Record<string, unknown>>

/**
 * The rows that the response to a query depends on: those that it shows, and if its conditions and orders name columns, all rows
 * in which one of these is set. Of tables that these name, and of those that are read in another way, any row counts.
 */
export class Reach implements RowDependency {
  readonly #selections = new Map<string, { readonly by: string; readonly columns: Set<string> }>()
  /** Tables of which any row counts. */
  readonly #whole = new Set<string>()
  readonly #root: ShownRows | undefined
  readonly #ids = new WeakMap<Buffer, Ids>()

  constructor(root: Conditions) {
    const shown = this.#shown(root)
    this.#root = root.keyset ? undefined : shown
    for (const table of this.#whole) this.#selections.delete(table)
  }

  get selections(): ReadonlyMap<string, RowSelection> {
    return this.#selections
  }

  /** Row ids are read from the response's JSON, unless a hook or format has changed it. */
  idsIn(body: Buffer | undefined): Ids {
    if (!body) return none
    if (!this.#ids.has(body)) this.#ids.set(body, this.#idsIn(body))
    return this.#ids.get(body)
  }

  #idsIn(body: Buffer): Ids {
    if (!this.#root) return undefined
    const { table, children } = this.#root
    // The most frequent form: nothing else of it matters.
    const only = children.length === 0 && /^{"data":{"id":(\d+),/.exec(body.toString('latin1', 0, 32))?.[1]
    if (only) return new Map([[table, new Set([Number(only)])]])
    const ids = new Map<string, Set<number>>()
    return collect(this.#root, JSON.parse(body.toString()).data, ids) ? ids : undefined
  }

  #shown(conditions: Conditions): ShownRows {
    const { type } = conditions.node
    const table = type.table.toLowerCase()
    const columns = this.#of(table, 'id')
    for (const name of this.#named(conditions)) columns.add(name)
    // A search condition does not name the columns of its index.
    if (type.search && conditions.where) this.#whole.add(table)
    return { table, children: conditions.children.flatMap(child => this.#child(child)) }
  }

  /** The names in conditions and orders. If one is a table, any of its rows counts. */
  #named({ lead, where, order }: Conditions): readonly string[] {
    const names = [lead, where, order].flatMap(part => (part ? namesIn(part.text) : []))
    for (const name of names) this.#whole.add(name)
    return names
  }

  #child({ link: { storage, targets, shape, name }, rendered, as }: ChildConditions): ShownChild[] {
    const [child] = rendered
    const isPlain = storage.via === 'table' && storage.typeColumn === undefined && targets !== undefined
    if (!isPlain || !child || rendered.length > 1 || child.node.countOnly || shape === 'zone') {
      this.#avoid({ link: { storage }, rendered })
      return []
    }
    const links = storage.table.toLowerCase()
    const from = storage.from.toLowerCase()
    this.#of(links, from)
    return [{ ...this.#shown(child), name, as, isWrapped: shape === 'data', links, from }]
  }

  /** The columns that decide which rows of a table are read. */
  #of(table: string, by: string): Set<string> {
    const before = this.#selections.get(table)
    if (before && before.by !== by) this.#whole.add(table)
    if (before) return before.columns
    const columns = new Set<string>()
    this.#selections.set(table, { by, columns })
    return columns
  }

  #avoid({ link: { storage }, rendered }: AvoidedLink): void {
    if (storage.via === 'table') this.#whole.add(storage.table.toLowerCase())
    for (const conditions of rendered) {
      this.#whole.add(conditions.node.type.table.toLowerCase())
      this.#named(conditions)
      for (const child of conditions.children) this.#avoid(child)
    }
  }
}

interface AvoidedLink {
  readonly link: Pick<ChildConditions['link'], 'storage'>
  readonly rendered: readonly Conditions[]
}

const none: Ids = new Map()

/** Notes the ids of entries and of populated ones; false if something is not as it was expected. */
function collect({ table, children }: ShownRows, data: unknown, ids: Map<string, Set<number>>): boolean {
  const entries = (Array.isArray(data) ? data : data === null ? [] : [data]) as readonly (Entry | undefined)[]
  return entries.every(entry => {
    if (typeof entry?.id !== 'number') return false
    note(ids, table, entry.id)
    return children.every(child => {
      note(ids, child.links, entry.id as number)
      const around = (child.as === 'meta' ? entry.meta : (entry.attributes ?? entry)) as Entry | undefined
      const value = around?.[child.name]
      const shown = child.isWrapped ? (value as { data?: unknown } | undefined)?.data : value
      return shown !== undefined && collect(child, shown, ids)
    })
  })
}

function note(ids: Map<string, Set<number>>, table: string, id: number): void {
  const before = ids.get(table)
  if (before) before.add(id)
  else ids.set(table, new Set([id]))
}
