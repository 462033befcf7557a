import type { IncomingMessage, RequestListener } from 'node:http'
import type { CorsConfig, ServerConfig } from '../../config/types.js'
import { UnavailableError } from '../../errors.js'
import type { Log } from '../../log.js'
import { isBelow } from '../below.js'
import { refusedSeen, type TellRequest } from '../observing.js'
import type { FormattedError } from '../responses/errors.js'
import type { Gate } from '../responses/headers.js'
import { commonHeaders, requestIdOf } from '../responses/responder.js'

export interface RefusalParts {
  readonly server: Pick<ServerConfig, 'cors' | 'headers'>
  /** Paths below which no CORS header is sent. */
  readonly closed: readonly string[]
  readonly gate: Gate
  readonly log: Log
  readonly formatError: (route: undefined, error: Readonly<Record<string, unknown>>) => FormattedError
  /** Called with every request that is refused. */
  readonly observe?: TellRequest | undefined
}

/** Milliseconds between two lines of the log: who is overloaded has no time to write. */
const logged = 10_000

/** Answers 503 to requests for which there is no time: the response is prepared at boot as far as possible, and goes past koa. */
export function refusal({
  server: { cors, headers: common },
  closed,
  gate,
  log,
  formatError,
  observe,
}: RefusalParts): RequestListener {
  const { status, name, message, headers } = new UnavailableError('The server is overloaded, try again')
  const error = formatError(undefined, { status, name, message })
  const body = JSON.stringify(error.body)
  const own = [
    ...Object.entries(headers ?? {}).flat(),
    ...[
      'Content-Type',
      error.type ?? 'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(body)),
    ],
  ]
  const headersOf = commonHeaders(common, gate)
  const count = counter(log)
  const isOpen = ({ url = '' }: IncomingMessage) =>
    !closed.some(below => isBelow(url.split('?', 1)[0] as string, below))
  return (request, response) => {
    count()
    const id = requestIdOf(request.headers['x-request-id'])
    response.writeHead(status, [...headersOf(id), ...own, ...(isOpen(request) ? originHeaders(request, cors) : [])])
    response.end(request.method === 'HEAD' ? undefined : body)
    observe?.(refusedSeen(request, status, id, request.method === 'HEAD' ? 0 : Buffer.byteLength(body)))
  }
}

/** Without these a browser keeps from its page that it may come again, and when. */
function originHeaders({ headers: { origin } }: IncomingMessage, cors: CorsConfig): string[] {
  if (origin === undefined || !cors.enabled) return []
  if (cors.origin !== '*' && !cors.origin.includes(origin)) return []
  return [
    ...['Access-Control-Allow-Origin', cors.origin === '*' ? '*' : origin],
    ...['Access-Control-Expose-Headers', cors.expose.join(',')],
    ...(cors.credentials ? ['Access-Control-Allow-Credentials', 'true'] : []),
  ]
}

/** Says when the first is refused, and then at times how many were. */
function counter(log: Log): () => void {
  let refused = 0
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer = undefined
    if (refused > 0) log.warn({ refused }, `overloaded: ${refused} more requests were refused in ${logged / 1000} s`)
    refused = 0
  }
  return () => {
    refused += 1
    if (timer) return
    log.warn('overloaded: requests are refused')
    refused = 0
    timer = setTimeout(tell, logged).unref()
  }
}
