import type { Context } from 'koa'
import type { RouteCall } from '../../../core/index.js'
import { NotCarried, noSession } from '../not-carried.js'
import { hearFailures } from '../sending.js'
import type { Bag, Loose } from '../types.js'
import { answers } from './answers.js'
import { CodeQuery, written } from './query.js'

/** A request as code sees it, and what it stands for. */
interface Seen {
  readonly koa: Context
  ctx: Loose
  readonly query: CodeQuery
  call?: RouteCall | undefined
  /** The body is JSON text of the server: code that looks at it gets what it says. */
  isText?: boolean
}

const seenOf = Symbol('the request of a context of code')
const known = new WeakMap<Context, Seen>()

/**
 * The `ctx` of code: with the request and the response of the server's own, a state of its own, a nested query that can be set,
 * and the functions that answer. One request has one, in global middlewares as in handlers.
 */
export function codeContext(koa: Context): Loose {
  return (known.get(koa) ?? make(koa)).ctx
}

/** The server's own context of a request, by the one that code has. */
export const koaOf = (ctx: Loose): Context => (ctx[seenOf] as Seen).koa

/** The call of the route that a `ctx` of code belongs to; undefined before it is routed, and of what is none. */
export const callOf = (ctx: Loose): RouteCall | undefined => (ctx?.[seenOf] as Seen | undefined)?.call

export function setCall(ctx: Loose, call: RouteCall): void {
  ;(ctx[seenOf] as Seen).call = call
}

/** The query string that asks what the code asks by now. */
export const queryTextOf = (ctx: Loose): string =>
  (ctx[seenOf] as Seen | undefined)?.query.asText(ctx.querystring) ?? ctx.querystring

/** JSON text is what the server has answered; the code sees an object from now on, if it looks. */
export function holdsText(ctx: Loose): void {
  const { body, type } = ctx.response
  const found = ctx[seenOf] as Seen | undefined
  if (found) found.isText = /json/.test(type) && (typeof body === 'string' || Buffer.isBuffer(body))
}

/** The body as code has it: one object that it may change. */
function bodyOf(seen: Seen): Loose {
  const { response } = seen.koa
  if (seen.isText !== true) return response.body
  seen.isText = false
  const { status } = response
  response.body = JSON.parse(String(response.body))
  response.status = status
  response.remove('ETag')
  return response.body
}

function make(koa: Context): Seen {
  const { makeContext } = prototypesOf(koa)
  const seen = makeContext(koa)
  known.set(koa, seen)
  return seen
}

interface Prototypes {
  readonly makeContext: (koa: Context) => Seen
}

const prototypes = new WeakMap<object, Prototypes>()

/** Every context of an app has the same: objects that are made for one request are slow as prototypes. */
function prototypesOf({ app }: Context): Prototypes {
  const found = prototypes.get(app)
  if (found) return found
  const { context, request } = app as unknown as Bag
  function CodeContext(this: Loose, seen: Seen, own: object) {
    const { koa } = seen
    this.app = koa.app
    this.req = koa.req
    this.res = koa.res
    this.request = own
    this.response = koa.response
    this.originalUrl = koa.originalUrl
    this.state = {}
    this.params = undefined
    this[seenOf] = seen
  }
  function CodeRequest(this: Loose, koa: Context) {
    this.app = koa.app
    this.req = koa.req
    this.res = koa.res
    this.response = koa.response
    this.originalUrl = koa.originalUrl
    this.params = undefined
    this.ctx = undefined
    this[seenOf] = undefined
  }
  CodeContext.prototype = Object.create(context, { ...described(answers), ...contextMembers })
  CodeRequest.prototype = Object.create(request, requestMembers)
  const [Made, Asked] = [CodeContext, CodeRequest] as unknown as [
    new (...given: Loose[]) => Loose,
    new (koa: Context) => Loose,
  ]
  const makeContext = (koa: Context): Seen => {
    const request = new Asked(koa)
    const seen: Seen = { koa, ctx: undefined, query: new CodeQuery(), call: undefined, isText: false }
    seen.ctx = new Made(seen, request)
    request.ctx = seen.ctx
    request[seenOf] = seen
    return seen
  }
  const made = { makeContext }
  prototypes.set(app, made)
  return made
}

const described = (methods: Bag): PropertyDescriptorMap =>
  Object.fromEntries(
    Object.entries(methods).map(([name, value]) => [name, { value, writable: true, configurable: true }]),
  )

/** A session in which nothing is kept, and nothing can be. */
const session = new Proxy<Bag>(
  { isNew: true },
  {
    set(_, name) {
      throw new NotCarried(`ctx.session.${String(name)}`, noSession)
    },
  },
)

const contextMembers: PropertyDescriptorMap & ThisType<Loose> = {
  session: {
    configurable: true,
    get: () => session,
    // Middlewares of a project may bring sessions of their own.
    set(value) {
      Object.defineProperty(this, 'session', { value, writable: true, configurable: true, enumerable: true })
    },
  },
  respond: {
    get() {
      return this[seenOf].koa.respond
    },
    set(value) {
      this[seenOf].koa.respond = value
    },
  },
  body: {
    get() {
      return bodyOf(this[seenOf])
    },
    set(value) {
      this[seenOf].isText = false
      hearFailures(value)
      this.response.body = value
    },
  },
}

const requestMembers: PropertyDescriptorMap & ThisType<Loose> = {
  // Routes of the server are given what code has made of it.
  body: {
    get() {
      return this[seenOf].koa.request.body
    },
    set(value) {
      this[seenOf].koa.request.body = value
    },
  },
  query: {
    configurable: true,
    get() {
      return this[seenOf].query.of(this.querystring)
    },
    set(value) {
      this.querystring = written(value)
      this[seenOf].query.forget()
    },
  },
}
