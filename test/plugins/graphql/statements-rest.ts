import { isDeepStrictEqual } from 'node:util'
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getNamedType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
} from 'graphql'
import { readArguments, readDirective, readVariables } from '../../../plugins/graphql/query/values.js'
import type { Selected } from './generated-operations.js'
import { askable } from './generated-rest.js'

export interface Asked {
  readonly auth: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The requests of REST that ask for the same as an operation, one for each root; undefined where there are none. */
export function restRequests(schema: GraphQLSchema, asked: Asked) {
  const requests = selectedBy(schema, asked)?.map(askable)
  return requests?.every(request => request !== undefined) ? requests : undefined
}

/** The roots of an operation without its aliases and fragments; undefined where it asks for one field in two ways. */
export function selectedBy(schema: GraphQLSchema, { query, variables }: Asked): Selected[] | undefined {
  try {
    return new Reading(schema, query, variables ?? {}).roots()
  } catch (error) {
    if (error instanceof Elsewise) return undefined
    throw error
  }
}

/** An operation asks for a relation in two ways, or for what REST does not know. */
class Elsewise extends Error {}

class Reading {
  readonly #schema: GraphQLSchema
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #operation: OperationDefinitionNode
  readonly #variables: Readonly<Record<string, unknown>>

  constructor(schema: GraphQLSchema, query: string, variables: Readonly<Record<string, unknown>>) {
    this.#schema = schema
    const operations: OperationDefinitionNode[] = []
    for (const definition of parse(query).definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
      else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
    const [operation, ...more] = operations
    if (!operation || more.length > 0) throw new Elsewise()
    this.#operation = operation
    const { values } = readVariables(schema, operation, variables)
    if (!values) throw new Elsewise()
    this.#variables = values
  }

  roots(): Selected[] {
    const query = this.#schema.getQueryType() as GraphQLObjectType
    return this.#fields(query, this.#operation.selectionSet.selections)
  }

  #fields(type: GraphQLObjectType, selections: readonly SelectionNode[]): Selected[] {
    const nodes = new Map<string, FieldNode[]>()
    for (const node of this.#gathered(type, selections)) {
      const { value } = node.name
      if (value.startsWith('__')) continue
      nodes.set(value, [...(nodes.get(value) ?? []), node])
    }
    return [...nodes.values()].map(all => this.#field(type, all))
  }

  #field(holder: GraphQLObjectType, nodes: readonly FieldNode[]): Selected {
    const [node] = nodes as readonly [FieldNode]
    const field = holder.getFields()[node.name.value]
    if (!field || /^related$|^me$/.test(field.name)) throw new Elsewise()
    const [args, ...others] = nodes.map(one => readArguments(field, one, this.#variables))
    if (!others.every(other => isDeepStrictEqual(other, args))) throw new Elsewise()
    const { type } = field
    const named = getNamedType(type)
    const below = nodes.flatMap(one => one.selectionSet?.selections ?? [])
    const about = { name: field.name, type, args: args as Selected['args'] }
    if (isUnionType(named)) {
      // Components that no fragment names keep their places.
      const parts = named.getTypes().map(part => ({ type: part.name, fields: this.#fields(part, below) }))
      return { ...about, below: [], parts: parts.filter(part => part.type !== 'Error') }
    }
    return { ...about, below: isObjectType(named) ? this.#fields(named, below) : [] }
  }

  #gathered(type: GraphQLObjectType, selections: readonly SelectionNode[]): FieldNode[] {
    return selections.flatMap(node => {
      if (readDirective(GraphQLSkipDirective, node, this.#variables)?.if === true) return []
      if (readDirective(GraphQLIncludeDirective, node, this.#variables)?.if === false) return []
      if (node.kind === Kind.FIELD) return [node]
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node
      const condition = fragment?.typeCondition?.name.value
      const applies = condition === undefined || condition === type.name
      return fragment && applies ? this.#gathered(type, fragment.selectionSet.selections) : []
    })
  }
}
