import type { Child, QueryNode } from '../query/tree.js'
import type { SqlWriter } from './sql.js'
import { noLimit, Slot, type Statement } from './statement.js'

/** What of a node depends on its conditions: their text, with a place for each value. */
export interface Sketch {
  readonly node: QueryNode
  /** Where the statement starts from, when that is not the node's own table. */
  readonly lead: Statement | undefined
  readonly where: string | undefined
  readonly order: string
  readonly whereSlots: readonly Slot[]
  readonly orderSlots: readonly Slot[]
  readonly pageSlots: readonly Slot[]
  readonly children: readonly ChildSketch[]
  readonly meta: readonly (ChildSketch & { readonly name: string })[]
}

export interface ChildSketch {
  readonly child: Child
  readonly sketches: readonly Sketch[]
}

/** Writes what depends on the query's conditions, and the key of everything that does not depend on its values. */
export function sketchOf(node: QueryNode, writer: SqlWriter, key: string[]): Sketch {
  const slots = (write: () => void): Slot[] => {
    const from = writer.values.length
    write()
    return Array.from({ length: writer.values.length - from }, (_, index) => new Slot(from + index))
  }
  let where: string | undefined
  let order = ''
  let first: ReturnType<SqlWriter['lead']>
  const leadSlots = slots(() => {
    first = node.use === 'root' ? writer.lead(node.where) : undefined
  })
  const lead = first && { sql: leadOf(node, first, writer), bindings: leadSlots }
  const whereSlots = slots(() => {
    where = writer.where(first ? first.rest : node.where, aliasOf(node))
  })
  const orderSlots = slots(() => {
    order = node.use === 'root' || node.order.length > 0 ? writer.order(node.order, aliasOf(node)) : ''
  })
  const pageSlots = slots(() => {
    if (node.page) writer.values.push(node.page.limit ?? noLimit, node.page.start)
  })
  key.push(lead?.sql ?? '', `${node.type.uid}(${node.fields.map(field => field.name).join()})`, where ?? '', order)
  key.push(node.page ? 'page' : '', node.countOnly ? 'how many' : '')
  const below = (child: Child, name: string): ChildSketch => {
    key.push(`>${name}`)
    const sketches = child.nodes.map(inner => sketchOf(inner, writer, key))
    key.push('<')
    return { child, sketches }
  }
  const children = node.children.map(child => below(child, child.link.name))
  const meta = (node.meta ?? []).map(child => ({ ...below(child, `meta ${child.name}`), name: child.name }))
  return { node, lead, where, order, whereSlots, orderSlots, pageSlots, children, meta }
}

/** The name of a node's table in its statements; nested ones must not hide each other. */
export const aliasOf = ({ depth }: QueryNode): string => (depth === 0 ? 't' : `t${depth}`)

function leadOf(node: QueryNode, { owners, column }: { owners: string; column: string }, writer: SqlWriter): string {
  const t = aliasOf(node)
  return `(${owners}) f straight_join ${writer.quote(node.type.table)} ${t} on ${t}.id = ${writer.column('f', column)}`
}
