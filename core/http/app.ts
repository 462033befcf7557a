import { Router, type RouterMiddleware } from '@koa/router'
import Koa, { type Context } from 'koa'
import { BadRequestError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import type { HttpParts } from './app-parts.js'
import { trustOnly } from './client-address.js'
import { handler, type ReplyOf } from './handler.js'
import { unrouted } from './methods.js'
import { atEndOf, failureOf, observing, withCost } from './observing.js'
import { crossOrigin } from './responses/cross-origin.js'
import { describeError } from './responses/errors.js'
import { replacing, setHeaders } from './responses/headers.js'
import { type CommonHeaders, commonHeaders, type Responder, requestIdOf, responder } from './responses/responder.js'

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

/** Says whether the server can serve, and what keeps it from that. */
async function tellReady(ctx: Context, { ready, notes }: HttpParts['health']): Promise<void> {
  const [problems, said] = await Promise.all([ready(), notes()])
  ctx.status = problems.length === 0 ? 200 : 503
  if (problems.length > 0) ctx.set('Retry-After', '1')
  ctx.body = { ready: problems.length === 0, problems, ...(said.length > 0 && { notes: said }) }
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
