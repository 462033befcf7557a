import type { ReadFrom, RowsRead } from '../engines/changes.js'
import type { Child, Condition, QueryNode } from '../query/tree.js'

type Rows = ReturnType<NonNullable<ReadFrom['rows']>>

/** The rows of one type in a response, and what is shown of them there. */
interface Shown {
  readonly table: string
  readonly children: readonly ShownChild[]
}

interface ShownChild extends Shown {
  readonly name: string
  readonly as: Child['as']
  readonly isWrapped: boolean
  /** Where the links stand, and their column that has the id of the entry. */
  readonly links: string
  readonly from: string
}

/** An entry as a response has it. */
type Entry = Readonly<Record<string, unknown>>

/**
 * Which rows the response to a query depends on: those that it shows, and where its conditions and orders look at columns, all
 * rows in which one of these is set. Of tables that it reads in another way, any row counts.
 */
export class Reach {
  readonly #asked = new Map<string, { readonly by: string; readonly columns: Set<string> }>()
  /** Tables of which any row counts. */
  readonly #whole = new Set<string>()
  readonly #root: Shown | undefined
  #total: Rows
  readonly #bodies = new WeakMap<Buffer, Rows>()

  constructor(root: QueryNode) {
    const shown = this.#shown(root)
    this.#root = root.page?.keyset || root.marks ? undefined : shown
  }

  /** What the number of entries depends on. */
  readonly ofTotal = (): Rows => {
    this.#total ??= this.#rows(new Map())
    return this.#total
  }

  /** What a response depends on, as it is written where no hook and no format has a say in it. */
  ofBody(body: Buffer): Rows {
    if (!this.#bodies.has(body)) {
      const ids = new Map<string, Set<number>>()
      const isFound = this.#root && collect(this.#root, JSON.parse(body.toString()).data, ids)
      this.#bodies.set(body, isFound ? this.#rows(ids) : undefined)
    }
    return this.#bodies.get(body)
  }

  #rows(ids: ReadonlyMap<string, ReadonlySet<number>>): Rows {
    const rows = new Map<string, RowsRead>()
    for (const [table, { by, columns }] of this.#asked)
      if (!this.#whole.has(table)) rows.set(table, { by, ids: ids.get(table) ?? none, asked: columns })
    return rows
  }

  #shown(node: QueryNode): Shown {
    const table = node.type.table.toLowerCase()
    this.#look(node.where, this.#of(table, 'id'), table)
    this.#order(node, table)
    return { table, children: node.children.flatMap(child => this.#child(child)) }
  }

  #child({ link: { storage, targets, shape, name }, nodes, as }: Child): ShownChild[] {
    const [node] = nodes
    const isPlain = storage.via === 'table' && storage.typeColumn === undefined && targets !== undefined
    if (!isPlain || !node || nodes.length > 1 || node.countOnly || shape === 'zone') {
      if (storage.via === 'table') this.#whole.add(storage.table.toLowerCase())
      for (const one of nodes) this.#avoid(one)
      return []
    }
    const links = storage.table.toLowerCase()
    const from = storage.from.toLowerCase()
    this.#of(links, from)
    return [{ ...this.#shown(node), name, as, isWrapped: shape === 'data', links, from }]
  }

  /** The columns of a table that are asked about. */
  #of(table: string, by: string): Set<string> {
    const known = this.#asked.get(table)
    if (known && known.by !== by) this.#whole.add(table)
    if (known) return known.columns
    const columns = new Set<string>()
    this.#asked.set(table, { by, columns })
    return columns
  }

  #order({ order }: QueryNode, table: string): void {
    for (const { field, through } of order) {
      if (through.length === 0) this.#of(table, 'id').add(field.column.toLowerCase())
      for (const { link, node } of through) this.#through(link.storage, node, table)
    }
  }

  #look(condition: Condition, columns: Set<string>, table: string): void {
    switch (condition.kind) {
      case 'all':
      case 'any':
        for (const part of condition.of) this.#look(part, columns, table)
        break
      case 'not':
        this.#look(condition.of, columns, table)
        break
      case 'compare':
        columns.add(condition.field.column.toLowerCase())
        break
      case 'matches':
        this.#whole.add(table)
        break
      case 'some':
      case 'none':
        this.#through(condition.link.storage, condition.node, table)
        this.#look(condition.where, new Set(), condition.node.type.table.toLowerCase())
    }
  }

  /** Rows that are asked about through a link. */
  #through(storage: Child['link']['storage'], node: QueryNode, table: string): void {
    if (storage.via === 'table') this.#whole.add(storage.table.toLowerCase())
    else this.#whole.add(table)
    this.#avoid(node)
  }

  #avoid(node: QueryNode): void {
    const table = node.type.table.toLowerCase()
    this.#whole.add(table)
    this.#look(node.where, new Set(), table)
    this.#order(node, table)
    for (const { link, nodes } of node.children) for (const one of nodes) this.#through(link.storage, one, table)
  }
}

const none: ReadonlySet<number> = new Set()

/** Notes the ids of entries and of what is populated in them; false where something is not as it was expected. */
function collect({ table, children }: Shown, data: unknown, ids: Map<string, Set<number>>): boolean {
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
  const known = ids.get(table)
  if (known) known.add(id)
  else ids.set(table, new Set([id]))
}
