import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { type FieldMeaning, isWrapper } from './meaning.js'
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
  /** The field of the id among the attributes: entries of one shape and components have it. */
  readonly id?: string
  /** The fields of the object around the attributes of an entry; absent where nothing is around them. */
  readonly entity?: { readonly id: string; readonly attributes: string }
  /** The root of one entry: by its id, or that of a single type. */
  readonly one?: RootDescription
  /** The roots that list entries; those with a page tell the total. */
  readonly lists: readonly RootDescription[]
  /** The fields by their attributes. */
  readonly fields: Readonly<Record<string, FieldDescription>>
  /** The names of filters by their attributes, with the id; absent where entries are not filtered. */
  readonly filters?: Readonly<Record<string, string>>
}

export interface FieldDescription {
  readonly type: string
  /** The arguments by what they mean: `id`, `filters`, `sort`, `pagination`, `publicationState`, `locale`. */
  readonly args?: Readonly<Record<string, ArgumentDescription>>
  /** The field of its object that holds the entries; absent where nothing is around them. */
  readonly held?: string
  /** The names of the fields that lead from its object to `total` and the other figures of a page. */
  readonly page?: readonly string[]
}

export interface RootDescription extends FieldDescription {
  readonly name: string
}

export interface ArgumentDescription {
  readonly name: string
  readonly type: string
  /** The words of an enum by what they mean: `PREVIEW`, `LIVE`. */
  readonly words?: Readonly<Record<string, string>>
}

/** Reads the schema that is served, with everything that others have added to it or hidden. */
export function descriptionOf({ schema, settings, host }: GraphqlService): SchemaDescription {
  const { endpoint, maxLimit, depthLimit, tokenLimit, http } = settings
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType)
  return {
    endpoint,
    ...(maxLimit > 0 && { maxLimit }),
    ...(depthLimit !== undefined && { depthLimit }),
    tokenLimit,
    onlyPersisted: http.persisted === 'only',
    statesPerRelation: host.outline.dialectName === 'strapi4',
    operators,
    types: Object.fromEntries(typesOf(schema)),
    unions: Object.fromEntries(unions.map(union => [union.name, union.getTypes().map(({ name }) => name)])),
  }
}

function typesOf(schema: GraphQLSchema): [string, TypeDescription][] {
  const objects = Object.values(schema.getTypeMap()).flatMap(type => {
    const meaning = isObjectType(type) ? type.extensions.stele : undefined
    return isObjectType(type) && meaning ? [{ type, part: meaning.part, uid: meaning.type.uid }] : []
  })
  const entities = new Map(objects.flatMap(({ type, part, uid }) => (part === 'entity' ? [[uid, type]] : [])))
  return objects.flatMap(({ type, part, uid }): [string, TypeDescription][] => {
    if (part !== 'attributes' && part !== 'entry' && part !== 'component') return []
    const entity = entities.get(uid)
    const filters = schema.getType(`${type.name}FiltersInput`)
    const described = {
      name: type.name,
      ...idOf(type),
      ...(entity && { entity: entityOf(entity) }),
      ...rootsOf(schema.getQueryType(), uid),
      fields: fieldsOf(type),
      ...(isInputObjectType(filters) && { filters: filterNames(filters) }),
    }
    return [[uid, described]]
  })
}

type Field = GraphQLField<unknown, unknown>

/** The field of an object that has a meaning. */
const fieldThat = (type: GraphQLObjectType, is: FieldMeaning['is']): Field | undefined =>
  Object.values(type.getFields()).find(({ extensions: { stele } }) => stele?.is === is)

/** The id of an entry, or that of a component, which is one of its attributes. */
function idOf(type: GraphQLObjectType): Pick<TypeDescription, 'id'> {
  const id = fieldThat(type, 'id') ?? (type.extensions.stele?.part === 'component' && type.getFields().id)
  return id ? { id: id.name } : {}
}

const entityOf = (type: GraphQLObjectType): NonNullable<TypeDescription['entity']> => ({
  id: (fieldThat(type, 'id') as Field).name,
  attributes: (fieldThat(type, 'same') as Field).name,
})

function rootsOf(query: GraphQLObjectType | null | undefined, uid: string): Pick<TypeDescription, 'one' | 'lists'> {
  const roots = Object.values(query?.getFields() ?? {}).flatMap(field => {
    const { stele } = field.extensions
    const isRead = stele?.is === 'list' || stele?.is === 'one' || stele?.is === 'single'
    return isRead && stele.type.uid === uid ? [{ is: stele.is, root: { name: field.name, ...fieldOf(field) } }] : []
  })
  const [one] = roots.filter(({ is }) => is !== 'list')
  return { ...(one && { one: one.root }), lists: roots.flatMap(({ is, root }) => (is === 'list' ? [root] : [])) }
}

/** The fields that the content answers, one for each attribute; a password has no value. */
const fieldsOf = (type: GraphQLObjectType): TypeDescription['fields'] =>
  Object.fromEntries(
    Object.values(type.getFields()).flatMap(field => {
      const { stele } = field.extensions
      const isShown = stele?.is === 'link' || (stele?.is === 'field' && !stele.hidden)
      return isShown && stele.name === field.name ? [[field.name, fieldOf(field)]] : []
    }),
  )

function fieldOf({ type, args }: Field): FieldDescription {
  const about = args.map(({ name, type, extensions: { means = name } }) => [means, argumentOf(name, type)] as const)
  return {
    type: String(type),
    ...(about.length > 0 && { args: Object.fromEntries(about) }),
    ...aroundOf(getNamedType(type)),
  }
}

function argumentOf(name: string, type: GraphQLInputType): ArgumentDescription {
  const words = getNamedType(type)
  return {
    ...{ name, type: String(type) },
    ...(isEnumType(words) && {
      words: Object.fromEntries(words.getValues().map(({ name, value }) => [String(value), name])),
    }),
  }
}

/** The fields of an object around entries. */
function aroundOf(type: GraphQLNamedType): Pick<FieldDescription, 'held' | 'page'> {
  if (!isObjectType(type) || !isWrapper(type.extensions.stele)) return {}
  const [held, pages] = [fieldThat(type, 'held'), fieldThat(type, 'pages')]
  return { ...(held && { held: held.name }), ...(pages && { page: wayThrough(pages) }) }
}

/** The names of a field and of those that stand for the same below it. */
function wayThrough({ name, type }: Field): string[] {
  const below = getNamedType(type)
  const same = isObjectType(below) ? fieldThat(below, 'same') : undefined
  return [name, ...(same ? wayThrough(same) : [])]
}

const groups: readonly string[] = ['and', 'or', 'not']

const filterNames = (filters: GraphQLInputObjectType): TypeDescription['filters'] =>
  Object.fromEntries(
    Object.values(filters.getFields()).flatMap(({ name, extensions: { means = name } }) =>
      groups.includes(name) ? [] : [[means, name]],
    ),
  )
