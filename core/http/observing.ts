import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { callerName, Tally } from '../content/tally.js'
import { safePath } from '../kit/safe-path.js'
import type { Failure } from './responses/errors.js'
import type { CommonHeaders } from './responses/headers.js'
import type { Route } from './routes.js'

/** A request that has been answered, or whose client has left. Nothing in it is a credential. */
export interface RequestSeen {
  readonly requestId: string
  /** Its W3C `traceparent`, where it has a valid one. */
  readonly traceparent: string | undefined
  readonly method: string
  /** The path without the query. */
  readonly path: string
  /** The path of the route in the router's notation: `/api/articles/:id`. Undefined if no route was found, or looked for. */
  readonly route: string | undefined
  /** The plugin whose route it is; undefined for generated ones. */
  readonly plugin: string | undefined
  /** The permission that the route requires, and the uid that it belongs to. */
  readonly action: string | undefined
  readonly uid: string | undefined
  readonly status: number
  /** Milliseconds from the moment the server began to serve it until the response was handed over; time in the queue is not part of it. */
  readonly ms: number
  /** The length of the body; undefined if it was not known beforehand. */
  readonly bytes: number | undefined
  /** The caller, once it was known: its scope and id, the plugin that knew it, and its name in records (`user 3`). */
  readonly caller: CallerSeen | undefined
  /** Statements that ran for its entries, and the rows that they read or changed. */
  readonly statements: number
  readonly rows: number
  /** `hit` or `miss` for a response that could be cached; undefined for others. */
  readonly cached: 'hit' | 'miss' | undefined
  /** The operation that its route has run, where that serves many: a route of a plugin tells it. */
  readonly operation: Operation | undefined
  /** It was rejected with 503 before anything else, as the server was overloaded. */
  readonly refused: boolean
  /** The client left before the response was handed over. */
  readonly aborted: boolean
  /** The error that was thrown, also to refuse the request. */
  readonly error: unknown
}

/** An operation of a route that serves many. */
export interface Operation {
  /** A word of the plugin, such as `query`; `several` for different operations in one request. */
  readonly kind: string
  /** The name that its client has given it, of at most 100 characters; empty where it has none. */
  readonly name: string
}

interface CallerSeen {
  readonly scope: string
  readonly id: number | string | undefined
  readonly by: string | undefined
  readonly actor: string | undefined
}

export type TellRequest = (seen: RequestSeen) => void
/** Called when a response is handed over, or its client has left. */
export type EndListener = (ctx: Context, tally: Tally, aborted: boolean) => void

/** Tells plugins of a request. */
export const telling =
  (observe: TellRequest): EndListener =>
  (ctx, tally, aborted) =>
    observe(seenOf(ctx, tally, aborted))

/** Begins to count the costs of a request. */
export function observing(ctx: Context): Tally {
  const tally = new Tally(ctx.req.headers)
  ctx.state.tally = tally
  return tally
}

const longestName = 100

/** Names the operation that a request asks for, for all who observe requests and for the log. */
export function nameOperation({ state }: Pick<Context, 'state'>, { kind, name }: Operation): void {
  const tally = state.tally as Tally | undefined
  if (!tally) return
  const operation = { kind, name: name.slice(0, longestName) }
  const former = tally.operation ?? operation
  const isSame = former.kind === kind && former.name === operation.name
  tally.operation = isSame ? operation : { kind: 'several', name: '' }
}

/** Tells of a request when its response is handed over or its client has left: at once, if that is so already. */
export const atEndOf = (atEnd: EndListener) => (ctx: Context, tally: Tally | undefined) => {
  if (!tally) return
  const { res } = ctx
  // Most responses have been sent by now, and to listen for their end would cost more than all else.
  if (res.writableEnded) {
    atEnd(ctx, tally, res.socket?.destroyed === true)
    return
  }
  let isTold = false
  const end = (aborted: boolean) => {
    if (isTold) return
    isTold = true
    atEnd(ctx, tally, aborted)
  }
  if (res.closed) {
    end(true)
    return
  }
  res.on('finish', () => end(false))
  res.on('close', () => end(true))
}

