import { type GraphQLArgument, type GraphQLObjectType, isInputObjectType, isObjectType, isUnionType } from 'graphql'
import { operators } from './model/filters.js'
import type { GraphqlService } from './service.js'

/** The schema as far as queries of content types are written with it: for pages and programs that write documents. */
export interface SchemaDescription {
  readonly endpoint: string
  /** The most entries of a list, at any level; absent without a limit. */
  readonly maxLimit?: number
  /** The deepest level of a field; absent without a limit. */
  readonly depthLimit?: number
  /** The most tokens of a document. */
  readonly tokenLimit: number
  /** The endpoint takes no documents but those of a file. */
  readonly onlyPersisted: boolean
  /** Relations to one entry show drafts, and relations to several do if they ask for them; otherwise the root decides. */
  readonly statesPerRelation: boolean
  /** The operators of filters. */
  readonly operators: readonly string[]
  /** The types by their uids. */
  readonly types: Readonly<Record<string, TypeDescription>>
  /** The names of the types in each union. */
  readonly unions: Readonly<Record<string, readonly string[]>>
}

export interface TypeDescription {
  /** The type of its attributes. */
  readonly name: string
  /** The root of one entry: by its id, or that of a single type. */
  readonly one?: RootDescription
  readonly list?: RootDescription
  readonly fields: Readonly<Record<string, FieldDescription>>
  /** The attributes that filters name; absent where entries are not filtered. */
  readonly filters?: readonly string[]
}

/** The types of arguments by their names, and of what is answered. */
export interface FieldDescription {
  readonly type: string
  readonly args?: Readonly<Record<string, string>>
}

export interface RootDescription extends FieldDescription {
  readonly name: string
}

/** Reads the schema that is served, with everything that others have added to it or hidden. */
export function descriptionOf({ schema, settings, host }: GraphqlService): SchemaDescription {
  const { endpoint, maxLimit, depthLimit, tokenLimit, http } = settings
  const types = new Map<string, TypeDescription>()
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType)
  for (const type of Object.values(schema.getTypeMap())) {
    const stele = isObjectType(type) ? type.extensions.stele : undefined
    if (!isObjectType(type) || (stele?.part !== 'attributes' && stele?.part !== 'component')) continue
    const filters = schema.getType(`${type.name}FiltersInput`)
    types.set(stele.type.uid, {
      name: type.name,
      ...rootsOf(schema.getQueryType(), stele.type.uid),
      fields: fieldsOf(type),
      ...(isInputObjectType(filters) && { filters: Object.keys(filters.getFields()) }),
    })
  }
  return {
    endpoint,
    ...(maxLimit > 0 && { maxLimit }),
    ...(depthLimit !== undefined && { depthLimit }),
    tokenLimit,
    onlyPersisted: http.persisted === 'only',
    statesPerRelation: host.outline.dialectName === 'strapi4',
    operators,
    types: Object.fromEntries(types),
    unions: Object.fromEntries(unions.map(union => [union.name, union.getTypes().map(({ name }) => name)])),
  }
}

function rootsOf(query: GraphQLObjectType | null | undefined, uid: string): Pick<TypeDescription, 'one' | 'list'> {
  const roots = Object.values(query?.getFields() ?? {}).flatMap(({ name, type, args, extensions: { stele } }) => {
    const isRead = stele?.is === 'list' || stele?.is === 'one' || stele?.is === 'single'
    if (!isRead || stele.type.uid !== uid) return []
    return [[stele.is === 'list' ? 'list' : 'one', { name, type: String(type), ...typesOf(args) }] as const]
  })
  return Object.fromEntries(roots)
}

/** The fields that the content answers; a password has no value. */
const fieldsOf = (type: GraphQLObjectType): TypeDescription['fields'] =>
  Object.fromEntries(
    Object.values(type.getFields()).flatMap(({ name, type, args, extensions: { stele } }) => {
      const isShown = stele?.is === 'link' || (stele?.is === 'field' && !stele.hidden)
      return isShown ? [[name, { type: String(type), ...typesOf(args) }]] : []
    }),
  )

const typesOf = (args: readonly GraphQLArgument[]): Pick<FieldDescription, 'args'> =>
  args.length > 0 ? { args: Object.fromEntries(args.map(({ name, type }) => [name, String(type)])) } : {}
