import type { Context, Middleware as KoaMiddleware } from 'koa'
import type { OwnShape } from '../content/format.js'
import type { Among, SeveralWrites } from '../content/several/among.js'
import type { ShownWrite } from '../content/several/written-entries.js'
import type { Session } from '../engines/engine.js'
import type { Notable } from '../idempotency/retries.js'
import type { Caller } from '../query/ask.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { ContentType } from '../schema/types.js'
import type { AnyMethod, Method } from './endpoint.js'
import type { Finished } from './responses/responder.js'
import type { Answers, ContentQuery, Shape } from './shape.js'

/** One request as a plugin's own route sees it. */
export interface RouteCall<Service = unknown> {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly service: Service
  readonly content: CallerContent
  /**
   * For a route that reads its body itself: from then on, the `Idempotency-Key` of the request stands for this body in `content`.
   * False if there is none, or keys are disabled.
   */
  readonly takeKey: (body: unknown) => boolean
  /** Aborted when the server begins to stop: a response that goes on until its client leaves has to end then. */
  readonly stopping: AbortSignal
  /**
   * Identifies the caller again, as of now. A response that goes on for long does so before it sends anything: rejects if the
   * credentials have ended or the permission of the route is gone. It reads from no replica.
   */
  readonly renew: () => Promise<Pick<RouteCall, 'caller' | 'content'>>
}

/**
 * Reads and writes in the name of the caller, with the query of the request, as the generated endpoints do: the result is a
 * finished response in the format of the type. The permission of the route itself has been checked before.
 */
export interface CallerContent {
  find(uid: string, options?: AskOptions): Promise<Finished>
  /** Finds an entry; without an id, that of a single type. */
  findOne(uid: string, id: unknown, options?: AskOptions): Promise<Finished>
  /** The id of the entry of a single type that the query's parameters mean, for an action on it; undefined if there is none. */
  idOfSingle(uid: string, action: 'findOne' | 'update', options?: AskOptions): Promise<number | undefined>
  /** The first entry that `find` would list, as `findOne` returns one; a 404 where there is none. */
  first(uid: string, options?: AskOptions): Promise<Finished>
  /** The number of entries that `find` would list in all. */
  count(uid: string, options?: AskOptions): Promise<number>
  /**
   * Does several reads by the content that it hands on: all of them show one state of the database. They are done again if
   * something was written meanwhile. Writes have transactions of their own all the same.
   */
  snapshot<T>(reads: (content: CallerContent) => Promise<T>): Promise<T>
  create(uid: string, data: unknown, options?: AskOptions): Promise<Finished>
  /** Updates an entry; without an id, that of a single type that the query's parameters mean. `begin` runs first in its transaction. */
  update(uid: string, id: unknown, data: unknown, options?: UpdateOptions): Promise<Finished>
  delete(uid: string, id: unknown, options?: AskOptions): Promise<Finished>
  /**
   * The attributes that the caller may name in an update of an entry, with the parts of components by dots: those of all entries, and
   * those of some that it is one of. Undefined for all; a 404 where the caller does not reach the entry.
   */
  updatable(uid: string, id: unknown, options?: AskOptions): Promise<ReadonlySet<string> | undefined>
  /**
   * Does work other than `create` once for the `Idempotency-Key` of the request. `write` calls `take` and `keep` of its claim in
   * the transaction of the work; a repeated request is answered by `read`, from the note that was kept.
   */
  once<Answer>(work: Notable<Answer>): Promise<Answer>
  /**
   * One transaction for several writes, which are handed its session as `within`. All of it may have as many statements as
   * `rest.limits.writes` says; with `each`, every one of these writes may.
   */
  transaction<T>(work: SeveralWrites<T>, options?: { readonly each?: boolean }): Promise<T>
  /**
   * The response that each of several writes would have alone, for when they are stored: their entries are read together, as they
   * are then. Undefined if there is no id, or the entry is gone. Rejects if all of it would take more statements or entries than
   * one response may.
   */
  shown(uid: string, writes: readonly WriteToShow[], options?: AskOptions): Promise<readonly (string | undefined)[]>
}

