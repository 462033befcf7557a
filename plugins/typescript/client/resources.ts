import type { Entry } from './entry.js'
import type { Fields, FindQuery, OneQuery, Pagination, Populate } from './query.js'
import type { AnyResource, AnySchema, AnyType } from './schema.js'

export interface ClientOptions {
  /** The address of the API, with its prefix: `http://localhost:1337/api`. */
  readonly url: string
  /** Sent as `Authorization: Bearer`; a function is called for each request. */
  readonly token?: string | (() => string | undefined)
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** The longest address in characters, 2000 by default: longer queries are sent as the body of `POST /<path>/query`. */
  readonly longest?: number
}

/** Settings of a single request, as `fetch` takes them: `signal`, `headers`, `cache`. */
export interface RequestOptions extends Omit<RequestInit, 'method' | 'body' | 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Told how much of the body has been sent, where the client's `fetch` is one of `withProgress`. */
  readonly onProgress?: (progress: Progress) => void
}

/** Bytes of a body that have been sent, and all of them. */
export interface Progress {
  readonly sent: number
  readonly total: number
}

/** The resources in the schema, by path; called as a function it requests the route of a plugin. */
export type Client<S extends AnySchema> = RouteRequest<S> & {
  readonly [Path in keyof S['paths']]: ResourceOf<S['paths'][Path]>
}

type ResourceOf<R> = R extends { readonly patch: true } ? MethodsOf<R> & PatchOf<R> : MethodsOf<R>

type PatchOf<R> = R extends { readonly collection: infer T extends AnyResource }
  ? CollectionPatch<T>
  : R extends { readonly single: infer T extends AnyResource }
    ? SinglePatch<T>
    : never

type MethodsOf<R> = R extends { readonly collection: infer T extends AnyResource }
  ? R extends { readonly only: infer Method }
    ? Pick<Collection<T>, (Method | ('find' extends Method ? 'count' : never)) & keyof Collection<T>>
    : Collection<T>
  : R extends { readonly single: infer T extends AnyResource }
    ? Single<T>
    : never

/** The result of a request: data, or an error. No method throws. */
export type Result<Data, Meta = Readonly<Record<string, unknown>>> =
  | { data: Data; meta: Meta; error?: undefined }
  | { data: null; meta?: undefined; error: ApiError }

/** The server's error; `status` is 0 if there was no response. */
export interface ApiError {
  readonly status: number
  readonly name: ErrorName
  readonly message: string
  readonly details: ErrorDetails
}

export type ErrorName =
  | 'ValidationError'
  | 'ApplicationError'
  | 'PaginationError'
  | 'BadRequestError'
  | 'UnauthorizedError'
  | 'ForbiddenError'
  | 'NotFoundError'
  | 'MethodNotAllowedError'
  | 'ConflictError'
  | 'PreconditionFailedError'
  | 'PayloadTooLargeError'
  | 'UnsupportedMediaTypeError'
  | 'UnprocessableEntityError'
  | 'RateLimitError'
  | 'InternalServerError'
  | 'ServiceUnavailableError'
  /** A missing response, or one that is not the server's: the network, a timeout, a signal, a gateway. */
  | 'NetworkError'
  | (string & {})

export interface ErrorDetails {
  /** The parameter of the query that is wrong. */
  readonly parameter?: string
  /** Errors in a body, each with its path. */
  readonly errors?: readonly { readonly path: readonly string[]; readonly message: string; readonly name: string }[]
  readonly [key: string]: unknown
}

export type Id = number | string

type PageMeta<T extends AnyResource, G> = T['style'] extends 'plain'
  ? Readonly<Record<string, unknown>>
  : {
      pagination: G extends { readonly after: string } | { readonly before: string }
        ? Beside<G>
        : G extends { readonly start: unknown } | { readonly limit: unknown }
          ? Offset<G>
          : Numbered<G>
    } & Searched<T>
/** A text in parts: those at odd places are words that were searched for. */
type Searched<T extends AnyResource> = T extends { readonly searched: infer Name extends string }
  ? { search?: { highlights: { [id: number]: { [K in Name]?: string[] } } } }
  : unknown
type Beside<G> = { limit: number; next: string | null; previous: string | null } & (G extends {
  readonly withCount: true
}
  ? { total: number }
  : unknown)
type Numbered<G> = G extends { readonly withCount: false }
  ? { page: number; pageSize: number }
  : { page: number; pageSize: number; pageCount: number; total: number }
type Offset<G> = G extends { readonly withCount: false }
  ? { start: number; limit: number }
  : { start: number; limit: number; total: number }

