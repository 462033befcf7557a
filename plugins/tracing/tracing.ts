import type { JobSeen, OutgoingSeen, PlacedMiddleware, RequestSeen, StatementSeen } from '../../core/index.js'
import { type Api, type Attributes, failed, kinds, type Span, type SpanContext } from './api.js'

/** Milliseconds for which a server that stops waits for the collector. */
const longestFlush = 2000

type Work = () => Promise<void>

/** Spans of one process. */
export class Tracer {
  readonly #api: Api
  readonly #tracer: ReturnType<Api['trace']['getTracer']>
  readonly #system: string
  /** Spans of requests in flight, by request ids, which clients may choose. */
  readonly #open = new Map<string, Span[]>()
  /** The ids that several requests had at the same time, until all of these have ended. */
  readonly #shared = new Set<string>()

  constructor(api: Api, system: string) {
    this.#api = api
    this.#tracer = api.trace.getTracer('stele')
    this.#system = system
  }

  /** Runs a request inside its span; a trace of the client continues. */
  around(requestId: string, headers: object, work: Work): Promise<void> {
    const { context, propagation, trace, ROOT_CONTEXT } = this.#api
    const parent = propagation.extract(ROOT_CONTEXT, headers)
    const span = this.#tracer.startSpan('request', { kind: kinds.server }, parent)
    const others = this.#open.get(requestId) ?? []
    if (others.length > 0) this.#shared.add(requestId)
    this.#open.set(requestId, [...others, span])
    return context.with(trace.setSpan(parent, span), work)
  }

  request(seen: RequestSeen): void {
    const { requestId, method, route, status, caller, statements, rows, cached, operation, error } = seen
    const [span, ...others] = this.#open.get(requestId) ?? []
    if (others.length > 0) this.#open.set(requestId, others)
    else {
      this.#open.delete(requestId)
      this.#shared.delete(requestId)
    }
    if (!span) return
    span.updateName(route === undefined ? method : `${method} ${route}`)
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'stele.request_id': requestId,
      'stele.operation.kind': operation?.kind,
      'stele.operation.name': operation?.name,
      'stele.caller': caller?.actor,
      'stele.statements': statements,
      'stele.rows': rows,
      'stele.cached': cached,
    })
    if (status >= 500) span.setStatus({ code: failed, message: nameOf(error) })
    span.end()
  }

  statement({ kind, sql, ms, rows, session, error }: StatementSeen): void {
    this.#past(
      kind,
      { ms, error, kind: kinds.client },
      {
        'db.system.name': this.#system,
        'db.operation.name': kind,
        'db.query.text': sql,
        'db.response.returned_rows': rows,
        'stele.session': session,
      },
    )
  }

  /** The W3C `traceparent` of a request that is being served; undefined where another had the same id meanwhile. */
  traceparentOf(requestId: string): string | undefined {
    const [span] = this.#open.get(requestId) ?? []
    if (!span || this.#shared.has(requestId)) return undefined
    const { traceId, spanId, traceFlags } = span.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  /** Starts a trace of its own: the request that caused it may have ended long ago, and is linked. */
  outgoing({ plugin, name, method, origin, ms, status, attempt, cause, error }: OutgoingSeen): void {
    const { protocol, hostname, port } = new URL(origin)
    const scheme = protocol.slice(0, -1)
    const hasFailed = error !== undefined || (status !== undefined && status >= 400)
    const linked = contextOf(cause)
    const end = performance.timeOrigin + performance.now()
    const span = this.#tracer.startSpan(
      `${method} ${name}`,
      {
        kind: kinds.client,
        startTime: end - ms,
        ...(linked && { links: [{ context: linked }] }),
        attributes: {
          'http.request.method': method,
          'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
          'http.response.status_code': status,
          'server.address': hostname,
          'server.port': Number(port || (scheme === 'https' ? 443 : 80)),
          'url.scheme': scheme,
          'error.type': hasFailed ? (status?.toString() ?? causeOf(error)) : undefined,
          'stele.plugin': plugin,
        },
      },
      this.#api.ROOT_CONTEXT,
    )
    if (hasFailed) span.setStatus({ code: failed })
    span.end(end)
  }

  job({ plugin, job, ms, missed, error }: JobSeen): void {
    this.#past(`job ${plugin}/${job}`, { ms, error, kind: kinds.internal }, { 'stele.missed': missed })
  }

  /** Has the SDK send its collected spans: it sends every few seconds, and the process is about to exit. */
  async close(): Promise<void> {
    const provider = this.#api.trace.getTracerProvider()
    const sent = (provider.getDelegate?.() ?? provider).forceFlush?.()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise(resolve => {
      timer = setTimeout(resolve, longestFlush)
    })
    // Spans that a collector does not accept in time are lost.
    await Promise.race([sent?.catch(() => undefined), late])
    clearTimeout(timer)
  }

  /** A span of past work, inside its parent. */
  #past(
    name: string,
    { ms, error, kind }: { readonly ms: number; readonly error?: unknown; readonly kind: number },
    attributes: Attributes,
  ): void {
    const end = performance.timeOrigin + performance.now()
    const span = this.#tracer.startSpan(name, { kind, startTime: end - ms, attributes }, this.#api.context.active())
    if (error !== undefined) span.setStatus({ code: failed, message: nameOf(error) })
    span.end(end)
  }
}

function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16), isRemote: true }
}

/** `ECONNREFUSED`, or the name of the error. */
function causeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } }
  return [code, cause?.code].find(one => typeof one === 'string') ?? nameOf(error)
}

/** Messages of databases may hold values. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'error')

export const middleware: PlacedMiddleware<Tracer> = {
  before: 'routing',
  run: service => (ctx, next) => service.around(ctx.state.requestId, ctx.req.headers, next),
}
