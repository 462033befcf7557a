import { type Ask, type Caller, mayDo, rowsFor } from '../../query/ask.js'
import { Views } from '../../query/caller.js'
import { conditionOf, where } from '../../query/filters.js'
import { moreBehind } from '../../query/more.js'
import type { Slots } from '../../query/slots.js'
import type { QueryNode } from '../../query/tree.js'
import type { Rules } from '../../query/visitor.js'
import type { Registry } from '../../schema/registry.js'
import type { ContentType } from '../../schema/types.js'
import type { ContentParts } from '../parts.js'

/** The types that a relation without a fixed target may lead to. */
export const typesToLink = ({ types }: Registry, components: boolean): ContentType[] =>
  [...types.values()].filter(({ kind }) => components || kind !== 'component')

/** The caller of a query, and the notes taken while the query is read. */
interface RuleContext {
  readonly caller: Caller
  /** The query only finds out which entry is meant. */
  readonly lookup?: boolean | undefined
  readonly slots?: Slots | undefined
}

/** The reach of a caller's query: its permissions, and each node as hooks and row rules leave it. */
export function rulesFor(
  { dialect, hooks, params, registry }: Pick<ContentParts, 'dialect' | 'hooks' | 'params' | 'registry'>,
  { caller, lookup = false, slots }: RuleContext,
): Rules & Pick<Ask, 'can'> {
  const anyTarget = typesToLink(registry, dialect.componentsInPolymorphic)
  const { fields, more } = caller
  const views = fields && Views.of({ fields, more })
  return {
    can: (what, uid) => mayDo(caller, what, uid),
    anyTarget: views ? anyTarget.map(type => views.behind(type)) : anyTarget,
    nestedParam: (type, name) => {
      const param = params(type).get(name)
      return param?.nested ? param : undefined
    },
    narrow: (node: QueryNode, ask: Ask): QueryNode => {
      // The response to a write is the entry that was written, whatever lists would show.
      const isWritten = !lookup && node.use === 'root' && ask.action !== 'find' && ask.action !== 'findOne'
      const action = node.use === 'root' ? (ask.permission ?? ask.action) : 'find'
      const rows = isWritten ? undefined : rowsFor(caller, action, node.type.uid)
      const ruled = rows ? where(node, rows) : node
      const { beforeFind, readsValues } = hooks(node.type)
      if (readsValues) slots?.noteReader()
      const shaped = beforeFind ? beforeFind(ruled, ask) : ruled
      const narrowed = isWritten ? { ...shaped, where: node.where } : shaped
      return caller.more && !lookup ? withMore(narrowed) : narrowed
    },
  }
}

/** The node with the conditions of what some of its entries show, where it asks for that. */
function withMore(node: QueryNode): QueryNode {
  const view = node.view && moreBehind(node.view)
  const isShown = node.use === 'root' || node.use === 'populate'
  const { fields, children } = node
  const names = [...fields.map(({ name }) => name), ...children.map(({ link }) => link.name)]
  if (!view || !isShown || !names.some(name => view.names.has(name))) return node
  const conditions = view.parts.map(({ rows }) => conditionOf(node.type, rows))
  return { ...node, more: { view, conditions } }
}
