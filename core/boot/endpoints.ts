import { BootError } from '../errors.js'
import type { Endpoint } from '../http/endpoint.js'
import { crud } from '../http/gate.js'
import type { Route as PluginRoute, RemovedRoute } from '../http/parts.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { actionsIn, routesIn, typeRoutesIn } from '../plugin/declared.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import { furtherEndpoints } from './further-endpoints.js'
import { type Declared, type DeclaredRoute, placeOf, standing, type Usual } from './standing-routes.js'

/** An endpoint of a content type, or of a plugin with the route that it declares. */
export type Origin = GeneratedOrigin | PluginOrigin

interface GeneratedOrigin {
  readonly endpoint: Endpoint
  readonly type: ContentType
  /** A plugin has given it another path or another permission: the action that it does. */
  readonly acts?: string
  readonly plugin?: string
  /** A plugin has put it there, at its usual path. */
  readonly isInPlace?: boolean
}

interface PluginOrigin {
  readonly endpoint: Endpoint
  readonly plugin: string
  readonly route: PluginRoute
}

/**
 * All endpoints of an app, known before anything runs, in the order in which they are looked at. Those of plugins come
 * first: `/articles/:id/history` must not be taken for something of `/articles`.
 */
export function endpointsOf({ types }: Registry, plugins: readonly EnabledPlugin[]): Origin[] {
  const routed = [...types.values()].filter(type => type.routed && !type.withoutEndpoints)
  const routesOf = routesOfTypes(plugins)
  const declared = plugins
    .flatMap(plugin => [...ownRoutes(plugin), ...routed.flatMap(type => routesOf(plugin, type))])
    .filter(({ route }) => route.removed || !route.usualOnly)
  const origins = arranged(declared, routed.flatMap(usualOf), types)
  const seen = new Map<string, Origin>()
  for (const origin of origins) {
    const { method, path } = origin.endpoint
    const key = placeOf(origin.endpoint)
    const former = seen.get(key)
    // A route that an app has declared keeps its path.
    if (former && origin.endpoint.does === 'aggregate') continue
    if (former)
      throw new BootError(`the route ${method} ${path} is declared twice: by ${nameOf(former)} and ${nameOf(origin)}`)
    seen.set(key, origin)
  }
  return [...seen.values()]
}

/** The routes that a plugin has of its own, and those that it takes away. */
export const ownRoutes = (plugin: EnabledPlugin): readonly Declared[] =>
  routesIn(plugin).map(route => ({ plugin: plugin.spec.name, route, isOfType: false }))

/** The same of those that a plugin adds to a type. */
export function routesOfTypes(
  plugins: readonly EnabledPlugin[],
): (plugin: EnabledPlugin, type: ContentType) => readonly Declared[] {
  const isFree = unclaimed(plugins)
  return (plugin, type) => {
    const { name } = plugin.spec
    return typeRoutesIn(plugin, type)
      .map(route => ofType(type, route))
      .filter(route => route.removed || isFree(`${route.uid}.${route.action}`, name))
      .map(route => ({ plugin: name, route, isOfType: true }))
  }
}

/** The endpoints that core makes for a type. */
export const usualOf = (type: ContentType): readonly Usual[] =>
  [...furtherEndpoints(type), ...generated(type)].map(endpoint => ({ endpoint, type }))

/** Endpoints that are neither replaced nor taken away, in the order in which they are looked at. */
export function arranged(
  declared: readonly Declared[],
  usual: readonly Usual[],
  types: Registry['types'],
): readonly Origin[] {
  const { routes, endpoints } = standing(declared, usual)
  // The other endpoints of a type go before the generated one, wherever a plugin puts it: they would be taken for entries there.
  const beside = new Set(endpoints.filter(({ endpoint }) => endpoint.does !== undefined))
  const originsOf = (one: DeclaredRoute): Origin[] => {
    if (one.route.run !== 'generated') return [ofPlugin(one)]
    const origin = ofGenerated(one, types)
    const along = [...beside].filter(({ type }) => origin.isInPlace && type === origin.type)
    for (const other of along) beside.delete(other)
    return [...along, origin]
  }
  return [...routes.flatMap(originsOf), ...endpoints.filter(one => one.endpoint.does === undefined || beside.has(one))]
}

/**
 * A test of the permission of a route that a plugin adds to a type: where another plugin has an action of that name on the type, the
 * permission was given for that one, and no caller may do more by it.
 */
function unclaimed(plugins: readonly EnabledPlugin[]): (permission: string, plugin: string) => boolean {
  const claims = plugins.flatMap(plugin =>
    actionsIn(plugin)
      .filter(({ action }) => !crud.includes(action))
      .map(({ uid, action }) => [`${uid}.${action}`, plugin.spec.name] as const),
  )
  const owners = new Map<string, string>(claims)
  return (permission, plugin) => (owners.get(permission) ?? plugin) === plugin
}

