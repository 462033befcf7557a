import type { Context } from 'koa'
import { callerName, type Tally } from '../content/tally.js'
import { safePath } from '../kit/safe-path.js'
import { type Log, plainLinesOf } from '../log.js'
import { bytesOf, type EndListener, type TellRequest, telling, traceOf, traceparentOf } from './observing.js'
import type { Route } from './routes.js'

/** Records a request at its end: its line in the log, if requests are logged, and the call of the plugins that observe. */
export function logging(log: Log, share: number, observe: TellRequest | undefined): EndListener | undefined {
  const [write, tell] = [plainLinesOf(log), observe && telling(observe)]
  if (share === 0 || !write) return tell
  return (ctx, tally, aborted) => {
    if (share === 1 || ctx.res.statusCode >= 500 || Math.random() < share)
      write(fieldsOf(ctx, tally, aborted), 'request')
    tell?.(ctx, tally, aborted)
  }
}

/** The fields of the line of a request; undefined ones are left out. */
function fieldsOf(ctx: Context, tally: Tally, aborted: boolean): object {
  const { requestId, route } = ctx.state as { readonly requestId: string; readonly route?: Route }
  const { begun, bytes, caller, by, statements, cached, operation } = tally
  const pattern = route?.pattern
  return {
    requestId,
    method: ctx.req.method,
    path: pattern === undefined ? safePath(ctx.path) : undefined,
    route: pattern,
    operation: operation && `${operation.kind} ${operation.name}`.trimEnd(),
    status: ctx.res.statusCode,
    ms: Math.floor((performance.now() - begun) * 100) / 100,
    traceId: traceOf(traceparentOf(tally)),
    bytes: bytesOf(ctx, bytes),
    caller: callerName(caller, by),
    statements,
    cached,
    aborted: aborted || undefined,
  }
}