/** A write whose entry is to be shown; its id as it was sent, or as the write has told it. */
export type WriteToShow = Omit<ShownWrite, 'id'> & { readonly id?: unknown }

export interface UpdateOptions extends AskOptions {
  readonly begin?: ((session: Session) => Promise<void>) | undefined
  /** Creates the entry of a single type, without an id, if there is none, as its `PUT` does. */
  readonly orCreate?: true
}

export interface AskOptions {
  /** A query text in place of the request's own. */
  readonly query?: string
  /** The permission under which it is done, as hooks and row rules are told; the method's own name otherwise. */
  readonly permission?: string
  /** `open`: top-level `start` and `limit` count, `pagination` is ignored, and there is no page by default. */
  readonly paging?: 'open'
  /** `findOne` checks `fields` of the query, which has no effect. */
  readonly allFields?: boolean
  /** The form of the response, in place of every format: called once for each response, which may be cached. */
  readonly shape?: OwnShape
  /**
   * `populate` takes names of its own, as in `populate[newest][attribute]=comments`, so that one relation can be asked for twice;
   * and in every dialect `start` and `limit`, which hold for each entry.
   */
  readonly aliases?: true
  /** The transaction that a write is a part of, in place of one of its own: then no key of the request makes it happen once. */
  readonly within?: Session
  /** The place of a write among several of the request, within a transaction, for plugins that count over all of them. */
  readonly among?: Among
  /** The `If-Match` of a write, in place of that of the request. */
  readonly expects?: string
  /** The response of a write has the id of the entry alone, which is not read for that. */
  readonly onlyId?: boolean
  /** Of a read: it is given whole, also where the client has it already; otherwise that may be all there is to say. */
  readonly whole?: true
  /** Of a write: what is merged into the `meta` of the response; called once the entry is written. */
  readonly meta?: () => Readonly<Record<string, unknown>>
}

export type { Method }

/** A generated endpoint: what it does, to the entries of which type. */
export interface GeneratedEndpoint {
  readonly uid: string
  readonly action: string
}

/** A route of a plugin: it passes the same gate as the generated ones, under its own action name. Of several that take a request, the first one has it. */
export interface Route<Service = unknown> {
  /** `QUERY` reads like `GET`, and has a body that says what. `ALL` is every method. */
  readonly method: AnyMethod
  /** In the router's notation: `/users/:id`. */
  readonly path: string
  /** Parameters of the path with what they have to match: a request with others is for the routes that follow. */
  readonly matches?: Readonly<Record<string, RegExp>>
  /** It stands before the routes of all other plugins. */
  readonly first?: true
  /** It is one of the usual routes alone (`useUsualRoutes`), and no route of the API. */
  readonly usualOnly?: true
  /** The beginning of the path: below the API prefix, or at the root of the server. */
  readonly at?: 'api' | 'root'
  /** The permission that it asks for: `plugin::<name>.<action>`; null requires none. */
  readonly action: string | null
  /** The uid the action belongs to; `plugin::<name>` otherwise, for a route of a type that of the type. */
  readonly uid?: string
  /**
   * `needed`: a request without credentials gets 401, even if anonymous requests have the permission. `ignored`: those of a
   * request are not looked at, and it is that of a caller without any.
   */
  readonly credentials?: 'needed' | 'ignored'
  /** `developing`: no permission is required, unless the environment is production; there it requires the action. */
  readonly open?: 'developing'
  readonly format?: string
  /**
   * Headers of its responses, in place of those of the API where names meet; errors keep those of the API. A function makes them
   * of the service, once at the start.
   */
  readonly headers?: Readonly<Record<string, string>> | ((service: Service) => Readonly<Record<string, string>>)
  readonly describe?: string
  /** The query parameters of its own, with JSON schemas of their values. */
  readonly asks?: Readonly<Record<string, JsonSchema>>
  /** It takes the query parameters of content as well: those of this action on this type. */
  readonly asksAs?: ContentQuery
  /** The body that it takes. */
  readonly accepts?: Shape
  /** The body of its responses: that of 200, or those of several statuses by their numbers. */
  readonly answers?: Answers
  /**
   * The treatment of the body: `json` refuses every other media type, `plain` leaves those to the route that plugins read,
   * and `raw` all of them. Methods that have bodies are `parsed` by default.
   */
  readonly body?: 'parsed' | 'json' | 'plain' | 'raw' | 'none'
  /** It only reads, as `GET` and `QUERY` do: it may read from replicas, responses have an `ETag`, and keys of idempotency are ignored. */
  readonly reads?: true
  /** The generated endpoint that it stands for, where that is not the one of its own `uid` and `action`. */
  readonly actsAs?: GeneratedEndpoint
  /**
   * The generated endpoint that it stands for is gone, wherever it stood, and so is whatever else has its method and path.
   * If it runs a function, everything that other plugins and core do to the type under that action is gone as well, so
   * that every request passes the function.
   */
  readonly replaces?: true
  /** The function that responds, or `generated`: it responds as the generated endpoint that it stands for. */
  readonly run: ((call: RouteCall<Service>) => unknown) | 'generated'
  readonly removed?: never
}

