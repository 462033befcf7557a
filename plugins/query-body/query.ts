import { type RouteCall, ValidationError } from '../../core/index.js'
import { queryText } from '../../core/plugin-kit.js'

/** The query of a body as the text that would stand behind the question mark. */
export function queryOf({ ctx, body }: Pick<RouteCall, 'ctx' | 'body'>): string {
  if (ctx.querystring !== '')
    throw new ValidationError('The query is in the body; send nothing behind the question mark, or use GET')
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ValidationError(
      'The body must be a JSON object with the parameters of the query, such as { "filters": {} }',
    )
  return queryText(body as Readonly<Record<string, unknown>>)
}

/** Proxies commonly reserve 4 KiB for all headers of a response. */
const longest = 2000

/** Names the address where GET gives the same response, unless it would be too long for one. */
export function locate(ctx: RouteCall['ctx'], query: string): void {
  const path = ctx.method === 'QUERY' ? ctx.path : ctx.path.replace(/\/query\/?$/i, '')
  const address = query === '' ? path : `${path}?${query}`
  if (address.length <= longest) ctx.set('Content-Location', address)
}
