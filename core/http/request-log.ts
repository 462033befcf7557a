import type { Context } from 'koa'
import { fastLinesOf, type Log } from '../log.js'
import { safePath } from '../observe/safe-path.js'
import { callerName, isVisitor, type Tally } from '../observe/tally.js'
import { type AtEnd, bytesOf, type TellRequest, telling, traceparentOf } from './observing.js'
import type { Route } from './routes.js'

/** What is done with a request where the log has requests: its line, and what the plugins that observe are told. */
export function logging(log: Log, share: number, observe: TellRequest | undefined): AtEnd | undefined {
  const lines = fastLinesOf(log)
  const tell = observe && telling(observe)
  if (share === 0 || !lines) return tell
  const write: AtEnd = (ctx, tally, aborted) => {
    if (share === 1 || ctx.res.statusCode >= 500 || Math.random() < share) lines.info(fieldsOf(ctx, tally, aborted))
  }
  if (!tell) return write
  return (ctx, tally, aborted) => {
    write(ctx, tally, aborted)
    tell(ctx, tally, aborted)
  }
}

const plain = /^[\w .:/*-]*$/
/** Text as JSON; most of it needs no escape. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** Routes as JSON; an app has as many as it has. */
const routes = new Map<string, string>()

function routeField(route: string): string {
  const known = routes.get(route)
  if (known !== undefined) return known
  const field = `"route":${quoted(route)}`
  routes.set(route, field)
  return field
}

/**
 * The line of a request, written by hand from what is there anyway: pino would cost as much as a tenth of a cached response,
 * and the object that plugins are given as much as the line.
 */
function fieldsOf(ctx: Context, tally: Tally, aborted: boolean): string {
  const { req, res } = ctx
  const { requestId, route } = ctx.state as { readonly requestId: string; readonly route?: Route }
  const { caller, by, cached } = tally
  const where = route?.pattern === undefined ? `"path":${quoted(safePath(ctx.path))}` : routeField(route.pattern)
  const ms = Math.trunc((performance.now() - tally.begun) * 100) / 100
  let fields = `"requestId":"${requestId}","method":"${req.method}",${where},"status":${res.statusCode},"ms":${ms}`
  const traceparent = traceparentOf(req)
  if (traceparent !== undefined) fields += `,"traceId":"${traceparent.slice(3, 35)}"`
  const bytes = bytesOf(ctx, tally.bytes)
  if (bytes !== undefined) fields += `,"bytes":${bytes}`
  fields += isVisitor(caller) ? ',"caller":"visitor"' : `,"caller":${quoted(callerName(caller, by))}`
  fields += `,"statements":${tally.statements}`
  if (cached !== undefined) fields += cached === 'hit' ? ',"cached":"hit"' : ',"cached":"miss"'
  return aborted ? `${fields},"aborted":true,"msg":"request"` : `${fields},"msg":"request"`
}
