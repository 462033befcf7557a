import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

/** Fields of an operation with every fragment written out, its directives among them, and those at its root, and those of one key in one selection. */
const most = { fields: 3000, roots: 100, ofOneKey: 20 }

/**
 * Refuses documents whose validation would take long: it compares fields of one key with each other, and looks at a fragment
 * wherever it is spread.
 */
export function checkSize(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
): GraphQLError | undefined {
  for (const { selectionSet } of operations) {
    if (selectionSet.selections.length > most.roots)
      return new GraphQLError(`The operation has more than ${most.roots} fields at its root; ask for less at once`)
    const count = new FieldCount(fragments)
    if (!count.fits(selectionSet))
      return new GraphQLError(
        `The operation has more than ${most.fields} fields, or one more than ${most.ofOneKey} times; ask for less at once`,
      )
  }
  return undefined
}

class FieldCount {
  readonly #fragments: Fragments
  readonly #open = new Set<string>()
  #left = most.fields

  constructor(fragments: Fragments) {
    this.#fragments = fragments
  }

  /** Cycles are for the rules to find: here each fragment is entered once on a path. */
  fits({ selections }: SelectionSetNode): boolean {
    const keys = new Map<string, number>()
    for (const node of selections) {
      this.#left -= 1 + (node.directives?.length ?? 0)
      if (this.#left < 0 || (node.kind === 'Field' && isOnceTooOften(node, keys))) return false
      if (node.kind !== 'FragmentSpread') {
        if (node.selectionSet && !this.fits(node.selectionSet)) return false
        continue
      }
      const name = node.name.value
      const fragment = this.#fragments[name]
      if (!fragment || this.#open.has(name)) continue
      this.#open.add(name)
      const isFit = this.fits(fragment.selectionSet)
      this.#open.delete(name)
      if (!isFit) return false
    }
    return true
  }
}

/** Counts the key of a field; true if there are too many of it. */
function isOnceTooOften({ alias, name }: FieldNode, keys: Map<string, number>): boolean {
  const key = (alias ?? name).value
  const count = (keys.get(key) ?? 0) + 1
  keys.set(key, count)
  return count > most.ofOneKey
}

/** Refuses operations with a field below the deepest level; roots are at level 0, and introspection has none. */
export const depthRule =
  (limit: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => ({
    OperationDefinition(node) {
      if (isDeeper(context, node.selectionSet, limit, new Set())) {
        const name = node.name ? `'${node.name.value}'` : 'The operation'
        context.reportError(new GraphQLError(`${name} exceeds maximum operation depth of ${limit}`, { nodes: node }))
      }
    },
  })

function isDeeper(context: ValidationContext, set: SelectionSetNode, left: number, open: ReadonlySet<string>): boolean {
  return set.selections.some(node => {
    if (node.kind === 'FragmentSpread') {
      const name = node.name.value
      const fragment = open.has(name) ? undefined : context.getFragment(name)
      return fragment ? isDeeper(context, fragment.selectionSet, left, new Set([...open, name])) : false
    }
    if (node.kind === 'InlineFragment') return isDeeper(context, node.selectionSet, left, open)
    if (node.name.value.startsWith('__')) return false
    return left < 0 || (node.selectionSet !== undefined && isDeeper(context, node.selectionSet, left - 1, open))
  })
}

/** Refuses questions about the schema. */
export const noIntrospection: ValidationRule = context => ({
  Field(node) {
    const name = node.name.value
    if (name === '__schema' || name === '__type')
      context.reportError(
        new GraphQLError(
          'GraphQL introspection is not allowed here; `stele graphql schema` prints the schema, and graphql.config.apolloServer.introspection allows it',
          { nodes: node },
        ),
      )
  },
})
