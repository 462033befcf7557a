import cors from '@koa/cors'
import Router, { type RouterMiddleware } from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import type { ServerConfig } from '../config/types.js'
import type { Dialect } from '../dialect.js'
import { BadRequestError, MethodNotAllowedError, NotFoundError, UnauthorizedError } from '../errors.js'
import type { Caller } from '../hooks.js'
import type { Log } from '../log.js'
import { type BodyReaders, bodyReader, checkDepth } from './body.js'
import { describeError, requestIdOf } from './errors.js'
import type { Freshness } from './freshness.js'
import { bearerOf, permit } from './gate.js'
import { commonHeaders, exposedHeaders, type Open, setHeaders } from './headers.js'
import { trustOnly } from './proxy.js'
import { type Responder, responder } from './responder.js'
import { retryKey, retryOf } from './retries.js'
import type { Route, RouteRequest } from './routes.js'

export interface HttpParts {
  readonly prefix: string
  readonly routes: readonly Route[]
  readonly server: ServerConfig
  readonly dialect: Dialect
  readonly log: Log
  readonly callerOf: (ctx: Context) => Caller | Promise<Caller>
  /** Bodies that plugins read, by media type. */
  readonly bodies: BodyReaders
  /** What plugins keep of the database is brought up to date, where it is due. */
  readonly refresh: () => Promise<void> | undefined
  /** Middleware of plugins: before anybody is recognised, and after. */
  readonly outer: readonly Middleware[]
  readonly inner: readonly Middleware[]
  /** What an error of the database means for a client. */
  readonly explain: (error: unknown) => unknown
  readonly formatError: (route: Route | undefined, error: Readonly<Record<string, unknown>>) => unknown
  readonly health: Health
  /** Which answers may be a little behind; absent where none can be. */
  readonly freshness?: Freshness | undefined
}

export interface Health extends Open {
  /** Everything that a request needs is there; otherwise what is missing. */
  ready(): Promise<readonly string[]>
  /** What keeps no request from being served, and should be known. */
  notes(): Promise<readonly string[]>
}

/** The koa application: what every request passes, in order, and the way to its route. */
export function httpApp(parts: HttpParts): Koa {
  const { server, dialect, log, health } = parts
  const app = new Koa({ proxy: server.proxy !== false })
  if (typeof server.proxy === 'object') app.use(trustOnly(server.proxy))
  app.silent = true
  const respond = responder(parts)
  app.use(async (ctx, next) => {
    const requestId = requestIdOf(ctx.req.headers['x-request-id'])
    ctx.state.requestId = requestId
    try {
      await next()
    } catch (error) {
      const answer = describeError(parts.explain(error), dialect, log, requestId)
      ctx.status = answer.status
      for (const [name, value] of Object.entries(answer.headers)) ctx.set(name, value)
      if (answer.status === 405 && dialect.plainMethodErrors) ctx.body = 'Method Not Allowed'
      else respond.json(ctx, JSON.stringify(parts.formatError(ctx.state.route, answer.error)))
    }
    if (ctx.respond !== false) setHeaders(ctx, commonHeaders(requestId, health))
    if (log.isLevelEnabled('debug'))
      log.debug({ requestId, method: ctx.method, path: ctx.path, status: ctx.status }, 'answered')
  })
  if (server.cors.enabled) app.use(crossOrigin(server.cors))
  for (const middleware of parts.outer) app.use(middleware)
  const route = dispatcher(parts, respond)
  const healthy = healthRoutes(parts)
  app.use(ctx => healthy(ctx) ?? route(ctx))
  return app
}

/** Browsers of other origins may read, and never with cookies unless the operator lists who. */
function crossOrigin({ origin, maxAge, credentials }: ServerConfig['cors']): Middleware {
  const listed = origin === '*' ? undefined : origin
  const answer = cors({
    origin: listed ? ctx => (listed.includes(ctx.get('Origin')) ? ctx.get('Origin') : '') : '*',
    credentials,
    maxAge,
    exposeHeaders: exposedHeaders,
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    allowHeaders: [
      'Content-Type',
      'Authorization',
      'Origin',
      'Accept',
      'If-None-Match',
      'Idempotency-Key',
      'X-Request-Id',
    ],
  })
  // Only browsers of other origins send one; nobody else needs the answer.
  return (ctx, next) => (ctx.req.headers.origin === undefined ? next() : answer(ctx as never, next))
}

/** `/_health` says that the process lives, `/_health/ready` that it can serve; neither asks who wants to know. */
function healthRoutes({ health }: HttpParts) {
  return (ctx: Context): Promise<void> | undefined => {
    if (ctx.path === '/_health') {
      ctx.status = 204
      return Promise.resolve()
    }
    if (ctx.path !== '/_health/ready') return undefined
    return Promise.all([health.ready(), health.notes()]).then(([problems, notes]) => {
      ctx.status = problems.length === 0 ? 200 : 503
      if (problems.length > 0) ctx.set('Retry-After', '1')
      ctx.body = { ready: problems.length === 0, problems, ...(notes.length > 0 && { notes }) }
    })
  }
}

/**
 * One small router for each first segment of a path, so that the number of content types costs nothing. The router says
 * which route it is; its handler is then called as it stands.
 */
