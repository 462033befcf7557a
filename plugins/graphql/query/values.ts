import {
  type GraphQLDirective,
  type GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getDirectiveValues,
  getVariableValues,
  type OperationDefinitionNode,
  type SelectionNode,
  versionInfo,
} from 'graphql'

export type Values = Readonly<Record<string, unknown>>

/** The values of variables as version 17 of graphql-js has them: with their sources, beside which it reads `coerced`. */
interface SourcedValues {
  readonly coerced: Values
  readonly sources: Readonly<Record<string, unknown>>
}

interface ReadValues {
  readonly coerced?: Values
  readonly variableValues?: SourcedValues
  readonly errors?: readonly GraphQLError[]
}

const isSourced = versionInfo.major > 16
const sourced = new WeakMap<Values, SourcedValues>()

/** The values of variables as this version of graphql-js takes them back. */
export const forGraphqlJs = (values: Values): Values =>
  isSourced ? { ...(sourced.get(values) ?? { coerced: values, sources: {} }) } : values

/** The values of an operation's variables, or what is wrong with them. */
export function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Values,
  options?: { readonly maxErrors: number },
): { readonly values?: Values; readonly errors?: readonly GraphQLError[] } {
  const { coerced, variableValues, errors } = getVariableValues(
    schema,
    variableDefinitions,
    given,
    options,
  ) as ReadValues
  if (errors) return { errors }
  if (variableValues) sourced.set(variableValues.coerced, variableValues)
  return { values: variableValues?.coerced ?? coerced ?? {} }
}

type ArgumentsOf = Parameters<typeof getArgumentValues>

export const readArguments = (
  field: GraphQLField<unknown, unknown>,
  node: ArgumentsOf[1],
  variables: Values,
): Record<string, unknown> => getArgumentValues(field, node, forGraphqlJs(variables))

export const readDirective = (
  directive: GraphQLDirective,
  node: SelectionNode,
  variables: Values,
): Values | undefined => getDirectiveValues(directive, node, forGraphqlJs(variables))
