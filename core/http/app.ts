import Koa, { type Context } from 'koa'
import type { HttpParts } from './app-parts.js'
import { isBelow, placed } from './below.js'
import { trustOnly } from './client-address.js'
import type { ReplyFactory } from './handler.js'
import { atEndOf, failureOf, observing, withCost } from './observing.js'
import { crossOrigin } from './responses/cross-origin.js'
import { describeError } from './responses/errors.js'
import { type CommonHeaders, replacing, setHeader, setHeaders } from './responses/headers.js'
import { commonHeaders, type Responder, requestIdOf, responder } from './responses/responder.js'
import { dispatcher } from './router.js'
import { usesUsualRoutes } from './usual-routes.js'

/** The koa application: the steps that every request passes, in order, and the way to its route. */
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
      for (const [name, value] of Object.entries(answer.headers)) setHeader(ctx, name, value)
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
  const { cors, routing } = parts.middleware
  for (const middleware of cors) app.use(placed(middleware))
  const cross = server.cors.enabled ? crossOrigin(server.cors, parts.requestHeaders) : undefined
  const isClosed = ({ path }: Context) => cors.some(({ below = '' }) => isBelow(path, below))
  // Only browsers send an origin; other clients do not need the headers.
  if (cross) app.use((ctx, next) => (ctx.req.headers.origin === undefined || isClosed(ctx) ? next() : cross(ctx, next)))
  for (const middleware of routing) app.use(placed(middleware))
  const route = dispatcher(parts, replyOf)
  let usual: typeof route | undefined
  const routeUsual = (ctx: Context) => {
    usual ??= dispatcher({ ...parts, routes: parts.usualRoutes() }, replyOf)
    return usual(ctx)
  }
  const healthy = healthRoutes(parts)
  app.use(ctx => healthy(ctx) ?? (usesUsualRoutes(ctx) ? routeUsual(ctx) : route(ctx)))
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

/** Says whether the server can serve, and the reasons if it cannot. */
async function tellReady(ctx: Context, { ready, notes }: HttpParts['health']): Promise<void> {
  const [problems, said] = await Promise.all([ready(), notes()])
  ctx.status = problems.length === 0 ? 200 : 503
  if (problems.length > 0) ctx.set('Retry-After', '1')
  ctx.body = { ready: problems.length === 0, problems, ...(said.length > 0 && { notes: said }) }
}

/** The function that sends the responses of a route: with its own headers, if it has any. */
const replier =
  (parts: HttpParts, usual: Responder, headersOf: CommonHeaders): ReplyFactory =>
  ({ headers }) => {
    if (!headers) return usual.reply
    const own = replacing(headersOf, headers)
    const { reply } = responder(parts, own)
    return (ctx, made) => {
      ctx.state.headersOf = own
      return reply(ctx, made)
    }
  }