function dispatcher(parts: HttpParts, respond: Responder): (ctx: Context) => Promise<void> {
  const { prefix, routes, dialect } = parts
  const start = `${prefix}/`.toLowerCase()
  const routers = new Map<string, Router>()
  const handlers = new Map<unknown, (ctx: Context) => Promise<void>>()
  const handle = handler(parts, respond)
  for (const { at, ...route } of routes) {
    const path = at === 'root' ? route.path : prefix + route.path
    const segment = path.slice(0, segmentEnd(path, at === 'root' ? 0 : prefix.length)).toLowerCase()
    const router = routers.get(segment) ?? new Router({ sensitive: false, strict: false })
    routers.set(segment, router)
    handlers.set(router.register(path, [route.method.toLowerCase()], noMiddleware), handle(route))
  }
  return async ctx => {
    const path = checkedPath(ctx)
    const lower = path.toLowerCase()
    const below = lower.startsWith(start) ? routers.get(lower.slice(0, segmentEnd(lower, prefix.length))) : undefined
    const router = below ?? routers.get(lower.slice(0, segmentEnd(lower, 0)))
    if (router) {
      const { path: matched, pathAndMethod } = router.match(path, ctx.method)
      const layer = pathAndMethod[0]
      if (layer) {
        ctx.params = layer.params(path, layer.captures(path))
        return (handlers.get(layer) as (ctx: Context) => Promise<void>)(ctx)
      }
      const found = matched.length > 0 && !(dialect.plainMethodErrors && reading.includes(ctx.method))
      if (found) return wrongMethod(ctx, [...new Set(matched.flatMap(({ methods }) => methods))])
    }
    // Older servers answer GET everywhere: it is never the wrong method, and any other is on a path that does not exist.
    if (dialect.plainMethodErrors && ![...reading, 'OPTIONS'].includes(ctx.method))
      return wrongMethod(ctx, ['HEAD', 'GET'])
    throw new NotFoundError()
  }
}

const reading = ['GET', 'HEAD']
const noMiddleware: RouterMiddleware[] = [(_, next) => next()]

function wrongMethod(ctx: Context, methods: readonly string[]): void {
  const order = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const allowed = [...methods].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  if (ctx.method !== 'OPTIONS') throw new MethodNotAllowedError(allowed)
  ctx.status = 200
  ctx.set('Allow', allowed.join(', '))
  ctx.body = ''
}

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

/** Who asks, may they, what did they send, and the answer: the life of a request on its route. */
function handler(parts: HttpParts, respond: Responder): (route: Route) => (ctx: Context) => Promise<void> {
  const { server, dialect, callerOf, inner, bodies, refresh, freshness } = parts
  const readBody = bodyReader(server.body, !dialect.terseErrors, bodies)
  return route => {
    const takesKeys = route.method === 'POST' && server.idempotency.maxAge > 0
    const onlyReads = route.method === 'GET'
    const admit = async (ctx: Context): Promise<Caller> => {
      ctx.state.route = route
      if (route.credentials === 'needed' && bearerOf(ctx) === undefined) throw new UnauthorizedError()
      const due = refresh()
      if (due) await due
      const found = callerOf(ctx)
      const caller = found instanceof Promise ? await found : found
      if (route.action !== undefined) permit(caller, route.action, route.uid as string)
      return caller
    }
    const answer = async (ctx: Context, caller: Caller): Promise<void> => {
      const mayLag = onlyReads && (freshness?.mayLag(caller, ctx) ?? false)
      const request = new Arrived(ctx, caller, mayLag)
      if (!route.takesBody) return await respond.reply(ctx, await route.run(request))
      const key = takesKeys ? retryKey(ctx) : undefined
      const place = { ctx, caller, action: route.action, uid: route.uid, fingerprinted: key !== undefined }
      const { body, release, fingerprint } = await readBody(place)
      let failed = true
      try {
        checkDepth(body)
        request.body = body
        request.retry = key === undefined ? undefined : retryOf(key, ctx, caller, body, fingerprint)
        const reply = await route.run(request)
        const isReplayed = request.retry?.isReplayed ?? false
        if (isReplayed) ctx.set('Idempotency-Replayed', 'true')
        await respond.reply(ctx, reply)
        failed = isReplayed
      } finally {
        await release?.(failed)
      }
    }
    const serve = freshness && !onlyReads ? noting(freshness, answer) : answer
    if (inner.length === 0) return async ctx => serve(ctx as Context, await admit(ctx as Context))
    return async ctx => {
      const caller = await admit(ctx as Context)
      // Middleware before the route may trust the caller that it finds.
      ctx.state.caller = caller
      let next = () => serve(ctx as Context, caller)
      for (const middleware of [...inner].reverse()) {
        const following = next
        next = async () => {
          await middleware(ctx as never, following)
        }
      }
      await next()
    }
  }
}

/** A request at its route. */
class Arrived implements RouteRequest {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: RouteRequest['params']
  readonly query: string
  readonly mayLag: boolean
  body: unknown = undefined
  retry: RouteRequest['retry'] = undefined

  constructor(ctx: Context, caller: Caller, mayLag: boolean) {
    this.ctx = ctx
    this.caller = caller
    this.params = ctx.params
    this.query = ctx.querystring
    this.mayLag = mayLag
  }
}

type Serve = (ctx: Context, caller: Caller) => Promise<void>

/** Whoever may have written finds it when it reads next. */
function noting(freshness: Freshness, serve: Serve): Serve {
  return async (ctx, caller) => {
    try {
      await serve(ctx, caller)
    } finally {
      freshness.wrote(caller, ctx)
    }
  }
}
