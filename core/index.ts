/** The public API: the names of the kernel that plugins, apps and tests use. Helpers are in `plugin-kit.ts`. */

export { type Config, defineConfig } from './config/types.js'
export type { EntryQuery } from './content/code-queries.js'
export type { Entries } from './content/entries.js'
export type { Format, FormatAbout } from './content/format.js'
export type { Before, Call, Writing, Written } from './content/hooks/types.js'
export type { CachedQuery, CachedRead, Caching } from './content/parts.js'
export type { Among } from './content/several/among.js'
export type { Dialect } from './dialect.js'
export { change, rowsOf } from './engines/built.js'
export type { Session, Store } from './engines/engine.js'
export type { StatementSeen } from './engines/observed.js'
export {
  ApplicationError,
  BadRequestError,
  BootError,
  ConflictError,
  ForbiddenError,
  FormatError,
  InvalidParameter,
  type Issue,
  NotFoundError,
  PayloadTooLargeError,
  RateLimitError,
  RequestError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.js'
export type { KnownAction } from './http/gate.js'
export type { RequestSeen } from './http/observing.js'
export type {
  AskOptions,
  BodyPlace,
  BodyType,
  CallerContent,
  PlacedMiddleware,
  ReadBody,
  Route,
  RouteCall,
  ShapePlace,
  WriteToShow,
} from './http/parts.js'
export type { ResponseCost, ResponseFor } from './http/responses/cost-headers.js'
export { Finished } from './http/responses/responder.js'
export type { BodyOutline } from './http/shape.js'
export type { NotedClaim } from './idempotency/retries.js'
export type { App } from './kernel.js'
export type { Log } from './log.js'
export type { Job, JobCall, JobSeen } from './plugin/job.js'
export type { OutgoingSeen } from './plugin/observers.js'
export type { AppOutline, FormatOutline, ParamOutline, RouteOutline } from './plugin/outline.js'
export type {
  Adoption,
  Check,
  Command,
  CommandCall,
  Finding,
  FoundApp,
  Hiding,
  Host,
  Reload,
  Starting,
  StoredSettings,
  Transfer,
} from './plugin/parts.js'
export type { Counts } from './plugin/processes/counts.js'
export {
  type AnyPlugin,
  definePlugin,
  optional,
  type Plugin,
  type PluginSpec,
  type ServiceOf,
  type SettingsOf,
  type StoredValues,
} from './plugin/spec.js'
export type { Ask, Caller, Entry, Filters, Row, Write } from './query/ask.js'
export type { OperatorOutline } from './query/describe.js'
export { late, now, where } from './query/filters.js'
export { flag, oneOf, type Param } from './query/params.js'
export type { Raw } from './query/raw.js'
export type { QueryNode } from './query/tree.js'
export type { JsonSchema, JsonSchemaObject } from './schema/json-schema.js'
export type { Arithmetic, LinkType, Measure, OperatorFamily, ValueType } from './schema/kinds.js'
export type { Registry } from './schema/registry.js'
export type {
  Attribute,
  AttributeBase,
  AttributeTypes,
  ContentType,
  Definition,
  Field,
  Link,
  LinkStorage,
  TypeOptions,
  TypeOutline,
} from './schema/types.js'
export { WrongValue } from './schema/values.js'
export { createTestApp, type TestApp, type TestAppOptions } from './test-app.js'
