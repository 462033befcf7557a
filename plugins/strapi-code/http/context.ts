import type { Context } from 'koa'
import type { RouteCall } from '../../../core/index.js'
import type { Bag, Loose } from '../types.js'
import { answers } from './answers.js'
import { CodeQuery, written } from './query.js'

/** The request as code sees it, and what it stands for. */
interface Seen {
  readonly ctx: Loose
  readonly query: CodeQuery
  call?: RouteCall | undefined
  /** The body is JSON text of the server: code that looks at it gets what it says. */
  isText?: boolean
}

const seen = new WeakMap<object, Seen>()
const known = new WeakMap<Context, Seen>()

/**
 * The `ctx` of code: the server's own, with a state of its own, a nested query that can be set, and the functions that answer.
 * One request has one, in global middlewares as in handlers.
 */
export function codeContext(ctx: Context): Loose {
  return (known.get(ctx) ?? make(ctx)).ctx
}

/** The call of the route that a `ctx` of code belongs to; undefined before it is routed, and of an object that code has made. */
export const callOf = (ctx: Loose): RouteCall | undefined => seen.get(Object(ctx))?.call

export function setCall(ctx: Loose, call: RouteCall): void {
  const found = seen.get(ctx)
  if (found) found.call = call
}

/** The query string that asks what the code asks by now. */
export const queryTextOf = (ctx: Loose): string => seen.get(ctx)?.query.asText(ctx.querystring) ?? ctx.querystring

/** What the server has answered is JSON text; the code sees an object from now on, if it looks. */
export function holdsText(ctx: Loose): void {
  const { body, type } = ctx.response
  const found = seen.get(ctx)
  if (found) found.isText = /json/.test(type) && (typeof body === 'string' || Buffer.isBuffer(body))
}

/** The body as code has it: one object that it may change. */
function bodyOf(made: Seen, { response }: Context): Loose {
  if (made.isText !== true) return response.body
  made.isText = false
  const { status } = response
  response.body = JSON.parse(String(response.body))
  response.status = status
  response.remove('ETag')
  return response.body
}

function make(ctx: Context): Seen {
  addAnswers(ctx)
  const query = new CodeQuery()
  const code = Object.create(ctx, {
    respond: { get: () => ctx.respond, set: value => Object.assign(ctx, { respond: value }) },
  })
  const request = Object.create(ctx.request, {
    query: {
      configurable: true,
      get: () => query.of(ctx.querystring),
      set: value => {
        ctx.querystring = written(value)
        query.forget()
      },
    },
  })
  request.ctx = code
  Object.assign(code, { request, response: ctx.response, state: {}, app: ctx.app, req: ctx.req, res: ctx.res })
  code.originalUrl = ctx.originalUrl
  const made: Seen = { ctx: code, query }
  Object.defineProperty(code, 'body', {
    get: () => bodyOf(made, ctx),
    set: value => {
      made.isText = false
      ctx.body = value
    },
  })
  known.set(ctx, made)
  seen.set(code, made)
  return made
}

/** Every context of the app has the functions that answer: code calls them by `ctx`, and by what it makes of it. */
function addAnswers({ app }: Context): void {
  const { context } = app as unknown as { readonly context: Bag }
  if (!Object.hasOwn(context, 'badRequest')) Object.assign(context, answers)
}
