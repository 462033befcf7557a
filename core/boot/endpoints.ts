import { BootError } from '../errors.js'
import type { Endpoint } from '../http/endpoint.js'
import type { Route as PluginRoute } from '../http/parts.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { routesIn, typeRoutesIn } from '../plugin/declared.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import { furtherEndpoints } from './further-endpoints.js'

/** An endpoint of a content type, or of a plugin with the route that it declares. */
export type Origin =
  | { readonly endpoint: Endpoint; readonly type: ContentType }
  | { readonly endpoint: Endpoint; readonly plugin: string; readonly route: PluginRoute }

/**
 * All endpoints of an app, known before anything runs. Those of plugins come first: `/articles/:id/history` must not be
 * taken for something of `/articles`.
 */
export function endpointsOf({ types }: Registry, plugins: readonly EnabledPlugin[]): Origin[] {
  const routed = [...types.values()].filter(type => type.routed && !type.withoutEndpoints)
  const origins = [
    ...plugins.flatMap(plugin => {
      const ofTypes = routed.flatMap(type => typeRoutesIn(plugin, type).map(route => ofType(type, route)))
      return [...routesIn(plugin), ...ofTypes].map(route => ofPlugin(plugin.spec.name, route))
    }),
    ...routed.flatMap(type => [...furtherEndpoints(type), ...generated(type)].map(endpoint => ({ endpoint, type }))),
  ]
  const seen = new Map<string, Origin>()
  for (const origin of origins) {
    const { method, path, at = 'api' } = origin.endpoint
    const key = `${method} ${at} ${path.toLowerCase().replace(/:\w+/g, ':')}`
    const former = seen.get(key)
    // A route that an app has declared keeps its path.
    if (former && origin.endpoint.does === 'aggregate') continue
    if (former)
      throw new BootError(`the route ${method} ${path} is declared twice: by ${nameOf(former)} and ${nameOf(origin)}`)
    seen.set(key, origin)
  }
  return [...seen.values()]
}

const nameOf = (origin: Origin): string =>
  'plugin' in origin ? `the plugin ${origin.plugin}` : `the content type ${origin.type.uid} (${origin.type.source})`

/** A route of a type has the permissions and the errors of the type, unless it says others. */
const ofType = ({ uid, options: { format } }: ContentType, route: PluginRoute): PluginRoute => ({
  uid,
  ...(format !== undefined && { format }),
  ...route,
})

function ofPlugin(plugin: string, route: PluginRoute): Origin {
  const { method, path, at, action, uid = `plugin::${plugin}`, credentials, open, describe, format } = route
  const { headers, asks, asksAs, accepts, answers } = route
  const body = route.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'parsed')
  const endpoint = {
    method,
    path,
    ...(at && { at }),
    ...(action !== null && { action, uid }),
    ...(credentials && { credentials }),
    ...(open && { open }),
    ...(describe !== undefined && { describe }),
    ...(format !== undefined && { format }),
    ...(headers && { headers }),
    takesBody: body === 'parsed' || body === 'json',
    ...(body === 'json' && { takesJson: true as const }),
    reads: route.reads ?? (method === 'GET' || method === 'QUERY'),
    ...(asks && { asks }),
    ...(asksAs && { asksAs }),
    ...(accepts && { accepts }),
    ...(answers && { answers }),
  }
  return { endpoint, plugin, route }
}

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
