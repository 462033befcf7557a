import type { Context } from 'koa'

/** What every answer carries: the browser is to take it as data, from this origin, and nothing more. */
export const securityHeaders: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Vary', 'Origin'],
]

/** Sets headers that are written as one flat list of names and values. */
export function setHeaders(ctx: Context, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2)
    ctx.set(headers[index] as string, headers[index + 1] as string)
}
