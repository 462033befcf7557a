/**
 * Helpers for plugins, under the name `stele/kit`: functions that plugins of the server need beside its API, and others may find
 * useful.
 */

export type { TransactionSession } from './engines/engine.js'
export { type NamedColumn, NamingValues } from './engines/named.js'
export { senderOf } from './http/client-address.js'
export { bearerOf } from './http/gate.js'
export { StaticBody } from './http/responses/static-body.js'
export { refTo, typeOfRef } from './http/shape.js'
export { goneSince } from './idempotency/retries.js'
export { nearest } from './kit/nearest.js'
export { findAbove } from './kit/own-folder.js'
export { within } from './loop/clock.js'
export { timeLimit } from './loop/time-limit.js'
export { knowing } from './plugin/actions.js'
export { changedAttributes } from './plugin/changed.js'
export { readableBy } from './plugin/readable.js'
export { isFilterable } from './query/describe.js'
export { conditionOf } from './query/filters.js'
export { queryText } from './query/query-text.js'
export { asList, readTruth } from './query/raw.js'
export { shapeOfField } from './schema/json-schema.js'
export { snakeCase } from './schema/names.js'
export { isEmail, isUnique, readId } from './schema/values.js'
export { type AskedSecret, formerSecretsOf, secretOf, verifySecret, weaknessOfAsked } from './secret.js'
export { Bucket, BucketError, bucketAddress } from './services/s3/bucket.js'
export { isInput, isRequired } from './write/attributes.js'
