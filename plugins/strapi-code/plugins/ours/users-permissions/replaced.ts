import { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { Context } from 'koa'
import { Finished, type Host, optional, RequestError, type Route, type RouteCall } from '../../../../../core/index.js'
import { type ActionRequest, type Replacement, usersPermissions } from '../../../../users-permissions/index.js'
import { CodeError, type ErrorObject } from '../../../http/errors.js'
import { keyOf } from '../../../http/paths.js'
import { wordsOf } from '../../../http/status-names.js'
import type { Bag, Loose, RemovedPath } from '../../../types.js'
import { isPassing } from '../facade.js'
import { fieldError, toThrow } from '../graphql/guarded.js'
import { facadeRoutes } from './routes.js'

type Placed = Route | RemovedPath

/** Tells the plugin of accounts which of its actions other protocols have to leave to the code: those whose routes it has. */
export function tellReplaced(host: Host, declared: readonly object[]): void {
  const service = host.service(optional(usersPermissions))
  if (!service) return
  const routes = declared.filter((one): one is Placed => 'path' in one)
  const made = new Map<string, Replacement | undefined>()
  for (const { handler, ours } of facadeRoutes()) {
    const [own] = ours
    if (own && !made.has(handler)) made.set(handler, replacementFor(own, routes, host.app.api.prefix))
  }
  service.replaced = action => made.get(action)
}

function replacementFor(own: Route, routes: readonly Placed[], prefix: string): Replacement | undefined {
  const keys = [keyOf(own), keyOf({ ...own, method: 'ALL' })]
  const there = routes.filter(one => keys.includes(keyOf(one as Route)))
  const route = there.find((one): one is Route => !('removed' in one))
  if (!route) return there.length > 0 ? taken : undefined
  const { run } = route
  if (isPassing(route) || typeof run !== 'function') return undefined
  return async (asked, call) => {
    const ctx = requestOf({ method: own.method, path: prefix + own.path }, asked, call)
    const { params = {}, query = {} } = asked
    try {
      const value = await run({ ...call, ctx, params, query, body: ctx.request.body, service: undefined })
      return bodyOf(ctx, value)
    } catch (error) {
      if (error instanceof CodeError) throw fieldError(error as ErrorObject, error)
      // With global middlewares it comes as the code has thrown it.
      throw error instanceof RequestError ? error : toThrow(error)
    } finally {
      passHeaders(ctx, call.ctx)
    }
  }
}

const taken: Replacement = async () => {
  throw fieldError({
    status: 403,
    name: 'ForbiddenError',
    message: "The project's code has taken the route of this action away, and it is not done here either",
  })
}

const byOtherWays = new WeakSet<object>()

/** The request does not come by the route: its client follows no link, and wants to see the account. */
export const wantsAccount = (koa: object): boolean => byOtherWays.has(koa)

/** A request as the route would have had it, with a response of its own that is not sent. */
function requestOf(
  { method, path }: Pick<Route, 'path'> & { readonly method: string },
  { body = {}, params = {}, query = {} }: ActionRequest,
  { ctx }: RouteCall,
): Context {
  const place = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const search = String(new URLSearchParams(query))
  const url = search === '' ? place : `${place}?${search}`
  const changed = { method, url, originalUrl: url }
  const req = Object.create(
    ctx.req,
    Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, { value, writable: true }])),
  )
  const res = new ServerResponse(req)
  // Work that waits for the response to be sent begins when that of the whole request is.
  finished(ctx.res, () => res.emit('close'))
  const made = (ctx.app as Loose).createContext(req, res) as Context
  made.state = ctx.state
  // Code has the values that JSON can have.
  ;(made.request as Loose).body = JSON.parse(JSON.stringify(body))
  byOtherWays.add(made)
  return made
}

/** The body of the response, or the error that it tells. */
function bodyOf({ response, status }: Context, value: unknown): unknown {
  const { body, type } = response
  const text = typeof body === 'string' && /json/.test(type) ? JSON.parse(body) : body
  const answer: Loose = value === undefined ? text : value instanceof Finished ? value.value() : value
  const told = Object(Object(answer).error) as Bag
  if (status < 400 || (status === 404 && value !== undefined)) return answer
  const { text: message, error: name } = wordsOf(status)
  throw fieldError({ status, name, message, ...told })
}

/** Headers that are the client's, whatever the body of its response is. */
const passed = /^(?:set-cookie|retry-after|x-.*)$/

function passHeaders(from: Context, to: Context): void {
  for (const [name, value] of Object.entries(from.res.getHeaders()))
    if (passed.test(name)) to.append(name, value as string | string[])
}
