import type { Context } from 'koa'

/** What every answer carries: the browser is to take it as data, from this origin, and nothing more. */
const securityHeaders: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Vary', 'Origin'],
]

/** What pages of other origins may read of an answer, besides its body. */
export const exposedHeaders = ['ETag', 'X-Request-Id', 'Retry-After', 'Idempotency-Replayed']

export interface Open {
  /** Requests are served; false while the server stops. */
  open(): boolean
}

/** The headers that every answer has; a server that stops asks clients to come back on a new connection. */
export function commonHeaders(requestId: string, health: Open): string[] {
  const headers = [...securityHeaders, 'X-Request-Id', requestId]
  if (!health.open()) headers.push('Connection', 'close')
  return headers
}

/** Sets headers that are written as one flat list of names and values. */
export function setHeaders(ctx: Context, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2)
    ctx.set(headers[index] as string, headers[index + 1] as string)
}
