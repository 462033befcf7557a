import type { Action } from '../query/ask.js'
import type { ContentType } from '../schema/types.js'

/** What caches between the server and its clients may do with responses. */
export interface Caching {
  /** Headers of all responses that have none of their own. */
  readonly otherwise: Readonly<Record<string, string>>
  /** The request headers by which responses vary, beside those of the API. */
  readonly varies: readonly string[]
  /** Decides once for each distinct query; what it returns gives the headers of each response, as names and values in turn. */
  readonly read: (query: CachedQuery) => (read: CachedRead) => readonly string[]
}

/** A query, planned for all callers of a scope. */
export interface CachedQuery {
  readonly type: ContentType
  readonly action: Action
  /** The uids of the types that its response depends on beside the entry itself: populated, filtered or sorted by, or listed. */
  readonly uids: readonly string[]
  /** All callers of the scope get the same. */
  readonly isShared: boolean
}

/** One response to it. */
export interface CachedRead {
  /** The entry, where one was asked for by its id. */
  readonly id: number | undefined
  /** The caller has the permissions of requests without credentials. */
  readonly isVisitor: boolean
  /** Milliseconds until the response changes although no row does; infinite where it does not. */
  readonly lifetime: number
}
