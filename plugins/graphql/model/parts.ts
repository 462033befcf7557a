import type {
  GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLScalarType,
} from 'graphql'
import type { ContentType } from '../../../core/index.js'
import type { OperationContext } from '../meaning.js'

/** The facts about an app from which its schema is made. */
export interface ModelParts {
  /** The content types and components of the app: `host.types.types.values()`. */
  readonly types: Iterable<ContentType>
  readonly settings: ModelSettings
  /** The enabled plugins of this server: their types are for themselves, except those that Strapi 4 has as well. */
  readonly plugins?: Iterable<{ readonly name: string }>
  /** The locales of the app, which may change while it runs; a literal that is none of them is looked up in the list of languages. */
  readonly locales?: { has(code: string): boolean }
  /** Fields and types that others add; a field of the same name replaces that of the content. */
  readonly more?: More | ((made: MadeTypes) => More)
  /** A name that cannot be is changed or left out, and noted; it is an error otherwise. */
  readonly isLenient?: boolean
  /** Takes a sentence about what is left out or has another name. */
  readonly note?: (sentence: string) => void
}

export type ShapeName = 'v4' | 'flat'

export interface ModelSettings {
  /** Content types have root fields; otherwise only others have. */
  readonly shadowCRUD: boolean
  readonly shape?: ShapeName
}

/** Fields with a `resolve` of their own, or with a meaning that leaves them to the content. */
// biome-ignore lint/suspicious/noExplicitAny: each plugin knows the sources and arguments of its fields
export type OwnFields = GraphQLFieldConfigMap<any, OperationContext>

export interface More {
  readonly query?: OwnFields
  readonly mutation?: OwnFields
  /** Types that are in the schema although no field leads to them. */
  readonly types?: readonly GraphQLNamedType[]
}

/** The types made of the content, by name: `UploadFileEntityResponse`, `TagInput`, `Upload`. A name without a type is an error. */
export interface MadeTypes {
  /** The name of the ids of entries in this shape of the schema. */
  readonly idName: string
  has(name: string): boolean
  /** The type of a field that leads to one entry, by the name of its attributes: `UploadFile`. */
  one(name: string): GraphQLObjectType
  any(name: string): GraphQLNamedType
  object(name: string): GraphQLObjectType
  input(name: string): GraphQLInputObjectType
  scalar(name: string): GraphQLScalarType
}
