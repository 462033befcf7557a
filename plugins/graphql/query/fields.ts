import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  type SelectionNode,
} from 'graphql'
import { readDirective } from './values.js'

/** An operation with its variables: all that the fields of a selection depend on. */
export interface SelectionContext {
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly variables: Readonly<Record<string, unknown>>
}

/** The fields of one type that a document asks for, by the keys of the response and in its order. */
export type SelectedFields = ReadonlyMap<string, readonly FieldNode[]>

/** Gathers the fields below these nodes, fragments and directives resolved. */
export function fieldsBelow(
  context: SelectionContext,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): SelectedFields {
  const gathering = new Gathering(context, type)
  for (const { selectionSet } of nodes) gathering.add(selectionSet?.selections ?? [])
  return gathering.fields
}

/** Gathers the fields of these selections. */
export function fieldsOf(
  context: SelectionContext,
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
): SelectedFields {
  const gathering = new Gathering(context, type)
  gathering.add(selections)
  return gathering.fields
}

class Gathering {
  readonly fields = new Map<string, FieldNode[]>()
  readonly #context: SelectionContext
  readonly #type: GraphQLObjectType
  readonly #spread = new Set<string>()

  constructor(context: SelectionContext, type: GraphQLObjectType) {
    this.#context = context
    this.#type = type
  }

  add(selections: readonly SelectionNode[]): void {
    for (const node of selections) {
      if (!this.#isIncluded(node)) continue
      if (node.kind === 'Field') this.#addField(node)
      else if (node.kind === 'InlineFragment') {
        if (this.#applies(node.typeCondition?.name.value)) this.add(node.selectionSet.selections)
      } else if (!this.#spread.has(node.name.value)) {
        this.#spread.add(node.name.value)
        const fragment = this.#context.fragments[node.name.value]
        if (fragment && this.#applies(fragment.typeCondition.name.value)) this.add(fragment.selectionSet.selections)
      }
    }
  }

  #addField(node: FieldNode): void {
    const key = (node.alias ?? node.name).value
    const known = this.fields.get(key)
    if (known) known.push(node)
    else this.fields.set(key, [node])
  }

  #isIncluded(node: SelectionNode): boolean {
    if (!node.directives || node.directives.length === 0) return true
    const { variables } = this.#context
    if (readDirective(GraphQLSkipDirective, node, variables)?.if === true) return false
    return readDirective(GraphQLIncludeDirective, node, variables)?.if !== false
  }

  #applies(condition: string | undefined): boolean {
    if (condition === undefined || condition === this.#type.name) return true
    const type = this.#context.schema.getType(condition)
    return isAbstractType(type) && this.#context.schema.isSubType(type, this.#type)
  }
}
