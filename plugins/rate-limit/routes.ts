import { type AppOutline, BootError } from '../../core/index.js'
import { nearest } from '../../core/plugin-kit.js'
import type { Limit } from './settings.js'

/** The limit of a route, under the name that the settings give it. */
export interface RouteLimit {
  readonly name: string
  readonly limit: Limit | false
}

type Outline = Pick<AppOutline, 'routes' | 'app'>

/** The limits of routes by method and whole path. An unknown route would limit nothing, and is refused. */
export function routeLimits(
  limits: Readonly<Record<string, Limit | false>>,
  { routes, app }: Outline,
): ReadonlyMap<string, RouteLimit> {
  const { prefix } = app.api
  const whole = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  const byRoute = new Map<string, RouteLimit>()
  for (const [name, limit] of Object.entries(limits)) {
    const [method, path = ''] = name.split(' ', 2)
    const route = [`${method} ${prefix}${path}`, name].find(one => whole.has(one))
    if (route === undefined) throw new BootError(`${place}: there is no route "${name}"${meant(name, whole, prefix)}`)
    const other = byRoute.get(route)
    if (other) throw new BootError(`${place}: "${other.name}" and "${name}" are the same route`)
    byRoute.set(route, { name, limit })
  }
  return byRoute
}

const place = 'config/plugins: rate-limit.config.routes'

function meant(name: string, whole: ReadonlySet<string>, prefix: string): string {
  const short = [...whole].map(route => route.replace(` ${prefix}/`, ' /'))
  const best = nearest(name, name.includes(` ${prefix}/`) ? [...whole] : short)
  if (best !== undefined) return `; did you mean "${best}"?`
  return '; a route is written "POST /comments", and "stele routes" lists them'
}
