/**
 * The schema of GraphQL, as far as queries of the builder are written with it: what `graphql.describe()` of the server returns.
 * Its types stand here again, as the page is type-checked for browsers, and not with the code of the server.
 */
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
  /** Relations to one entry show drafts, and relations to several do if they ask for them; otherwise the root decides. */
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
  /** The field of the id among the attributes: entries of one shape and components have it. */
  readonly id?: string
  /** The fields of the object around the attributes of an entry; absent where nothing is around them. */
  readonly entity?: { readonly id: string; readonly attributes: string }
  /** The root of one entry: by its id, or that of a single type. */
  readonly one?: GraphqlRoot
  /** The roots that list entries; those with a page tell the total. */
  readonly lists: readonly GraphqlRoot[]
  /** The fields by their attributes. */
  readonly fields: Readonly<Record<string, GraphqlField>>
  /** The names of filters by their attributes, with the id; absent where entries are not filtered. */
  readonly filters?: Readonly<Record<string, string>>
}

export interface GraphqlField {
  readonly type: string
  /** The arguments by what they mean: `id`, `filters`, `sort`, `pagination`, `publicationState`, `locale`. */
  readonly args?: Readonly<Record<string, GraphqlArgument>>
  /** The field of its object that holds the entries; absent where nothing is around them. */
  readonly held?: string
  /** The names of the fields that lead from its object to `total` and the other figures of a page. */
  readonly page?: readonly string[]
}

export interface GraphqlRoot extends GraphqlField {
  readonly name: string
}

export interface GraphqlArgument {
  readonly name: string
  readonly type: string
  /** The words of an enum by what they mean: `PREVIEW`, `LIVE`. */
  readonly words?: Readonly<Record<string, string>>
}
