import { type ASTNode, Kind, type OperationDefinitionNode, type SelectionNode, visit } from 'graphql'
import { LRUCache } from 'lru-cache'
import { argumentsOf } from './arguments.js'
import { type AnyRoot, isOwn } from './bound.js'
import type { ReadyDocument } from './documents.js'

type Values = Readonly<Record<string, unknown>>

/** An operation with the values of its variables, as they were sent and as they are meant. */
interface AskedOperation {
  readonly document: ReadyDocument
  readonly operation: OperationDefinitionNode
  readonly variables: Values
  readonly given: Values | undefined
}

/** The bytes of the selections that are kept, about. */
const mostBytes = 64_000_000

/**
 * The roots of operations whose variables are arguments of roots alone differ in these arguments: what they select is bound once,
 * and again for each value of the variables that have to do with the selection.
 */
export class Selections {
  readonly #kept = new LRUCache<string, AnyRoot[]>({ maxSize: mostBytes })
  readonly #names = new WeakMap<OperationDefinitionNode, readonly string[]>()

  /** The roots with their arguments; `bind` makes them. */
  with(asked: AskedOperation, scope: string, bind: () => AnyRoot[]): AnyRoot[] {
    const { document, operation, variables, given = {} } = asked
    const shaping = Object.fromEntries(this.#namesOf(asked).map(name => [name, given[name]]))
    const key = `${document.id} ${scope}\n${operation.name?.value ?? ''}\n${JSON.stringify(shaping)}`
    const known = this.#kept.get(key)
    if (known) return known.map(root => withArguments(root, variables))
    const roots = bind()
    if (roots.every(isOfSelection)) this.#kept.set(key, [...roots], { size: document.size + key.length })
    return roots
  }

  /** The variables that stand anywhere but in the arguments of roots. */
  #namesOf({ document, operation }: AskedOperation): readonly string[] {
    const known = this.#names.get(operation)
    if (known) return known
    const names = new Set<string>()
    const note = (node: ASTNode) => {
      visit(node, { Variable: ({ name }) => void names.add(name.value) })
    }
    for (const node of operation.selectionSet.selections) for (const part of shapingParts(node)) note(part)
    for (const fragment of Object.values(document.fragments)) note(fragment)
    this.#names.set(operation, [...names])
    return [...names]
  }
}

/** Functions below a root are told the values of all variables. */
const isOfSelection = (root: AnyRoot): boolean => isOwn(root) || root.owns.length === 0

function shapingParts(node: SelectionNode): readonly ASTNode[] {
  if (node.kind !== Kind.FIELD) return [node]
  return [...(node.directives ?? []), ...(node.selectionSet ? [node.selectionSet] : [])]
}

const withArguments = (root: AnyRoot, variables: Values): AnyRoot =>
  isOwn(root) ? root : { ...root, args: argumentsOf(root.field, root.node, variables) }
