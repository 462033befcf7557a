import type { Child, QueryNode } from './tree.js'

/** The query with entries behind relations to any type, and everything below them, returned without envelopes. */
export function withPlainPolymorphic(node: QueryNode, isBelow = false): QueryNode {
  if (node.children.length === 0) return node
  return {
    ...node,
    children: node.children.map(child => plainChild(child, isBelow || child.link.targets === undefined)),
  }
}

function plainChild({ link, nodes, ...child }: Child, isPlain: boolean): Child {
  return {
    ...child,
    link: isPlain && link.shape === 'data' ? { ...link, shape: 'inline' } : link,
    nodes: nodes.map(node => withPlainPolymorphic(node, isPlain)),
  }
}
