import { appliesTo, type EnabledPlugin, routesIn } from '../boot/arrange.js'
import { BootError } from '../errors.js'
import type { Route as PluginRoute } from '../plugin-parts.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'

/** A path of the API and what it asks of a caller; `stele routes` prints this table. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In the router's notation. */
  readonly path: string
  /** Below the API prefix, or from the root of the server. */
  readonly at?: 'api' | 'root'
  /** What the caller must be allowed to do; undefined is open to everybody. */
  readonly action?: string
  readonly uid?: string
  /** Callers without credentials are asked for them, whatever they may do otherwise. */
  readonly credentials?: 'needed'
  readonly describe?: string
  readonly format?: string
  readonly takesBody: boolean
}

/** An endpoint of a content type, or of a plugin with the route that it declares. */
export type Origin =
  | { readonly endpoint: Endpoint; readonly type: ContentType }
  | { readonly endpoint: Endpoint; readonly plugin: string; readonly route: PluginRoute }

/**
 * All endpoints of an app, known before anything runs. Those of plugins come first: `/articles/:id/history` must not be
 * taken for something of `/articles`.
 */
export function endpointsOf({ types }: Registry, plugins: readonly EnabledPlugin[]): Origin[] {
  const routed = [...types.values()].filter(type => type.routed)
  const origins = [
    ...plugins.flatMap(({ spec, config }) => {
      const ofTypes = routed.flatMap(type =>
        spec.typeRoutes && appliesTo(spec, config, type)
          ? spec.typeRoutes(type, config as never).map(route => ({ uid: type.uid, ...route }))
          : [],
      )
      return [...routesIn({ spec, config }), ...ofTypes].map(route => ofPlugin(spec.name, route))
    }),
    ...routed.flatMap(type => generated(type).map(endpoint => ({ endpoint, type }))),
  ]
  const seen = new Set<string>()
  for (const { method, path, at = 'api' } of origins.map(({ endpoint }) => endpoint)) {
    const key = `${method} ${at} ${path.toLowerCase().replace(/:\w+/g, ':')}`
    if (seen.has(key)) throw new BootError(`the route ${method} ${path} is declared twice`)
    seen.add(key)
  }
  return origins
}

function ofPlugin(plugin: string, route: PluginRoute): Origin {
  const { method, path, at, action, uid = `plugin::${plugin}`, credentials, describe, format } = route
  const body = route.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'parsed')
  const endpoint = {
    method,
    path,
    ...(at && { at }),
    ...(action !== null && { action, uid }),
    ...(credentials && { credentials }),
    ...(describe !== undefined && { describe }),
    ...(format !== undefined && { format }),
    takesBody: body === 'parsed',
  }
  return { endpoint, plugin, route }
}

function generated({ uid, kind, singularName, pluralName, displayName, options: { format } }: ContentType): Endpoint[] {
  const endpoint = (method: Endpoint['method'], path: string, action: string, describe: string): Endpoint => ({
    uid,
    ...(format !== undefined && { format }),
    ...{ method, path, action, describe },
    takesBody: method === 'POST' || method === 'PUT',
  })
  if (kind === 'singleType')
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
