import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Retries } from '../idempotency/retries.js'
import type { Log } from '../log.js'
import type { Action } from '../query/ask.js'
import type { Limits } from '../query/budget.js'
import type { Paging, Param } from '../query/params.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import type { Planner } from '../sql/plan.js'
import type { Writer } from '../write/writer.js'
import type { Format } from './format.js'
import type { FoldedHooks } from './hooks/hooks.js'

/** The parts of the content service; all of them are made once at boot. */
export interface ContentParts {
  readonly registry: Registry
  readonly engine: Engine
  readonly planner: Planner
  readonly writer: Writer
  readonly dialect: Dialect
  readonly hooks: (type: ContentType) => FoldedHooks
  /** The parameters of plugins, by name, as far as they apply to a type. */
  readonly params: (type: ContentType) => ReadonlyMap<string, Param>
  /** The meta of entries that list nothing in it; undefined if entries have none. */
  readonly emptyMeta: Readonly<Record<string, readonly never[]>> | undefined
  /** The format of the responses of an action on a type; a request may ask for another format than the settings do. */
  readonly format: (type: ContentType, action: Action, wanted: string | undefined) => Format | undefined
  readonly paging: Paging
  readonly limits: Limits
  /** Statements that the transaction of one write of a request may have. */
  readonly maxWrites: number
  readonly maxParameters: number
  /** Milliseconds that a statement may take. */
  readonly statementTimeout: number
  /** Bytes of responses that are cached while nothing changes. */
  readonly responseCache: number
  readonly retries: Retries
  /** The permissions of caches to keep responses; absent if no plugin tells them anything. */
  readonly caching?: (() => Caching) | undefined
  /** Milliseconds since 1970. */
  readonly time: () => number
  readonly log: Log
}

/** The permissions of caches between the server and its clients to keep responses. */
export interface Caching {
  /** Headers of all responses that have none of their own. */
  readonly otherwise: Readonly<Record<string, string>>
  /** The request headers by which responses vary, beside those of the API. */
  readonly varies: readonly string[]
  /** Decides once for each distinct query; the function that it returns gives the headers of each response, as names and values in turn. */
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
  /** Milliseconds until the response changes although no row does; infinite if it does not. */
  readonly lifetime: number
}

/** A look-up by type in values that are made at boot; types without one have another value. */
export const byType =
  <T>(made: ReadonlyMap<string, T>, otherwise: T) =>
  ({ uid }: { readonly uid: string }): T =>
    made.get(uid) ?? otherwise
