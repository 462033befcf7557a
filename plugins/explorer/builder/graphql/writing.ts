import type { Model, TypeInfo } from '../metadata.js'
import type { GraphqlArgument, GraphqlField, GraphqlInfo } from './schema.js'
import type { Selected, Variables } from './text.js'

/** A document that is being written. */
export interface Writing {
  readonly model: Model
  readonly graphql: GraphqlInfo
  /** Drafts are read, at every level. */
  readonly isPreview: boolean
  /** Relations to one entry show its draft: they have no argument that decides it. */
  readonly showsDrafts: boolean
  readonly variables: Variables
  /** The parts of the query that GraphQL cannot express, a sentence each. */
  readonly missing: Set<string>
  /** The differences of the response, a sentence each. */
  readonly notes: Set<string>
}

/** What is selected of entries, below the field that leads to them. */
export const inField = ({ held }: GraphqlField, entries: readonly Selected[]): readonly Selected[] =>
  held === undefined ? entries : [{ name: held, below: entries }]

/** The argument that shows drafts. */
export const draftsShown = ({ name, words }: GraphqlArgument): string => `${name}: ${words?.PREVIEW}`

/** True for a type with drafts: its roots have an argument that shows them. */
export const hasDrafts = ({ types }: GraphqlInfo, { uid }: Pick<TypeInfo, 'uid'>): boolean => {
  const { one, lists = [] } = types[uid] ?? {}
  return [one, ...lists].some(root => root?.args?.publicationState !== undefined)
}

/** An attribute in a sentence. */
export const nameIn = ({ name }: Pick<TypeInfo, 'name'>, attribute: string): string => `"${attribute}" of ${name}`
