import type { Context } from 'koa'
import type { Session } from '../engines/engine.js'
import { UnauthorizedError } from '../errors.js'
import type { Caller } from '../query/ask.js'
import type { HttpParts } from './app-parts.js'
import type { PluginMiddleware } from './below.js'
import { bodyReader, checkDepth, isParsed } from './body.js'
import { noting } from './freshness.js'
import { identityOf, isOpen, permit } from './gate.js'
import { retryKey, retryOf } from './idempotency-key.js'
import type { Responder } from './responses/responder.js'
import type { Route, RouteRequest } from './routes.js'

export type ReplyFactory = (route: Route) => Responder['reply']

/** The life of a request on its route: its caller, the permission, the body, and the response. */
export function handler(parts: HttpParts, replyOf: ReplyFactory): (route: Route) => (ctx: Context) => Promise<void> {
  const { server, dialect, middleware, bodies, refresh, reader, freshness } = parts
  const { authentication, handler } = middleware
  const readAny = bodyReader(parts.parser, dialect.strictContentType, bodies)
  const readJson = bodyReader(parts.parser, true, new Map(), ['application/json'])
  const leave = async () => ({ body: undefined })
  const leaving = new Map([...bodies].map(([type, read]) => [type, isParsed(type) ? read : leave]))
  const readPlain = bodyReader(parts.parser, dialect.strictContentType, leaving)
  return route => {
    const reply = replyOf(route)
    const readBody = route.takesJson ? readJson : route.leavesPlugged ? readPlain : readAny
    const callerOf = route.credentials === 'ignored' ? parts.visitor : parts.callerOf
    const onlyReads = route.reads
    const takesKeys = route.method === 'POST' && !onlyReads && server.idempotency.maxAge > 0
    const required = isOpen(route, parts.environment) ? undefined : route.action
    const hasMiddleware = handler.length > 0 || authentication.length > 0
    const allow = (ctx: Context, caller: Caller): Caller => {
      const { state } = ctx
      if (state.tally) state.tally.caller = caller
      // Middleware that runs around this sees who was refused.
      if (hasMiddleware) state.caller = caller
      if (parts.caching) state.isVisitor = parts.caching.isVisitor(caller)
      if (route.credentials === 'needed' && identityOf(caller, ctx) === undefined)
        throw new UnauthorizedError().because('the route needs credentials, and none were sent')
      if (required !== undefined) permit(caller, required, route.uid as string)
      return caller
    }
    const identify = (ctx: Context): Caller | Promise<Caller> => {
      const found = callerOf(ctx)
      return found instanceof Promise ? found.then(caller => allow(ctx, caller)) : allow(ctx, found)
    }
    /** Waits for nothing that is known: most callers are. */
    const admit = (ctx: Context): Caller | Promise<Caller> => {
      ctx.state.route = route
      return refresh()?.then(() => identify(ctx)) ?? identify(ctx)
    }
    const sessionOf = (ctx: Context, caller: Caller): Session => {
      const session = onlyReads && freshness ? freshness.session(caller, ctx) : reader
      const { tally } = ctx.state
      return tally ? tally.counts(session) : session
    }
    const answer = async (ctx: Context, caller: Caller): Promise<void> => {
      const request = new RoutedRequest(ctx, caller, sessionOf(ctx, caller))
      const key = takesKeys && ctx.req.headers['idempotency-key'] !== undefined ? retryKey(ctx) : undefined
      if (!route.takesBody) {
        if (key !== undefined) request.retryFor = body => retryOf(key, { ctx, caller, body })
        const made = route.run(request)
        const answer = made instanceof Promise ? await made : made
        noteReplay(request)
        return reply(ctx, answer)
      }
      const place = { ctx, caller, action: route.action, uid: route.uid, fingerprinted: key !== undefined }
      const { body, release, fingerprint } = await readBody(place)
      let failed = true
      try {
        checkDepth(body)
        request.body = body
        request.retry = key === undefined ? undefined : retryOf(key, { ctx, caller, body, fingerprint })
        const made = await route.run(request)
        const isReplayed = noteReplay(request)
        await reply(ctx, made)
        failed = isReplayed
      } finally {
        await release?.(failed)
      }
    }
    const serve = freshness && !onlyReads ? noting(freshness, answer) : answer
    const admitted =
      handler.length === 0
        ? async (ctx: Context) => {
            const caller = admit(ctx)
            await serve(ctx, caller instanceof Promise ? await caller : caller)
          }
        : async (ctx: Context) => {
            const caller = await admit(ctx)
            await around(handler, ctx, () => serve(ctx, caller))
          }
    if (authentication.length === 0) return admitted
    return ctx => {
      ctx.state.route = route
      return around(authentication, ctx, () => admitted(ctx))
    }
  }
}

/** A request at its route. */
class RoutedRequest implements RouteRequest {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: RouteRequest['params']
  readonly query: string
  readonly session: Session
  body: unknown = undefined
  retry: RouteRequest['retry'] = undefined
  retryFor: RouteRequest['retryFor'] = undefined

  constructor(ctx: Context, caller: Caller, session: Session) {
    this.ctx = ctx
    this.caller = caller
    this.params = ctx.params
    this.query = ctx.querystring
    this.session = session
  }
}

/** Tells the client that an earlier request had done what this one asks for. */
function noteReplay({ ctx, retry }: RouteRequest): boolean {
  if (!retry?.isReplayed) return false
  ctx.set('Idempotency-Replayed', 'true')
  return true
}

/** Runs middleware, each around the next, and the last around the rest of the request. */
function around(middleware: readonly PluginMiddleware[], ctx: Context, last: () => Promise<void>): Promise<void> {
  const from = async (index: number): Promise<void> => {
    const next = middleware[index]
    await (next ? next.run(ctx, () => from(index + 1)) : last())
  }
  return from(0)
}
