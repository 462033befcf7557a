import type {
  GraphQLArgumentConfig,
  GraphQLFieldConfig,
  GraphQLFieldConfigArgumentMap,
  GraphQLFieldConfigMap,
  GraphQLInputType,
  GraphQLObjectType,
  GraphQLOutputType,
} from 'graphql'
import type { ContentType } from '../../../core/index.js'
import type { OperationContext } from '../meaning.js'

export type OutputField = GraphQLFieldConfig<unknown, OperationContext>
export type OutputFields = GraphQLFieldConfigMap<unknown, OperationContext>

/** Output types by what is appended to the name of their field. */
export type BySuffix = Readonly<Record<string, GraphQLOutputType>>

/**
 * All that differs between the shapes of the schema, made with the types of a catalogue. Both are read by the same code, as types
 * and fields say what they mean.
 */
export interface Shape<Catalogue> {
  /** Names of the schema that belong to no content. */
  readonly reserved: readonly string[]
  /** The part that the object with the attributes of an entry plays. */
  readonly part: 'attributes' | 'entry'
  readonly idName: 'id' | 'documentId'
  /** The fields of an entry beside its attributes. */
  readonly own: OutputFields
  /** Attributes that the schema file requires are non-null. */
  readonly requires: boolean
  /** The name of the field that holds the entries of a list, and the field of its page. */
  readonly held: string
  readonly page: OutputFields
  readonly pageArgs: GraphQLFieldConfigArgumentMap
  /** The argument that shows drafts, and the same for one entry that is read by its id, or made. */
  readonly states: GraphQLFieldConfigArgumentMap
  readonly statesOfOne: GraphQLFieldConfigArgumentMap
  /** The id in a query. */
  readonly idType: GraphQLInputType
  /** Arguments of Strapi 4 without an effect: the locale of an entry that is named by its id, the id of a single type. */
  readonly hasIdleArguments: boolean
  /** A new entry is published unless it is asked for as a draft. */
  readonly publishes: boolean
  /** The object of an entry, as lists hold it. */
  readonly entry: (catalogue: Catalogue, type: ContentType) => GraphQLObjectType
  /** The type of a field that leads to one entry. */
  readonly one: (catalogue: Catalogue, type: ContentType) => GraphQLObjectType
  /** The types of the roots that list entries, and of the fields that relations to several are. */
  readonly lists: (catalogue: Catalogue, type: ContentType) => BySuffix
  readonly relations: (catalogue: Catalogue, type: ContentType) => BySuffix
  readonly deleted: (catalogue: Catalogue, type: ContentType) => GraphQLObjectType
  /** True for an attribute with a name that a field of the shape has. */
  readonly isTaken: (type: ContentType, name: string) => boolean
}

/** The argument, or the condition, that names an entry. */
export const idNamed = (
  { idName }: Pick<Shape<never>, 'idName'>,
  type: GraphQLInputType,
): Record<string, Pick<GraphQLArgumentConfig, 'type' | 'extensions'>> => ({
  [idName]: { type, ...(idName !== 'id' && { extensions: { means: 'id' } }) },
})
