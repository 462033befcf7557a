import type { DocumentNode, GraphQLResolveInfo } from 'graphql'
import type { ContentType } from '../../../core/index.js'
import type { OperationContext, RootAround } from '../meaning.js'

/** A function that answers a field. */
export type Resolver = (
  source: unknown,
  args: Readonly<Record<string, unknown>>,
  context: OperationContext,
  info: GraphQLResolveInfo,
) => unknown

/** Additions in the language of schemas, with functions for their fields. */
export interface SdlParts {
  /** Texts, or documents that were parsed. Types that are there already are extended, and fields of the same name replaced. */
  readonly typeDefs?: readonly (string | DocumentNode)[]
  /**
   * Functions by type and field. Of a root whose type wraps entries of the content, the value names them: `{ value }` one entry,
   * `{ nodes, pagination }` several; they are read again with what is selected.
   */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, Resolver>>>>
  /** Work around roots of the content, by names such as `Query.articles`. */
  readonly around?: Readonly<Record<string, RootAround>>
  /** Parts of the content that the schema leaves out. */
  readonly hides?: Hides
}

/** The parts of the content that the schema leaves out; each function is asked for each type or attribute. */
export interface Hides {
  /** A type as a whole: unions leave it out. */
  readonly type: (type: ContentType) => boolean
  /** A root, by what it does: `find`, `findOne`, `create`, `update`, `delete`. */
  readonly action: (type: ContentType, action: string) => boolean
  /** An attribute in one of its places. */
  readonly attribute: (type: ContentType, name: string, place: 'output' | 'input' | 'filters') => boolean
}
