import type { RouteCall } from '../../../core/index.js'
import type { SchemaDescription } from '../described.js'
import type { Subscribed } from '../live/subscribed.js'

/** An operation as a client asks for it. */
export interface OperationRequest {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The response to an operation. */
export interface Outcome {
  /** 200 if it has run, 400 if it was refused before, 405 if it is a mutation where only queries are accepted. */
  readonly status: number
  /** The JSON text of `{ data, errors, extensions }`. */
  readonly text: string
}

/** Runs operations: the service of the schema, as the endpoint knows it. */
export interface Runner {
  /** The names and arguments that the schema has for the content. */
  describe?(): SchemaDescription
  run(request: OperationRequest, call: RouteCall, options: { readonly onlyQueries: boolean }): Promise<Outcome>
  /** A subscription that may begin, or its refusal; undefined for other operations. */
  subscribe?(request: OperationRequest, call: RouteCall): Subscribed | Outcome | undefined
}
