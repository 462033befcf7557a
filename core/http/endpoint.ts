import type { JsonSchema } from '../schema/json-schema.js'
import type { Answers, ContentQuery, Shape } from './shape.js'

export type Method = 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `ALL` stands for every method. */
export type AnyMethod = Method | 'ALL'

/** The actions of core at further paths of content types. */
export type FurtherAction = 'proposeUids' | 'findByValue' | 'putByValue' | 'deleteByValue' | 'aggregate'

/** A path of the API and the demands on its caller; `stele routes` prints this table. */
export interface Endpoint {
  readonly method: AnyMethod
  /** In the router's notation. */
  readonly path: string
  /** Parameters of the path with what they have to match: a request with others is for the routes that follow. */
  readonly matches?: Readonly<Record<string, RegExp>>
  /** Below the API prefix, or from the root of the server. */
  readonly at?: 'api' | 'root'
  /** The action that the caller must be permitted; undefined if it needs no permission. */
  readonly action?: string
  readonly uid?: string
  /** Its action on the entries of a type, if it is none of those that every type has. */
  readonly does?: FurtherAction
  /** `needed`: callers without credentials are asked for them, whatever they may do otherwise. `ignored`: no credentials are read. */
  readonly credentials?: 'needed' | 'ignored'
  /** The action is not asked for while the app is developed. */
  readonly open?: 'developing'
  readonly describe?: string
  readonly format?: string
  /** Headers that replace those of the API with the same names. */
  readonly headers?: Readonly<Record<string, string>>
  /** Makes these headers of the plugin's service. */
  readonly headersOf?: (service: unknown) => Readonly<Record<string, string>>
  readonly takesBody: boolean
  /** A body that is not JSON is refused. */
  readonly takesJson?: true
  /** A body that plugins read is left to the route. */
  readonly leavesPlugged?: true
  /** It changes nothing: it may read from replicas, and clients may have its response already. */
  readonly reads: boolean
  /** Its query parameters, its body and its responses: for descriptions of the API. */
  readonly asks?: Readonly<Record<string, JsonSchema>>
  readonly asksAs?: ContentQuery
  readonly accepts?: Shape
  readonly answers?: Answers
}
