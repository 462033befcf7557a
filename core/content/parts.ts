import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Retries } from '../idempotency/retries.js'
import type { Log } from '../log.js'
import type { Limits } from '../query/budget.js'
import type { Paging, Param } from '../query/params.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import type { Planner } from '../sql/plan.js'
import type { Writer } from '../write/writer.js'
import type { Caching } from './caching.js'
import type { Format } from './format.js'
import type { FoldedHooks } from './hooks.js'

/** What the content service stands on; all of it is made once at boot. */
export interface ContentParts {
  readonly registry: Registry
  readonly engine: Engine
  readonly planner: Planner
  readonly writer: Writer
  readonly dialect: Dialect
  readonly hooks: (type: ContentType) => FoldedHooks
  /** The parameters of plugins, by name, as far as they apply to a type. */
  readonly params: (type: ContentType) => ReadonlyMap<string, Param>
  /** The meta of entries that list nothing in it; undefined where entries have none. */
  readonly emptyMeta: Readonly<Record<string, readonly never[]>> | undefined
  /** How responses about a type are written; a request may ask for another format than the settings do. */
  readonly format: (type: ContentType, wanted: string | undefined) => Format | undefined
  readonly paging: Paging
  readonly limits: Limits
  readonly maxParameters: number
  /** Milliseconds that a statement may take. */
  readonly statementTimeout: number
  /** Bytes of responses that are cached while nothing changes. */
  readonly responseCache: number
  readonly retries: Retries
  /** What caches may do with responses; absent where no plugin tells them anything. */
  readonly caching?: (() => Caching) | undefined
  /** Milliseconds since 1970. */
  readonly time: () => number
  readonly log: Log
}
