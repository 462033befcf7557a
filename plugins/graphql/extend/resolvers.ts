import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql'
import type { ContentType } from '../../../core/index.js'
import {
  type ActedOn,
  type FieldMeaning,
  isWrapper,
  type ListedEntries,
  type OperationContext,
  type TypeMeaning,
} from '../meaning.js'
import type { Resolver, SdlParts } from './sdl-parts.js'

type AnyField = GraphQLField<unknown, OperationContext>
type Note = ((sentence: string) => void) | undefined

/** Gives fields of a schema the functions that answer them; what cannot be done is told. */
export function setResolvers(schema: GraphQLSchema, { resolvers = {}, around = {} }: SdlParts, note: Note): void {
  for (const [typeName, ofType] of Object.entries(resolvers))
    for (const [name, resolve] of Object.entries(ofType)) {
      const field = fieldOf(schema, typeName, name)
      const reason = field ? setResolver(field, resolve) : 'the schema has no such field'
      if (reason !== undefined) note?.(`graphql: the resolver of ${typeName}.${name} is not used: ${reason}`)
    }
  for (const [path, work] of Object.entries(around)) {
    const field = fieldOf(schema, ...(path.split('.') as [string, string]))
    // A function of its own has been wrapped in them already.
    if (field?.isRoot && field.field.extensions.stele && !isChosen(field.field))
      Object.assign(field.field, { extensions: { ...field.field.extensions, around: work } })
    else if (!field) note?.(`graphql: resolversConfig of ${path} is not used: the schema has no such field`)
  }
}

interface FieldPlace {
  readonly holder: GraphQLObjectType
  readonly field: AnyField
  readonly isRoot: boolean
}

const isRootOf = (schema: GraphQLSchema, holder: GraphQLObjectType): boolean =>
  holder === schema.getQueryType() || holder === schema.getMutationType()

function fieldOf(schema: GraphQLSchema, typeName: string, name: string): FieldPlace | undefined {
  const holder = schema.getType(typeName)
  const field = isObjectType(holder) ? holder.getFields()[name] : undefined
  return isObjectType(holder) && field ? { holder, field, isRoot: isRootOf(schema, holder) } : undefined
}

/** Sets the function of a field; the returned text says why it cannot be. */
function setResolver({ holder, field, isRoot }: FieldPlace, resolve: Resolver): string | undefined {
  const named = getNamedType(field.type)
  const wraps = isObjectType(named) ? named.extensions.stele : undefined
  const holds = holder.extensions.stele?.part
  if (isRoot && wraps && isWrapper(wraps)) {
    if (isListType(getNullableType(field.type))) return 'it answers a list of responses'
    return mean(field, wraps, resolve)
  }
  if (holds && wraps && isWrapper(wraps)) return 'it answers entries below the root'
  if (holds !== undefined && !['attributes', 'component', 'entity'].includes(holds))
    return `it is a field of ${holder.name}`
  const { stele: _, around: __, ...extensions } = field.extensions
  Object.assign(field, { resolve, extensions: { ...extensions, own: true } })
  return undefined
}

/** Lets the content answer the entries that a function of a root has chosen. */
function mean(field: AnyField, { part, type }: TypeMeaning, resolve: Resolver): undefined {
  const chosen = (args: Readonly<Record<string, unknown>>, context: OperationContext) =>
    resolve(undefined, args, context, infoOf(field))
  const stele: FieldMeaning =
    part === 'response'
      ? { is: 'entry', type, act: async (args, context) => idOf(await chosen(args, context), type) }
      : { is: 'listed', type, act: async (args, context) => listOf(await chosen(args, context), type) }
  const { around: _, ...extensions } = field.extensions
  Object.assign(field, { resolve: undefined, extensions: { ...extensions, stele, chosen: true } })
  return undefined
}

const isChosen = ({ extensions }: AnyField): boolean => extensions.chosen === true

/** All that is known of a field before it is run by graphql-js. */
const infoOf = ({ name, type }: AnyField) => ({ fieldName: name, returnType: type }) as never

type Bag = Readonly<Record<string, unknown>>

function idOf(result: unknown, type: ContentType): ActedOn {
  if (result === null || result === undefined) return null
  const { value } = result as Bag
  return value === null || value === undefined ? undefined : entryId(value, type)
}

function listOf(result: unknown, type: ContentType): ListedEntries | undefined {
  if (result === null || result === undefined) return undefined
  const { nodes, pagination } = result as {
    readonly nodes?: unknown
    readonly pagination?: ListedEntries['pagination']
  }
  const ids = (Array.isArray(nodes) ? nodes : []).map(node => entryId(node, type))
  return { ids, pagination: pagination ?? { total: ids.length, page: 1, pageSize: ids.length, pageCount: 1 } }
}

function entryId(entry: unknown, { uid }: ContentType): number {
  const { id } = Object(entry) as Bag
  if (Number.isInteger(Number(id)) && id !== null) return Number(id)
  throw new Error(`a resolver that answers entries of ${uid} has returned one without an id`)
}
