/** The schema of GraphQL, as far as queries of the builder are written with it: `graphql.describe()` of the server. */
export interface GraphqlInfo {
  readonly endpoint: string
  /** The most entries of a list, at any level; absent without a limit. */
  readonly maxLimit?: number
  /** The deepest level of a field; absent without a limit. */
  readonly depthLimit?: number
  /** The most tokens of a document. */
  readonly tokenLimit: number
  /** The endpoint takes no documents but those of a file. */
  readonly onlyPersisted: boolean
  /** Each relation has its own drafts, as in Strapi 4; otherwise the root decides. */
  readonly statesPerRelation: boolean
  /** The operators of filters. */
  readonly operators: readonly string[]
  /** The types by their uids. */
  readonly types: Readonly<Record<string, GraphqlType>>
  /** The names of the types in each union. */
  readonly unions: Readonly<Record<string, readonly string[]>>
}

export interface GraphqlType {
  /** The type of its attributes. */
  readonly name: string
  /** The root of one entry: by its id, or that of a single type. */
  readonly one?: GraphqlRoot
  readonly list?: GraphqlRoot
  readonly fields: Readonly<Record<string, GraphqlField>>
  /** The attributes that filters name; absent where entries are not filtered. */
  readonly filters?: readonly string[]
}

export interface GraphqlField {
  readonly type: string
  /** The types of its arguments. */
  readonly args?: Readonly<Record<string, string>>
}

export interface GraphqlRoot extends GraphqlField {
  readonly name: string
}

/** A schema in another shape, in which no documents are written. */
export interface OtherGraphql {
  readonly shape: string
}
