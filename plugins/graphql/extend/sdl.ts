import {
  type DefinitionNode,
  type DocumentNode,
  extendSchema,
  type FieldDefinitionNode,
  GraphQLSchema,
  type InputValueDefinitionNode,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
  visit,
} from 'graphql'
import { BootError } from '../../../core/index.js'
import { setResolvers } from './resolvers.js'
import type { SdlParts } from './sdl-parts.js'

type Note = ((sentence: string) => void) | undefined

const documentsOf = ({ typeDefs = [] }: SdlParts): DocumentNode[] =>
  typeDefs.map(text => {
    if (typeof text !== 'string') return text
    try {
      return parse(text, { noLocation: true })
    } catch (error) {
      throw wrong(error)
    }
  })

const wrong = (error: unknown): BootError =>
  new BootError(`graphql: the type definitions of an extension are wrong: ${(error as Error).message}`)

/** The names of all types that the text of an extension mentions. */
export function namesIn(parts: SdlParts): string[] {
  const names = new Set<string>()
  for (const document of documentsOf(parts)) visit(document, { NamedType: ({ name }) => void names.add(name.value) })
  return [...names]
}

/** The schema with types and fields that texts declare, and with functions that answer them. */
export function extendByText(schema: GraphQLSchema, parts: SdlParts, note: Note): GraphQLSchema {
  const definitions = documentsOf(parts).flatMap(document => document.definitions)
  const extended = definitions.length > 0 ? withDefinitions(schema, definitions) : schema
  setResolvers(extended, parts, note)
  return extended
}

function withDefinitions(schema: GraphQLSchema, given: readonly DefinitionNode[]): GraphQLSchema {
  const known = new Set(Object.keys(schema.getTypeMap()))
  const definitions = given.flatMap(node => fitting(node, known))
  for (const node of definitions) dropReplaced(schema, node)
  try {
    const extended = extendSchema(schema, { kind: Kind.DOCUMENT, definitions })
    const mutation = extended.getMutationType() ?? extended.getType('Mutation')
    if (extended.getMutationType() || !isObjectType(mutation)) return extended
    return new GraphQLSchema({ ...extended.toConfig(), mutation })
  } catch (error) {
    throw wrong(error)
  }
}

const extensionKinds: Readonly<Record<string, Kind>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: Kind.OBJECT_TYPE_EXTENSION,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: Kind.INPUT_OBJECT_TYPE_EXTENSION,
  [Kind.ENUM_TYPE_DEFINITION]: Kind.ENUM_TYPE_EXTENSION,
  [Kind.UNION_TYPE_DEFINITION]: Kind.UNION_TYPE_EXTENSION,
  [Kind.INTERFACE_TYPE_DEFINITION]: Kind.INTERFACE_TYPE_EXTENSION,
}

/** A declaration of a type that is there already extends it; one of a scalar says nothing new. */
function fitting(node: DefinitionNode, known: Set<string>): DefinitionNode[] {
  if (node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION) return []
  if (!('name' in node) || !node.name) return [node]
  const name = node.name.value
  if (node.kind === Kind.SCALAR_TYPE_DEFINITION && known.has(name)) return []
  const { [node.kind]: extension } = extensionKinds
  if (extension === undefined) return isRootExtension(node, known) ? [asDefinition(node, known)] : [node]
  if (known.has(name)) return [{ ...node, kind: extension } as DefinitionNode]
  known.add(name)
  return [node]
}

/** `extend type Mutation` where nothing of the content is written. */
const isRootExtension = (node: DefinitionNode, known: ReadonlySet<string>): boolean =>
  node.kind === Kind.OBJECT_TYPE_EXTENSION && node.name.value === 'Mutation' && !known.has('Mutation')

function asDefinition(node: DefinitionNode, known: Set<string>): DefinitionNode {
  known.add('Mutation')
  return { ...node, kind: Kind.OBJECT_TYPE_DEFINITION } as DefinitionNode
}

/** Fields that are declared anew take the place of those that are there. */
function dropReplaced(schema: GraphQLSchema, node: DefinitionNode): void {
  if (node.kind !== Kind.OBJECT_TYPE_EXTENSION && node.kind !== Kind.INPUT_OBJECT_TYPE_EXTENSION) return
  const type = schema.getType(node.name.value)
  if (!isObjectType(type) && !isInputObjectType(type)) return
  const fields = type.getFields()
  for (const { name } of (node.fields ?? []) as readonly (FieldDefinitionNode | InputValueDefinitionNode)[])
    delete fields[name.value]
}