function seenOf(ctx: Context, tally: Tally, aborted: boolean): RequestSeen {
  const { requestId, route } = ctx.state as { readonly requestId: string; readonly route?: Route }
  const { caller, by, statements, rows, cached, operation, error } = tally
  // One literal: spreads would cost more than everything else that is done for an observer.
  return {
    requestId,
    traceparent: traceparentOf(ctx.req),
    method: ctx.req.method ?? '',
    path: ctx.path,
    route: route?.pattern,
    plugin: route?.plugin,
    action: route?.action,
    uid: route?.uid,
    status: ctx.res.statusCode,
    ms: performance.now() - tally.begun,
    bytes: bytesOf(ctx, tally.bytes),
    caller: callerSeen(caller, by),
    statements,
    rows,
    cached,
    operation,
    refused: false,
    aborted,
    error,
  }
}

const isTraceparent = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

export function traceparentOf({ headers: { traceparent } }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return typeof traceparent === 'string' && isTraceparent.test(traceparent) ? traceparent : undefined
}

/** The id of the trace that a request belongs to. */
export const traceOf = (traceparent: string | undefined): string | undefined => traceparent?.slice(3, 35)

const callerSeen = (caller: Tally['caller'], by: string | undefined): RequestSeen['caller'] =>
  caller && { scope: caller.scope, id: caller.id, by, actor: caller.actor }

/** The log entry of a failed request: its place, its caller, and the statement that failed, without values. */
export function failureOf({ req, method, path, state }: Context, tally: Tally | undefined, error: unknown): Failure {
  const { requestId, route } = state as { readonly requestId: string; readonly route?: Route }
  const failed = tally?.failed
  const traceId = traceOf(traceparentOf(req))
  const isCause = failed && (failed.error === error || failed.error === (error as Error | undefined)?.cause)
  return {
    ...{ requestId, ...(traceId !== undefined && { traceId }), method, path: safePath(path) },
    ...(route && { route: route.pattern }),
    ...(route?.plugin && { plugin: route.plugin }),
    ...(tally?.caller && { caller: callerName(tally.caller, tally.by) }),
    ...(isCause && { sql: failed.sql }),
  }
}

export function bytesOf({ req, res }: Context, known: number | undefined): number | undefined {
  if (req.method === 'HEAD' || res.statusCode === 204 || res.statusCode === 304) return 0
  if (known !== undefined) return known
  const length = res.getHeader('content-length')
  return length === undefined ? undefined : Number(length)
}

/** A request that was rejected before anything looked at it. */
export function refusedSeen(request: IncomingMessage, status: number, requestId: string, bytes: number): RequestSeen {
  const { method = '', url = '' } = request
  return {
    traceparent: traceparentOf(request),
    ...{ requestId, method, path: url.split('?', 1)[0] as string, status, bytes },
    ...{ route: undefined, plugin: undefined, action: undefined, uid: undefined, caller: undefined, cached: undefined },
    operation: undefined,
    ...{ ms: 0, statements: 0, rows: 0, refused: true, aborted: false, error: undefined },
  }
}

/** Headers that say the cost of a request, after the common ones: those that a response has already stay as they are. */
export function withCost(common: CommonHeaders, added: ((tally: Tally) => string[]) | undefined): CommonHeaders {
  if (!added) return common
  return (requestId, tally) => {
    const headers = common(requestId)
    const more = tally ? added(tally) : []
    if (more.length === 0) return headers
    const names = new Set(headers.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase()))
    const isNew = (name: string) => !names.has(name.toLowerCase())
    return [...headers, ...more.filter((_, index, all) => isNew(all[index - (index % 2)] as string))]
  }
}
