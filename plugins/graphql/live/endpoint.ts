import type { RouteCall } from '../../../core/index.js'
import type { Feed } from '../../events/index.js'
import type { OperationRequest, Runner } from '../http/runner.js'
import { completeText, LiveListener, nextText } from './listener.js'

/** True where the client asks for a stream of events, as graphql-sse does with a connection for each operation. */
export const asksForEvents = ({ ctx }: Pick<RouteCall, 'ctx'>): boolean =>
  ctx.req.headers.accept?.includes('text/event-stream') === true

interface Following {
  readonly call: RouteCall
  readonly runner: Runner
  readonly feed: Feed
  readonly onlyQueries: boolean
}

/** Responds with a stream of events: the responses to a subscription, or the one response to another operation. */
export async function serveEvents(
  request: OperationRequest,
  { call, runner, feed, onlyQueries }: Following,
): Promise<void> {
  const found = runner.subscribe?.(request, call)
  if (found && 'respond' in found) {
    await feed.join(call, undefined, position => new LiveListener(feed, call, found, position))
    return
  }
  const { text } = found ?? (await runner.run(request, call, { onlyQueries }))
  const { ctx } = call
  ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  ctx.status = 200
  ctx.type = 'text/event-stream; charset=utf-8'
  ctx.body = nextText(text) + completeText
}
