import { Router, type RouterMiddleware } from '@koa/router'
import Koa, { type Context } from 'koa'
import type { Session } from '../engines/engine.js'
import { BadRequestError, UnauthorizedError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import type { Caller } from '../query/ask.js'
import type { HttpParts } from './app-parts.js'
import { bodyReader, checkDepth } from './body.js'
import { noting } from './freshness.js'
import { bearerOf, isOpen, permit } from './gate.js'
import { unrouted } from './methods.js'
import { around } from './middleware.js'
import { atEndOf, failureOf, observing, withCost } from './observing.js'
import { trustOnly } from './proxy.js'
import { tellReady } from './ready.js'
import { crossOrigin } from './responses/cross-origin.js'
import { describeError } from './responses/errors.js'
import { replacing, setHeaders } from './responses/headers.js'
import { type CommonHeaders, commonHeaders, type Responder, requestIdOf, responder } from './responses/responder.js'
import { retryKey, retryOf } from './retries.js'
import type { Route, RouteRequest } from './routes.js'

/** The koa application: what every request passes, in order, and the way to its route. */
export function httpApp(parts: HttpParts): Koa {
  const { server, dialect, log, health, observe, observeLogged } = parts
  const app = new Koa({ proxy: server.proxy !== false })
  if (typeof server.proxy === 'object') app.use(trustOnly(server.proxy))
  app.silent = true
  const bare = withCost(
    commonHeaders(
      server.headers,
      health.gate,
      server.compression ? ['Accept-Encoding', ...parts.varies] : parts.varies,
    ),
    parts.costHeaders,
  )
  const headersOf = parts.caching ? replacing(bare, parts.caching.otherwise) : bare
  const respond = responder(parts, headersOf, bare)
  const replyOf = replier(parts, respond, headersOf)
  const [told, logged] = [observe && atEndOf(observe), observeLogged && atEndOf(observeLogged)]
  const teller = () => (log.isLevelEnabled('info') ? logged : told)
  const tallyOf = (ctx: Context, isTold: boolean) =>
    isTold || parts.costHeaders || log.isLevelEnabled('error') ? observing(ctx) : undefined
  app.use(async (ctx, next) => {
    const requestId = requestIdOf(ctx.req.headers['x-request-id'])
    ctx.state.requestId = requestId
    const tell = teller()
    const tally = tallyOf(ctx, tell !== undefined)
    try {
      if (parts.chooseFormat) ctx.state.format = parts.chooseFormat(ctx.req.headers)
      await next()
    } catch (error) {
      ctx.state.headersOf = undefined
      ctx.state.mediaType = undefined
      if (tally) tally.error = error
      const answer = describeError(parts.explain(error), parts, () => failureOf(ctx, tally, error))
      ctx.status = answer.status
      for (const [name, value] of Object.entries(answer.headers)) ctx.set(name, value)
      if (answer.status === 405 && dialect.plainMethodErrors) ctx.body = 'Method Not Allowed'
      else {
        const { body, type } = parts.formatError(ctx.state.route, answer.error, ctx.state.format)
        ctx.state.mediaType = type
        respond.json(ctx, JSON.stringify(body))
      }
    }
    if (ctx.respond !== false)
      setHeaders(ctx, ((ctx.state.headersOf as typeof headersOf) ?? headersOf)(requestId, tally))
    tell?.(ctx, tally)
  })
  const cross = server.cors.enabled ? crossOrigin(server.cors, parts.requestHeaders) : undefined
  // Only browsers send an origin; other clients do not need the headers.
  if (cross) app.use((ctx, next) => (ctx.req.headers.origin === undefined ? next() : cross(ctx, next)))
  for (const middleware of parts.middleware.routing) app.use(middleware)
  const route = dispatcher(parts, replyOf)
  const healthy = healthRoutes(parts)
  app.use(ctx => healthy(ctx) ?? route(ctx))
  return app
}

/** `/_health` says that the process lives, `/_health/ready` that it can serve; neither asks who wants to know. */
function healthRoutes({ health }: HttpParts) {
  return (ctx: Context): Promise<void> | undefined => {
    const { path } = ctx
    if (path === '/_health') {
      ctx.status = 204
      return Promise.resolve()
    }
    return path === '/_health/ready' ? tellReady(ctx, health) : undefined
  }
}

/**
 * One small router for each first segment of a path and each method, so that neither the number of content types nor what
 * else there is at their paths costs anything. The router says which route it is; its handler is then called as it stands.
 */
function dispatcher(parts: HttpParts, replyOf: ReplyOf): (ctx: Context) => Promise<void> | void {
  const { prefix, routes, dialect } = parts
  const start = `${prefix}/`.toLowerCase()
  const routers = new Map<string, Map<string, Router>>()
  const handlers = new Map<unknown, (ctx: Context) => Promise<void>>()
  const handle = handler(parts, replyOf)
  for (const { at, ...route } of routes) {
    const path = at === 'root' ? route.path : prefix + route.path
    const segment = path.slice(0, segmentEnd(path, at === 'root' ? 0 : prefix.length)).toLowerCase()
    const byMethod = routers.get(segment) ?? new Map<string, Router>()
    const router = byMethod.get(route.method) ?? new Router({ sensitive: false, strict: false })
    routers.set(segment, byMethod.set(route.method, router))
    handlers.set(router.register(path, [route.method.toLowerCase()], noMiddleware), handle({ ...route, pattern: path }))
  }
  /** What paths that were read lately lead to: most are read again, and finding that out takes longer than a cached response. */
  const recent = new Map<string, Found>()
  return ctx => {
    const { method } = ctx
    const known = method === 'GET' ? recent.get(ctx.path) : undefined
    if (known) return served(ctx, known)
    const path = checkedPath(ctx)
    const lower = path.toLowerCase()
    const below = lower.startsWith(start) ? routers.get(lower.slice(0, segmentEnd(lower, prefix.length))) : undefined
    const byMethod = below ?? routers.get(lower.slice(0, segmentEnd(lower, 0)))
    const layer = byMethod?.get(method === 'HEAD' ? 'GET' : method)?.match(path, method).pathAndMethod[0]
    if (!layer) {
      const meant = parts.environment === 'development' ? nearestPath(lower, prefix, [...routers.keys()]) : undefined
      return unrouted(ctx, { path, byMethod, meant }, dialect)
    }
    const params = layer.params(path, layer.captures(path))
    const found = { params, handle: handlers.get(layer) as Found['handle'] }
    if (method === 'GET' && ctx.url.length <= longestRecent) {
      if (recent.size >= mostRecent) recent.clear()
      recent.set(path, found)
    }
    return served(ctx, found)
  }
}

/** The beginning of a path that the beginning of another one most likely meant. */
function nearestPath(path: string, prefix: string, known: readonly string[]): string | undefined {
  const start = `${prefix}/`.toLowerCase()
  if (!path.startsWith(start) || known.includes(path.slice(0, segmentEnd(path, prefix.length)))) return undefined
  const names = known.filter(one => one.startsWith(start)).map(one => one.slice(start.length))
  const meant = nearest(path.slice(start.length, segmentEnd(path, prefix.length)).slice(0, 100), names)
  return meant === undefined ? undefined : start + meant
}

/** What a path leads to. */
interface Found {
  readonly params: Readonly<Record<string, string>>
  handle(ctx: Context): Promise<void>
}
const mostRecent = 2000
/** Characters of a URL whose path is remembered: the path may keep all of it in memory. */
const longestRecent = 1000

function served(ctx: Context, { params, handle }: Found): Promise<void> {
  ctx.params = { ...params }
  return handle(ctx)
}

const noMiddleware: RouterMiddleware[] = [(_, next) => next()]

/** Where the first segment of a path ends that begins with a slash at `from`. */
function segmentEnd(path: string, from: number): number {
  const end = path.indexOf('/', from + 1)
  return end < 0 ? path.length : end
}

/** The path as it was sent: what is encoded is part of a name, never a slash or a letter of a route. */
function checkedPath({ path }: Context): string {
  if (path.includes('//')) throw new BadRequestError('Malicious Path')
  try {
    if (path.includes('%')) decodeURIComponent(path)
    return path
  } catch {
    throw new BadRequestError('failed to decode')
  }
}

type ReplyOf = (route: Route) => Responder['reply']

/** How the responses of a route are sent: with its own headers, where it has some. */
const replier =
  (parts: HttpParts, usual: Responder, headersOf: CommonHeaders): ReplyOf =>
  ({ headers }) => {
    if (!headers) return usual.reply
    const own = replacing(headersOf, headers)
    const { reply } = responder(parts, own)
    return (ctx, made) => {
      ctx.state.headersOf = own
      return reply(ctx, made)
    }
  }

/** Who asks, may they, what did they send, and the response: the life of a request on its route. */
function handler(parts: HttpParts, replyOf: ReplyOf): (route: Route) => (ctx: Context) => Promise<void> {
  const { server, dialect, callerOf, middleware, bodies, refresh, reader, freshness } = parts
  const { authentication, handler } = middleware
  const readAny = bodyReader(server.body, dialect.strictContentType, bodies)
  const readJson = bodyReader(server.body, true, new Map(), ['application/json'])
  return route => {
    const reply = replyOf(route)
    const readBody = route.takesJson ? readJson : readAny
    const onlyReads = route.reads
    const takesKeys = route.method === 'POST' && !onlyReads && server.idempotency.maxAge > 0
    const required = isOpen(route, parts.environment) ? undefined : route.action
    const hasMiddleware = handler.length > 0 || authentication.length > 0
    const allow = ({ state }: Context, caller: Caller): Caller => {
      if (state.tally) state.tally.caller = caller
      // Middleware that runs around this sees who was refused.
      if (hasMiddleware) state.caller = caller
      if (parts.caching) state.isVisitor = parts.caching.isVisitor(caller)
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
      if (route.credentials === 'needed' && bearerOf(ctx) === undefined)
        throw new UnauthorizedError().because('the route needs credentials, and none were sent')
      return refresh()?.then(() => identify(ctx)) ?? identify(ctx)
    }
    const sessionOf = (ctx: Context, caller: Caller): Session => {
      const session = onlyReads && freshness ? freshness.session(caller, ctx) : reader
      const { tally } = ctx.state
      return tally ? tally.counts(session) : session
    }
    const answer = async (ctx: Context, caller: Caller): Promise<void> => {
      const request = new Arrived(ctx, caller, sessionOf(ctx, caller))
      if (!route.takesBody) {
        const made = route.run(request)
        return reply(ctx, made instanceof Promise ? await made : made)
      }
      const key = takesKeys && ctx.req.headers['idempotency-key'] !== undefined ? retryKey(ctx) : undefined
      const place = { ctx, caller, action: route.action, uid: route.uid, fingerprinted: key !== undefined }
      const { body, release, fingerprint } = await readBody(place)
      let failed = true
      try {
        checkDepth(body)
        request.body = body
        request.retry = key === undefined ? undefined : retryOf(key, { ctx, caller, body, fingerprint })
        const made = await route.run(request)
        const isReplayed = request.retry?.isReplayed ?? false
        if (isReplayed) ctx.set('Idempotency-Replayed', 'true')
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
class Arrived implements RouteRequest {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: RouteRequest['params']
  readonly query: string
  readonly session: Session
  body: unknown = undefined
  retry: RouteRequest['retry'] = undefined

  constructor(ctx: Context, caller: Caller, session: Session) {
    this.ctx = ctx
    this.caller = caller
    this.params = ctx.params
    this.query = ctx.querystring
    this.session = session
  }
}
