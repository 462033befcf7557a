import { relative } from 'node:path'
import type { Route } from '../../../core/index.js'
import type { Bag, LoadedPlugin, Loose, Project, RemovedPath, RouteFile } from '../types.js'
import { readPath } from './paths.js'
import type { Owner } from './policies.js'

/** A route of the code, as its file or its plugin declares it. */
export interface DeclaredRoute {
  readonly owner: Owner
  /** For messages. */
  readonly file: string
  /** The object of the code: it gets its `info`, and is `ctx.state.route`. */
  readonly given: Bag
  readonly at: 'api' | 'root'
  /** The whole path below the prefix of the API, or from the root, as code writes it. */
  readonly path: string
  /** Routes of this server that answer in its place, as code has left it alone. */
  readonly passes?: readonly Route[]
}

/** All routes of the code, in the order in which they are looked at: those of the APIs, and then those of plugins. */
export function declaredRoutes(project: Project): DeclaredRoute[] {
  const ofApis = [...project.apis.values()].flatMap(({ name, routes }) =>
    routes.flatMap(file => ofFile(file, { apiName: name })),
  )
  const ofPlugins = [...project.plugins.values()].flatMap(plugin => {
    const declared = routesOfPlugin(plugin, project)
    return plugin.standing?.arranged(declared, plugin.server) ?? declared
  })
  return [...ofApis, ...ofPlugins]
}

/** Routes of this server's plugins that the code has taken away, or has put others before. */
export const removedRoutes = (project: Project): RemovedPath[] =>
  [...project.plugins.values()].flatMap(plugin => [
    ...(plugin.standing?.removed(routesOfPlugin(plugin, project), plugin.server) ?? []),
  ])

function routesOfPlugin({ name, server, file = name }: LoadedPlugin, { appDir }: Project): DeclaredRoute[] {
  const where = { owner: { pluginName: name }, file: file.startsWith('/') ? relative(appDir, file) : file }
  return routersOf(server.routes).flatMap(router => ofPlugin(router, where))
}

/** A plain list stands at the root; a router below the prefix of the API, and its own. */
function ofFile({ file, exported }: RouteFile, owner: Owner): DeclaredRoute[] {
  if (Array.isArray(exported)) return exported.flatMap(given => declare(given, { owner: {}, file }, { at: 'root' }))
  const { prefix, routes } = (exported ?? {}) as Bag
  if (!Array.isArray(routes)) return []
  return routes.flatMap(given => declare(given, { owner, file }, { at: 'api', prefix }))
}

/** The routers of a plugin: a list is one, and so is a router by itself. */
function routersOf(routes: Loose): { readonly router: Bag; readonly type: string }[] {
  if (Array.isArray(routes)) return [{ router: { routes }, type: 'admin' }]
  if (typeof routes !== 'object' || routes === null) return []
  return Object.values(routes as Bag).flatMap(router =>
    Array.isArray(router?.routes) ? [{ router, type: router.type ?? 'admin' }] : [],
  )
}

type Where = Pick<DeclaredRoute, 'owner' | 'file'>

/** Content routes are below the API and the name of the plugin, unless the router or the route says otherwise. */
function ofPlugin({ router, type }: { router: Bag; type: string }, where: Where): DeclaredRoute[] {
  const isContent = type === 'content-api'
  return (router.routes as Bag[]).flatMap(given => {
    const prefix = given?.config?.prefix ?? router.prefix ?? `/${where.owner.pluginName}`
    return declare(given, where, { at: isContent ? 'api' : 'root', prefix, type })
  })
}

interface Placement {
  readonly at: 'api' | 'root'
  readonly prefix?: string
  readonly type?: string
}

function declare(
  given: Loose,
  { owner, file }: Where,
  { at, prefix = '', type = 'content-api' }: Placement,
): DeclaredRoute[] {
  if (typeof given !== 'object' || given === null) return []
  given.info = { ...given.info, ...owner, type: at === 'root' && owner.pluginName === undefined ? 'content-api' : type }
  // The root of a prefix is the prefix itself.
  const below = given.path === '/' && prefix !== '' ? '' : (given.path ?? '')
  return [{ owner, file, given, at, path: `${prefix}${below}` }]
}

/** A route for Strapi's panel, which its accounts alone may use: there are none here. */
export const isOfPanel = ({ given, owner }: DeclaredRoute): boolean =>
  owner.pluginName !== undefined && given.info.type === 'admin' && given.config?.auth !== false

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'ALL']

/** The complaint about a route that cannot be one; undefined where it can. */
export function complaint({ given }: DeclaredRoute): string | undefined {
  const { method, path, handler } = given
  if (!methods.includes(method))
    return `Invalid route config method must be one of the following values: ${methods.join(', ')}`
  if (typeof path !== 'string') return 'Invalid route config path is a required field'
  const isHandler = ['string', 'function'].includes(typeof handler) || Array.isArray(handler)
  return isHandler ? undefined : 'Invalid route config handler is a required field'
}

export const routedPath = ({ path }: DeclaredRoute) => readPath(path)