type Written<T extends AnyResource, F, P> = Promise<Result<Entry<T, F, P>>>

/** The entries of a collection type. */
export interface Collection<T extends AnyResource> {
  /** A page of entries, and how many there are. */
  find<const F extends Fields<T> = '*', const P extends Populate<T> = never, const G extends Pagination = object>(
    query?: FindQuery<T, F, P, G> & T['find'],
    options?: RequestOptions,
  ): Promise<Result<Entry<T, F, P>[], PageMeta<T, G>>>
  /** Counts the entries. */
  count(
    query?: Pick<FindQuery<T, '*', never, object>, 'filters' | '_q'> & T['find'],
    options?: RequestOptions,
  ): Promise<Result<number>>
  findOne<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    id: Id,
    query?: OneQuery<T, F, P> & T['findOne'],
    options?: RequestOptions,
  ): Written<T, F, P>
  create<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    data: T['create'],
    query?: OneQuery<T, F, P> & T['write'],
    options?: RequestOptions,
  ): Written<T, F, P>
  /** Changes the attributes in `data` and no others. */
  update<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    id: Id,
    data: T['update'],
    query?: OneQuery<T, F, P> & T['write'],
    options?: RequestOptions,
  ): Written<T, F, P>
  delete<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    id: Id,
    query?: OneQuery<T, F, P> & T['write'],
    options?: RequestOptions,
  ): Written<T, F, P>
}

/** The one entry of a single type. */
export interface Single<T extends AnyResource> {
  find<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    query?: OneQuery<T, F, P> & T['find'],
    options?: RequestOptions,
  ): Written<T, F, P>
  /** Changes the entry, or creates it if there is none. */
  update<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    data: T['update'],
    query?: OneQuery<T, F, P> & T['write'],
    options?: RequestOptions,
  ): Written<T, F, P>
  delete<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    query?: OneQuery<T, F, P> & T['write'],
    options?: RequestOptions,
  ): Written<T, F, P>
}

/** Methods that the plugin `patch` adds to a collection type. */
export interface CollectionPatch<T extends AnyResource> {
  /** Changes what `data` has, also within components and JSON attributes. */
  patch<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    id: Id,
    data: Patch<T, T['update']>,
    query?: OneQuery<T, F, P> & T['write'],
    options?: RequestOptions,
  ): Written<T, F, P>
}

/** Methods that the plugin `patch` adds to a single type. */
export interface SinglePatch<T extends AnyResource> {
  /** Changes what `data` has, also within components and JSON attributes. */
  patch<const F extends Fields<T> = '*', const P extends Populate<T> = never>(
    data: Patch<T, T['update']>,
    query?: OneQuery<T, F, P> & T['write'],
    options?: RequestOptions,
  ): Written<T, F, P>
}

/** The data of an update in which components need only have their changes. */
export type Patch<T extends AnyType, Data> = {
  [Name in keyof Data]: Name extends keyof T['links']
    ? T['links'][Name] extends { readonly as: 'part'; readonly to: infer C extends AnyType }
      ? PatchedPart<C, Data[Name]>
      : Data[Name]
    : Data[Name]
}
type PatchedPart<C extends AnyType, Data> = Data extends object ? Partial<Patch<C, Data>> : Data

/** Requests a route that is not about the entries of a type: `api('POST /auth/local', { body: { ... } })`. */
export type RouteRequest<S extends AnySchema> = <R extends keyof S['routes'] & string>(
  route: R,
  ...given: RouteArguments<S['routes'][R]>
) => Promise<Result<AnswerOf<S['routes'][R]>>>

type RouteArguments<R> = R extends { readonly needs: unknown }
  ? [call: RouteCall<R>, options?: RequestOptions]
  : [call?: RouteCall<R>, options?: RequestOptions]

/** The values of `:id` and the like in the path, the query, and the body. */
type RouteCall<R> = Omit<R, 'answer' | 'entry' | 'entries' | 'needs'>
type AnswerOf<R> = R extends { readonly answer: infer Answer }
  ? DataIn<Answer>
  : R extends { readonly entry: infer T extends AnyResource }
    ? Entry<T>
    : R extends { readonly entries: infer T extends AnyResource }
      ? Entry<T>[]
      : unknown

/** The client takes the data out of a response that has it beside its `meta`. */
type DataIn<Answer> = Answer extends { readonly data: infer Data }
  ? Answer extends { readonly id: unknown }
    ? Answer
    : Data
  : Answer
