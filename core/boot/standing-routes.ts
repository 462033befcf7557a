import type { Endpoint } from '../http/endpoint.js'
import type { GeneratedEndpoint, RemovedRoute, Route } from '../http/parts.js'
import type { ContentType } from '../schema/types.js'

/** A route of a plugin, or one that it takes away, as it is declared. */
export interface Declared {
  readonly plugin: string
  readonly route: Route | RemovedRoute
  /** The plugin adds it to a type. */
  readonly isOfType: boolean
}

/** A route of a plugin, with the generated endpoint that it stands for. */
export interface DeclaredRoute extends Declared {
  readonly route: Route
  readonly acts: GeneratedEndpoint
}

/** An endpoint that core makes for a type. */
export interface Usual {
  readonly endpoint: Endpoint
  readonly type: ContentType
}

/** The actions that lead to entries beside the generated endpoint, where core does more than the permission says. */
const alsoDone: Readonly<Partial<Record<NonNullable<Endpoint['does']>, string>>> = { putByValue: 'create' }

/** The routes and endpoints that an app has, in their order: those that are replaced or taken away are left out. */
export function standing(
  declared: readonly Declared[],
  usual: readonly Usual[],
): { readonly routes: readonly DeclaredRoute[]; readonly endpoints: readonly Usual[] } {
  const routes = declared.flatMap(one => (one.route.removed ? [] : [withActs(one, one.route)]))
  const removed = declared.flatMap(({ plugin, route }) => (route.removed ? [{ plugin, route }] : []))
  const replacing = routes.filter(({ route }) => route.replaces)
  if (removed.length === 0 && replacing.length === 0) return { routes: ordered(routes), endpoints: usual }
  /** The plugins that take a place, by the place. */
  const takers = new Map<string, string>()
  const gone = new Set<string>()
  /** The plugins whose code runs in place of endpoints, by the permission of the endpoint. */
  const coded = new Map<string, string>()
  for (const { plugin, route, acts } of replacing) {
    takers.set(placeOf(route), plugin)
    gone.add(nameOf(acts))
    if (route.run !== 'generated') coded.set(nameOf(acts), plugin)
  }
  for (const { plugin, route } of removed)
    if ('path' in route) takers.set(placeOf(route), plugin)
    else {
      gone.add(nameOf(route))
      coded.set(nameOf(route), plugin)
    }
  const isTaken = (at: Endpoint | Route, plugin?: string) => {
    const taker = takers.get(placeOf(at))
    return taker !== undefined && taker !== plugin
  }
  const isGoneRound = (uid: string | undefined, action: string | null | undefined, plugin?: string) => {
    const coder = coded.get(`${uid}.${action}`)
    return coder !== undefined && coder !== plugin
  }
  return {
    routes: ordered(
      routes.filter(
        ({ plugin, route, isOfType }) =>
          !isTaken(route, plugin) && !(isOfType && isGoneRound(route.uid, route.action, plugin)),
      ),
    ),
    endpoints: usual.filter(({ endpoint }) => {
      const { uid, action, does } = endpoint
      if (isTaken(endpoint)) return false
      if (does === undefined) return !gone.has(`${uid}.${action}`)
      return !isGoneRound(uid, action) && !isGoneRound(uid, alsoDone[does])
    }),
  }
}

/** Routes in the order in which they are looked at: the first ones of all plugins, then the others. */
const ordered = (routes: readonly DeclaredRoute[]): readonly DeclaredRoute[] => [
  ...routes.filter(({ route }) => route.first),
  ...routes.filter(({ route }) => !route.first),
]

function withActs(declared: Declared, route: Route): DeclaredRoute {
  const { uid = `plugin::${declared.plugin}`, action } = route
  return { ...declared, route, acts: route.actsAs ?? { uid, action: action ?? '' } }
}

const nameOf = ({ uid, action }: GeneratedEndpoint): string => `${uid}.${action}`

/** The requests that a route takes: two routes with the same ones are one too many. */
export function placeOf({ method, path, at = 'api', matches = {} }: Pick<Route, 'method' | 'path' | 'at' | 'matches'>) {
  const patterns = Object.keys(matches)
    .sort()
    .map(name => `${name}=${matches[name]}`)
  // The names of parameters tell conditions apart, and nothing else.
  const named = patterns.length > 0 ? path : path.replace(/:\w+/g, ':')
  return [method, at, named.toLowerCase(), ...patterns].join(' ')
}
