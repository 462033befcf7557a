import type { Config } from '../../config/types.js'
import { counted } from '../../kit/counted.js'
import type { ForeignPart, ServedRoute } from '../../plugin/foreign.js'
import { readRoutes, type WrittenRoute, type WrittenRouter } from './routes.js'

/** A file of routes. */
export interface RouteFile {
  readonly place: string
  readonly text: string
}

/** The routes of a project's files that this server does not have, and those that it has otherwise. */
export function routeParts(
  files: readonly RouteFile[],
  { config, routes }: { readonly config: Pick<Config, 'api'>; readonly routes: readonly ServedRoute[] },
): ForeignPart[] {
  const { prefix } = config.api
  const served = new ServedRoutes(routes, prefix)
  const read = files.map(({ place, text }) => ({ place, ...readRoutes(text) }))
  const missing = read.flatMap(({ place, routes: written }) =>
    written
      .filter(route => !served.has(route, prefix))
      .map(({ method, path }) => `${method} ${prefix}${path} (${place})`),
  )
  const changed = read.flatMap(({ place, routes: written, routers }) => [
    ...written.filter(route => served.has(route, prefix)).flatMap(route => said(served.changes(route, prefix), place)),
    ...routers.flatMap(router => served.standardOf(router).flatMap(one => said(one, place))),
  ])
  return [
    {
      what: 'own routes',
      where: missing,
      means: `requests to these ${counted(missing.length, 'path')} get 404; a plugin can have them`,
    },
    {
      what: 'changes of standard routes',
      where: changed,
      means: `the standard actions respond in ${counted(changed.length, 'place')}, and permissions alone decide who may use them`,
    },
  ]
}

interface ChangedRoute {
  readonly route: string
  readonly by: readonly string[]
}

const said = ({ route, by }: ChangedRoute, place: string): string[] =>
  by.length === 0 ? [] : [`${route}: ${by.join('; ')} (${place})`]

class ServedRoutes {
  readonly #routes: readonly ServedRoute[]
  readonly #prefix: string
  readonly #byKey: ReadonlyMap<string, ServedRoute>

  constructor(routes: readonly ServedRoute[], prefix: string) {
    this.#routes = routes
    this.#prefix = prefix
    this.#byKey = new Map(routes.map(route => [keyOf(route.method, this.#pathOf(route)), route]))
  }

  has({ method, path }: WrittenRoute, prefix: string): boolean {
    return this.#byKey.has(keyOf(method, prefix + path))
  }

  /** The settings of a file for a route that this server has as well. */
  changes({ method, path, handler, guards }: WrittenRoute, prefix: string): ChangedRoute {
    const action = this.#byKey.get(keyOf(method, prefix + path))?.action
    const isOther = handler !== undefined && handler.split('.').at(-1) !== action
    return { route: `${method} ${prefix}${path}`, by: [...(isOther ? [`handler ${handler}`] : []), ...guards] }
  }

  /** The standard routes of a type of which its router says something. */
  standardOf({ uid, prefix, only, except, guarded }: WrittenRouter): ChangedRoute[] {
    const own = this.#routes.filter(
      route => route.uid === uid && route.does === undefined && route.plugin === undefined,
    )
    return own.flatMap(route => {
      const { method, action = '' } = route
      const isOut = (only && !only.includes(action)) || except?.includes(action)
      const by = [
        ...(isOut ? ['not there in Strapi'] : (guarded[action] ?? [])),
        ...(prefix === undefined ? [] : [`prefix ${prefix}`]),
      ]
      return [{ route: `${method} ${this.#pathOf(route)}`, by }]
    })
  }

  #pathOf({ at, path }: ServedRoute): string {
    return at === 'root' ? path : this.#prefix + path
  }
}

/** Routes do not differ by the names and patterns of parameters. */
const keyOf = (method: string, path: string): string =>
  `${method} ${path
    .toLowerCase()
    .replace(/:\w+(\([^)]*\))?/g, ':')
    .replace(/(?<!\/)\/+$/, '')}`