/** In place of a route: a generated endpoint, or a route of another plugin, that the app does not have. */
export type RemovedRoute =
  | ({ readonly removed: true } & GeneratedEndpoint)
  | ({ readonly removed: true } & Pick<Route, 'method' | 'path' | 'at'>)

/** Reads bodies of a media type, for every route that takes one. */
export interface BodyType<Service = unknown, Settings = unknown> {
  /** `multipart/form-data` */
  readonly type: string
  readonly read: (place: BodyPlace, service: Service) => Promise<ReadBody>
  /** The schema of such a body if an entry is written with it; undefined if it is not accepted. */
  shape?(place: ShapePlace, settings: Settings): JsonSchema | undefined
}

/** A write of an entry whose body is described. */
export interface ShapePlace {
  readonly type: ContentType
  readonly action: string
  /** The schema of the `data` that a JSON body has. */
  readonly data: JsonSchema
}

export interface BodyPlace {
  readonly ctx: Context
  readonly caller: Caller
  /** The action and the type of the route, where it has them. */
  readonly action: string | undefined
  readonly uid: string | undefined
  /** The request may be sent again: its body needs a `fingerprint`. */
  readonly fingerprinted: boolean
  /** The body as the server reads it itself, in JSON or from a form, for a plugin that gives it another shape. */
  readonly parsed: () => Promise<unknown>
}

export interface ReadBody {
  /** The body as JSON would have brought it. */
  readonly body: unknown
  /** The same for two bodies that ask for the same; without it, `body` itself has to be. */
  readonly fingerprint?: string
  /** Runs when the response is known; `failed` tells that the request was refused, or had been served before. */
  readonly release?: (failed: boolean) => void | Promise<void>
}

/**
 * The stages before which middleware of a plugin can run. `cors`: before all others, for one path and those below it: what pages
 * of other origins may do there is for it to decide, and no CORS header is sent. `routing`: before the route is looked up, so
 * that a changed `ctx.path` or `ctx.url` is what is routed. `authentication`: when `ctx.state.route` is known (`method`, `path`,
 * `uid`, `action`), and the caller is only once it has run what follows. `handler`: when the caller (`ctx.state.caller`) is known
 * and may use the route.
 */
export type MiddlewarePlace = 'cors' | 'routing' | 'authentication' | 'handler'

/** Koa middleware at a named place of the request's way. */
export interface PlacedMiddleware<Service = unknown> {
  readonly before: MiddlewarePlace
  /** It runs for the requests to this path and to those below it, and costs others nothing. Needed before `cors`, possible before `routing`. */
  readonly below?: string
  readonly run: (service: Service) => KoaMiddleware
}
