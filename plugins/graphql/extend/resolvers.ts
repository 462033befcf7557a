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
import { type ActedOn, type FieldMeaning, isWrapper, type ListedEntries, type OperationContext } from '../meaning.js'
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
      for (const same of sameRoots(field, around))
        Object.assign(same, { extensions: { ...same.extensions, around: work } })
    else if (!field) note?.(`graphql: resolversConfig of ${path} is not used: the schema has no such field`)
  }
}

/** The field, and the other root that lists the same entries: it is guarded alike, unless there is work around it as well. */
const sameRoots = ({ holder, field }: FieldPlace, around: NonNullable<SdlParts['around']>): AnyField[] => {
  const { stele } = field.extensions
  const others = Object.values(holder.getFields()).filter(
    ({ name, extensions: { stele: other } }) =>
      stele?.is === 'list' && other?.is === 'list' && other.type === stele.type && !around[`${holder.name}.${name}`],
  )
  return [...new Set([field, ...others])]
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
  const isListed = isListType(getNullableType(field.type))
  if (isRoot && wraps && isWrapper(wraps)) {
    if (isListed) return 'it answers a list of responses'
    return mean(field, { type: wraps.type, isList: wraps.part !== 'response' }, resolve)
  }
  if (isRoot && wraps?.part === 'entry') return mean(field, { type: wraps.type, isList: isListed }, resolve)
  if (holds && wraps && (isWrapper(wraps) || wraps.part === 'entry')) return 'it answers entries below the root'
  if (holds !== undefined && !['attributes', 'component', 'entity', 'entry'].includes(holds))
    return `it is a field of ${holder.name}`
  const { stele: _, around: __, ...extensions } = field.extensions
  Object.assign(field, { resolve, extensions: { ...extensions, own: true } })
  return undefined
}

interface Answered {
  readonly type: ContentType
  readonly isList: boolean
}

/** Lets the content answer the entries that a function of a root has chosen. */
function mean(field: AnyField, { type, isList }: Answered, resolve: Resolver): undefined {
  const chosen = (args: Readonly<Record<string, unknown>>, context: OperationContext) =>
    resolve(undefined, args, context, infoOf(field))
  const stele: FieldMeaning = isList
    ? { is: 'listed', type, act: async (args, context) => listOf(await chosen(args, context), type) }
    : { is: 'entry', type, act: async (args, context) => idOf(await chosen(args, context), type) }
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
  // An entry may come without the object around it where its type has none.
  const { id, value } = result as Bag
  if (id !== undefined) return entryId(result, type)
  return value === null || value === undefined ? undefined : entryId(value, type)
}

function listOf(result: unknown, type: ContentType): ListedEntries | undefined {
  if (result === null || result === undefined) return undefined
  const { nodes, pagination } = (Array.isArray(result) ? { nodes: result } : result) as {
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
