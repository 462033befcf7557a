import {
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { longNames, most } from './limits.js'

interface GivenVariables {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly given: Readonly<Record<string, unknown>> | undefined
}

/**
 * Refuses variables with more values than a query may have, before any of them is looked at. What is written counts nowhere: as in
 * REST, only the size of the body limits it.
 */
export function checkVariables(
  { schema, operation, given = {} }: GivenVariables,
  maxParameters: number,
): GraphQLError | undefined {
  const { variableDefinitions = [] } = operation
  const counted =
    operation.operation === 'query'
      ? variableDefinitions
      : variableDefinitions.filter(definition => !isWritten(definition, schema))
  let left = maxParameters
  for (const { variable } of counted) {
    left -= countOf(given[variable.name.value], left)
    if (left < 0)
      return new GraphQLError(
        `The query has more than ${maxParameters} parameters; ask for less, or raise rest.maxParameters`,
        { nodes: variable },
      )
  }
  const named = variableDefinitions.find(({ type, variable }) =>
    hasLongName(getNamedType(typeFromAST(schema, type as never)), given[variable.name.value]),
  )
  return named && new GraphQLError(`${longNames('variables')}; use those of the schema`, { nodes: named.variable })
}

/** True for a name, of an attribute or of a member of an enum, for which similar ones would be looked for at length. */
function hasLongName(type: GraphQLNamedType | undefined, value: unknown): boolean {
  if (Array.isArray(value)) return value.some(item => hasLongName(type, item))
  if (isEnumType(type)) return typeof value === 'string' && value.length > most.name
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null) return false
  const fields = type.getFields()
  return Object.entries(value).some(
    ([name, inner]) => name.length > most.name || hasLongName(getNamedType(fields[name]?.type), inner),
  )
}

/** A variable that has values to write: an object that is no filter, or something whose shape the schema does not know. */
function isWritten({ type }: VariableDefinitionNode, schema: GraphQLSchema): boolean {
  const named = getNamedType(typeFromAST(schema, type as never))
  if (isInputObjectType(named)) return !Object.hasOwn(named.getFields(), 'and')
  // Sorts are lists of texts.
  return isLeafType(named) && (named.name !== 'String' || type.kind === 'NamedType')
}

/** The values in a value, as far as they are no more than `most`. */
function countOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 0
  for (const inner of Object.values(value)) {
    count += countOf(inner, most - count)
    if (count > most) break
  }
  return Math.max(1, count)
}
