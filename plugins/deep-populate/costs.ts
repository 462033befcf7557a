import type { Context, Next } from 'koa'
import type { ResponseCost, ResponseFor } from '../../core/index.js'

const header = 'Deep-Populate-Cost'
/** In a query string, where commas and brackets may be encoded, or in a JSON body. */
const inText = /(?:^|[?&])populate[^&=]*=deep(?:$|&|,|%2C)|"populate":(?:"deep[",]|\["deep[",])/i

/** Tells the cost of responses with a deep populate in a header. */
export class Costs {
  // The headers of a request are all that the request and the cost of its response have in common.
  readonly #requests = new WeakMap<ResponseFor['headers'], Context>()

  readonly note = (ctx: Context, next: Next): Promise<unknown> => {
    this.#requests.set(ctx.req.headers, ctx)
    return next()
  }

  readonly headers = (
    { statements, rows, cached }: ResponseCost,
    { headers }: ResponseFor,
  ): Readonly<Record<string, string>> => {
    const ctx = this.#requests.get(headers)
    if (!ctx || !isDeep(ctx)) return {}
    const said = `statements=${statements}, rows=${rows}`
    return { [header]: cached === undefined ? said : `${said}, cache=${cached}` }
  }
}

function isDeep(ctx: Context): boolean {
  if (ctx.querystring !== '') return inText.test(ctx.querystring)
  const { body } = ctx.request as { readonly body?: unknown }
  return typeof body === 'object' && body !== null && 'populate' in body && inText.test(JSON.stringify(body))
}