export const nameOf = (origin: Origin): string =>
  'type' in origin && origin.plugin === undefined
    ? `the content type ${origin.type.uid} (${origin.type.source})`
    : `the plugin ${origin.plugin}`

/** A route of a type has the permissions and the errors of the type, unless it says others. */
const ofType = <R extends PluginRoute | RemovedRoute>({ uid, options: { format } }: ContentType, route: R): R =>
  route.removed ? route : { uid, ...(format !== undefined && { format }), ...route }

/** A route that is answered as a generated endpoint: what is usual there holds as far as the route says nothing else. */
function ofGenerated(declared: DeclaredRoute, types: Registry['types']): GeneratedOrigin {
  const { plugin, route } = declared
  const { uid, action } = declared.acts
  const type = types.get(uid)
  const usual = type && type.kind !== 'component' ? generated(type).find(one => one.action === action) : undefined
  const wrong = (says: string) =>
    new BootError(`plugin ${plugin}: the route ${route.method} ${route.path}: its "run" is "generated"; ${says}`)
  if (!type || !usual) throw wrong(`there is no generated endpoint ${uid}.${action}`)
  if (usual.path.endsWith('/:id') && !/:id\b/.test(route.path)) throw wrong('its path lacks :id, which names the entry')
  const { takesBody: _, reads: __, format, describe, asks, ...own } = ofPlugin(declared).endpoint
  const { uid: ___, action: ____, ...answers } = usual
  const endpoint = {
    ...{ ...answers, ...own },
    ...(format !== undefined && { format }),
    ...(describe !== undefined && { describe }),
    ...(asks && { asks: { ...usual.asks, ...asks } }),
  }
  const isInPlace = placeOf(endpoint) === placeOf(usual)
  const isUsual = isInPlace && endpoint.uid === usual.uid && endpoint.action === usual.action
  return { endpoint, type, isInPlace, ...(!isUsual && { acts: action, plugin }) }
}

function ofPlugin({ plugin, route }: DeclaredRoute): PluginOrigin {
  const { method, path, at, action, uid = `plugin::${plugin}`, credentials, open, describe, format } = route
  const { headers, asks, asksAs, accepts, answers, matches } = route
  const body = route.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'parsed')
  const endpoint = {
    method,
    path,
    ...(at && { at }),
    ...(matches && { matches }),
    ...(action !== null && { action, uid }),
    ...(credentials && { credentials }),
    ...(open && { open }),
    ...(describe !== undefined && { describe }),
    ...(format !== undefined && { format }),
    ...ownHeaders(headers),
    takesBody: body !== 'raw' && body !== 'none',
    ...(body === 'json' && { takesJson: true as const }),
    ...(body === 'plain' && { leavesPlugged: true as const }),
    reads: route.reads ?? (method === 'GET' || method === 'QUERY'),
    ...(asks && { asks }),
    ...(asksAs && { asksAs }),
    ...(accepts && { accepts }),
    ...(answers && { answers }),
  }
  return { endpoint, plugin, route }
}

const ownHeaders = (headers: PluginRoute['headers']): Pick<Endpoint, 'headers' | 'headersOf'> =>
  typeof headers === 'function' ? { headersOf: headers } : headers ? { headers } : {}

function generated({ uid, kind, singularName, pluralName, displayName, options: { format } }: ContentType): Endpoint[] {
  const isSingle = kind === 'singleType'
  const endpoint = (method: Endpoint['method'], path: string, action: string, describe: string): Endpoint => ({
    uid,
    ...(format !== undefined && { format }),
    ...{ method, path, action, describe },
    takesBody: method === 'POST' || method === 'PUT',
    reads: method === 'GET',
    asksAs: { uid, action: isSingle && action === 'find' ? 'findOne' : action },
    ...(action === 'create' && { accepts: { input: uid, required: true } }),
    ...(action === 'update' && { accepts: { input: uid } }),
    answers: action === 'find' && !isSingle ? { entries: uid } : { entry: uid },
  })
  if (isSingle)
    return [
      endpoint('GET', `/${singularName}`, 'find', `the ${displayName}`),
      endpoint('PUT', `/${singularName}`, 'update', `change or make the ${displayName}`),
      endpoint('DELETE', `/${singularName}`, 'delete', `delete the ${displayName}`),
    ]
  const one = `/${pluralName}/:id`
  return [
    endpoint('GET', `/${pluralName}`, 'find', `list ${pluralName}`),
    endpoint('POST', `/${pluralName}`, 'create', `make one of ${pluralName}`),
    endpoint('GET', one, 'findOne', `one of ${pluralName}`),
    endpoint('PUT', one, 'update', `change one of ${pluralName}`),
    endpoint('DELETE', one, 'delete', `delete one of ${pluralName}`),
  ]
}
