import type { RouteCall } from '../../../core/index.js'
import type { Feed } from '../../events/index.js'
import type { Sent } from '../http/refusal.js'
import type { OperationRequest, Runner } from '../http/runner.js'
import { completeText, nextText, textsOf } from './texts.js'

/** True where the client asks for a stream of events, as graphql-sse does with a connection for each operation. */
export const asksForEvents = ({ ctx }: Pick<RouteCall, 'ctx'>): boolean =>
  ctx.req.headers.accept?.includes('text/event-stream') === true

interface Following {
  readonly call: RouteCall
  readonly runner: Runner
  readonly feed: Feed
  /** Runs the operation, if it is none that can be followed. */
  readonly answered: () => Promise<Sent>
}

/**
 * Responds with a stream of events: the responses to a subscription, or the one response to another operation. Clients that take
 * JSON as well get that in place of a stream with one event: it is returned.
 */
export async function serveEvents(
  request: OperationRequest,
  { call, runner, feed, answered }: Following,
): Promise<Sent | undefined> {
  const found = runner.subscribe?.(request, call)
  if (found && 'respond' in found) {
    await feed.join(call, undefined, () => textsOf(feed, call, found))
    return undefined
  }
  const sent = found ?? (await answered())
  const { ctx } = call
  if (ctx.accepts('application/json', 'application/graphql-response+json')) return sent
  ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  ctx.status = 200
  ctx.type = 'text/event-stream; charset=utf-8'
  ctx.body = nextText(sent.text) + completeText
  return undefined
}
