/** The public API: everything that plugins, apps and tests may use of the kernel. */

export type { EngineName } from './config/engines.js'
export type { Env } from './config/env.js'
export { type Config, type ConfigFiles, type ConfigOf, defineConfig } from './config/types.js'
export type { EntryQuery } from './content/code-queries.js'
export type { Entries } from './content/entries.js'
export type { Format, FormatAbout, FormatShape, Meta } from './content/format.js'
export type { Answering, Before, Call, Hooks, QueryHook, WriteHook, Writing, Written } from './content/hook-types.js'
export type { CachedQuery, CachedRead, Caching } from './content/parts.js'
export type { Among } from './content/several/among.js'
export type { Dialect, DialectName } from './dialect.js'
export { type Built, change, rowsOf } from './engines/built.js'
export type { Changed, RawRow, Session, Store } from './engines/engine.js'
export type { Facts } from './engines/facts.js'
export type { StatementSeen } from './engines/observed.js'
export { leave } from './engines/session.js'
export { inOneOrMore } from './engines/together.js'
export {
  ApplicationError,
  BadRequestError,
  BootError,
  ConflictError,
  ForbiddenError,
  FormatError,
  InvalidParameter,
  type Issue,
  MethodNotAllowedError,
  NotFoundError,
  PaginationError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitError,
  RequestError,
  UnauthorizedError,
  UnavailableError,
  UnprocessableError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors.js'
export { senderOf } from './http/client-address.js'
export { bearerOf, type KnownAction } from './http/gate.js'
export type { RequestSeen } from './http/observing.js'
export * from './http/parts.js'
export { Finished } from './http/plugin-routes.js'
export type { ResponseCost, ResponseFor } from './http/responses/cost-headers.js'
export { type Codings, StaticBody } from './http/responses/static-body.js'
export {
  type Answers,
  type BodyOutline,
  type ContentQuery,
  type EntriesShape,
  type EntryShape,
  type InputShape,
  type MediaShape,
  type QueryShape,
  refTo,
  type Shape,
  typeOfRef,
} from './http/shape.js'
export { goneSince, type NotedClaim } from './idempotency/retries.js'
export type { App } from './kernel.js'
export { nearest } from './kit/nearest.js'
export type { Log } from './log.js'
export { within } from './loop/clock.js'
export { timeLimit } from './loop/time-limit.js'
export { knowing } from './plugin/actions.js'
export type { Board } from './plugin/board.js'
export { changedAttributes } from './plugin/changed.js'
export type { Counted, Counts } from './plugin/counts.js'
export type { Gauges } from './plugin/gauges.js'
export type { Job, JobCall, JobSeen } from './plugin/job.js'
export type { OutgoingSeen } from './plugin/observers.js'
export * from './plugin/outline.js'
export * from './plugin/parts.js'
export { readableBy } from './plugin/readable.js'
export * from './plugin/spec.js'
export type { Action, Ask, Caller, Entry, Filters, Row, Write } from './query/ask.js'
export { isFilterable, type OperatorOutline } from './query/describe.js'
export { conditionOf, late, now, where } from './query/filters.js'
export { flag, oneOf, type Param, type ParamPlace } from './query/params.js'
export { queryText } from './query/query-text.js'
export { asList, type Raw, readTruth } from './query/raw.js'
export type { Condition, NodeUse, QueryNode } from './query/tree.js'
export { type JsonSchema, type JsonSchemaObject, shapeOfField, type ValueShape } from './schema/json-schema.js'
export type {
  Arithmetic,
  AttributeKind,
  Expression,
  FieldType,
  LinkPlace,
  LinkType,
  Measure,
  OperatorFamily,
  ValueType,
} from './schema/kinds.js'
export { snakeCase } from './schema/names.js'
export type { Registry } from './schema/registry.js'
export type { ColumnLimits, Representation } from './schema/representation.js'
export * from './schema/types.js'
export { isEmail, isUnique, type JsonType, mismatch, readId, WrongValue } from './schema/values.js'
export { type AskedSecret, formerSecretsOf, secretOf, verifySecret, weaknessOfAsked } from './secret.js'
export { Bucket, BucketError, bucketAddress } from './services/s3/bucket.js'
export { createTestApp, type InjectedRequest, type TestApp, type TestAppOptions } from './test-app.js'
export { isInput, isRequired } from './write/attributes.js'
