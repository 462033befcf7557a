import type { Dialect } from '../dialect.js'
import type { FoldedHooks } from '../hooks.js'
import type { Log } from '../log.js'
import type { Format } from '../plugin-parts.js'
import type { Limits } from '../query/budget.js'
import type { Paging, Param } from '../query/params.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import type { Engine } from '../store/engine.js'
import type { Planner } from '../store/plan.js'
import type { Writer } from '../write/writer.js'
import type { Retries } from './retries.js'

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
  readonly format: (type: ContentType) => Format | undefined
  readonly paging: Paging
  readonly limits: Limits
  readonly maxParameters: number
  /** Milliseconds that a statement may take. */
  readonly statementTimeout: number
  /** Bytes of answers that are kept while nothing changes. */
  readonly keptAnswers: number
  readonly retries: Retries
  readonly log: Log
}
