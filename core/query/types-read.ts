import type { Condition, QueryNode } from './tree.js'

/**
 * The types on which a response depends beside that of its entry: those that it lists, populates, filters and sorts by.
 * Components change with the entries that they belong to.
 */
export function typesRead(root: QueryNode): string[] {
  const uids = new Set<string>()
  const visit = (node: QueryNode) => {
    if (node.type.kind !== 'component') uids.add(node.type.uid)
    look(node.where)
    for (const { through } of node.order) for (const hop of through) visit(hop.node)
    for (const { nodes } of node.children) nodes.forEach(visit)
  }
  const look = (condition: Condition): void => {
    if (condition.kind === 'all' || condition.kind === 'any') condition.of.forEach(look)
    else if (condition.kind === 'some' || condition.kind === 'none') {
      visit(condition.node)
      look(condition.where)
    }
  }
  // A page depends on all entries of its type, an entry that is asked for by its id on itself.
  if (root.page) uids.add(root.type.uid)
  look(root.where)
  for (const { through } of root.order) for (const hop of through) visit(hop.node)
  for (const { nodes } of root.children) nodes.forEach(visit)
  return [...uids].sort()
}
