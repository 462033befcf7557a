import { METHODS } from 'node:http'
import { type Layer, Router, type RouterContext } from '@koa/router'
import type { Context } from 'koa'
import type { Dialect } from '../dialect.js'
import { BadRequestError, MethodNotAllowedError, NoRouteError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import { safePath } from '../kit/safe-path.js'
import type { HttpParts } from './app-parts.js'
import { handler, type ReplyFactory } from './handler.js'
import type { Route } from './routes.js'

/**
 * The way of a request to its route. A router tries its routes one after the other, so each first segment of a path has one
 * of its own: in a single router for all, every content type would add half a microsecond to each request. Routes whose
 * first segment is a pattern stand in all of them.
 */
export function dispatcher(parts: HttpParts, replyOf: ReplyFactory): (ctx: Context) => Promise<void> {
  const { prefix, routes, dialect, environment } = parts
  const start = `${prefix}/`.toLowerCase()
  const handle = handler(parts, replyOf)
  const placed = routes.map(({ at, ...route }): PlacedRoute => {
    const pattern = at === 'root' ? route.path : prefix + route.path
    const isBelow = pattern.toLowerCase().startsWith(start)
    const segment = pattern.slice(0, segmentEnd(pattern, isBelow ? prefix.length : 0))
    return { route, pattern, isBelow, segment: segment.toLowerCase(), run: handle({ ...route, pattern }) }
  })
  const { bySegment, others, othersBelow } = grouped(placed)
  const segments = [...bySegment.keys()]
  const served = new Map([...bySegment].map(([segment, routes]) => [segment, routerOf(routes)]))
  const [serveOthers, serveOthersBelow] = [routerOf(others), routerOf(othersBelow)]
  return async ctx => {
    const path = checkedPath(ctx).toLowerCase()
    const below = path.startsWith(start)
      ? (served.get(path.slice(0, segmentEnd(path, prefix.length))) ?? serveOthersBelow)
      : undefined
    const serve = below ?? served.get(path.slice(0, segmentEnd(path, 0))) ?? serveOthers
    const refuse = async () => {
      const meant = environment === 'development' ? nearestPath(path, prefix, segments) : undefined
      unrouted(ctx, meant, dialect)
    }
    await (serve ? serve(ctx as RouterContext, refuse) : refuse())
  }
}

/** A route with its whole path, and what serves it. */
interface PlacedRoute {
  readonly route: Route
  readonly pattern: string
  /** It stands below the prefix of the API. */
  readonly isBelow: boolean
  readonly segment: string
  readonly run: (ctx: Context) => Promise<void>
}

/** The routes of each first segment, and those of all others, in their order. */
function grouped(placed: readonly PlacedRoute[]) {
  const bySegment = new Map<string, PlacedRoute[]>()
  const [others, othersBelow]: PlacedRoute[][] = [[], []]
  for (const one of placed) {
    const anywhere = (one.isBelow ? othersBelow : others) as PlacedRoute[]
    if (isPattern(one.segment)) {
      anywhere.push(one)
      for (const routes of bySegment.values()) if (routes[0]?.isBelow === one.isBelow) routes.push(one)
    } else {
      const routes = bySegment.get(one.segment) ?? [...anywhere]
      routes.push(one)
      bySegment.set(one.segment, routes)
    }
  }
  return { bySegment, others, othersBelow }
}

/** The router of some routes; undefined where there are none. */
function routerOf(placed: readonly PlacedRoute[] = []) {
  if (placed.length === 0) return undefined
  const router = new Router({ sensitive: false, strict: false })
  for (const { route, pattern, run } of placed) {
    const layer = router.register(pattern, route.method === 'ALL' ? everyMethod : [route.method], run)
    if (route.matches) narrow(layer as Layer, route.matches)
  }
  return router.routes()
}

const isPattern = (segment: string): boolean => /[:*{\\]/.test(segment)

const everyMethod = [...new Set([...METHODS, 'QUERY'])]

/** Lets a layer have those requests alone whose parameters match; one that a path leaves out is not looked at. */
function narrow(layer: Layer, matches: NonNullable<Route['matches']>): void {
  const patterns = Object.entries(matches).map(
    ([name, { source, flags }]) => [name, new RegExp(source, flags.replace(/[gy]/g, ''))] as const,
  )
  layer.match = path => {
    if (!layer.regexp.test(path)) return false
    const params = layer.params(path, layer.captures(path))
    return patterns.every(([name, pattern]) => params[name] === undefined || pattern.test(params[name]))
  }
}

/** The end of the first segment of a path that begins with a slash at `from`. */
function segmentEnd(path: string, from: number): number {
  const end = path.indexOf('/', from + 1)
  return end < 0 ? path.length : end
}

/** The path as it was sent: an encoded character is part of a name, never a slash or a letter of a route. */
function checkedPath({ path }: Context): string {
  if (path.includes('//')) throw new BadRequestError('Malicious Path')
  try {
    if (path.includes('%')) decodeURIComponent(path)
    return path
  } catch {
    throw new BadRequestError('failed to decode')
  }
}

/** The beginning of a path that the beginning of another one most likely meant. */
function nearestPath(path: string, prefix: string, known: readonly string[]): string | undefined {
  const start = `${prefix}/`.toLowerCase()
  if (!path.startsWith(start) || known.includes(path.slice(0, segmentEnd(path, prefix.length)))) return undefined
  const names = known.filter(one => one.startsWith(start)).map(one => one.slice(start.length))
  const meant = nearest(path.slice(start.length, segmentEnd(path, prefix.length)).slice(0, 100), names)
  return meant === undefined ? undefined : start + meant
}

/** The methods that every route which reads has. */
const reading = ['GET', 'HEAD']

/** Refuses a request that no route takes: a path that is not there, or a method that the routes of the path do not have. */
function unrouted(ctx: Context, meant: string | undefined, { plainMethodErrors }: Dialect): void {
  const { method, path } = ctx
  const matched = (ctx as Partial<RouterContext>).matched ?? []
  if (matched.length > 0 && !(plainMethodErrors && reading.includes(method)))
    wrongMethod(ctx, [...new Set(matched.flatMap(({ methods }) => methods))])
  // Older servers answer GET everywhere: it is never the wrong method, and any other is on a path that does not exist.
  else if (plainMethodErrors && ![...reading, 'OPTIONS'].includes(method)) wrongMethod(ctx, ['HEAD', 'GET'])
  else {
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    throw new NoRouteError().because(`there is no route ${method} ${safePath(path)}${hint}`)
  }
}

/** A path that is there, with another method: says which it has. */
function wrongMethod(ctx: Context, methods: readonly string[]): void {
  const order = ['HEAD', 'GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']
  const allowed = [...methods].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  if (ctx.method !== 'OPTIONS') throw new MethodNotAllowedError(allowed)
  ctx.status = 200
  ctx.set('Allow', allowed.join(', '))
  if (allowed.includes('QUERY')) ctx.set('Accept-Query', 'application/json')
  ctx.body = ''
}
