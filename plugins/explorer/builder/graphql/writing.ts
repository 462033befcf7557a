import type { Model, TypeInfo } from '../metadata.js'
import type { GraphqlInfo } from './schema.js'
import type { Variables } from './text.js'

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

/** An attribute in a sentence. */
export const nameIn = ({ name }: Pick<TypeInfo, 'name'>, attribute: string): string => `"${attribute}" of ${name}`
