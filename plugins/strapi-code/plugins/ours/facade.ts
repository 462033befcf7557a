import { isDeepStrictEqual } from 'node:util'
import { type AnyPlugin, type Definition, optional, type Route } from '../../../../core/index.js'
import { absentServices } from '../../not-carried.js'
import type { Bag, Fn, LoadedPlugin, Loose, PluginServer, RemovedPath, Runtime, StandingRoutes } from '../../types.js'
import { type Original, originalAction } from './original.js'

/** A route of Strapi's plugin, and the routes of this server that answer there. */
export interface FacadeRoute {
  readonly method: string
  readonly path: string
  /** `auth.callback`: the action of a controller. */
  readonly handler: string
  /** `''`: it stands below the API, and not below the name of the plugin. */
  readonly prefix?: string
  readonly middlewares?: readonly string[]
  readonly ours: readonly Route<Loose>[]
}

/** A plugin of this server, in the words of Strapi's plugin of that name. */
export interface FacadeParts {
  readonly name: string
  readonly plugin: AnyPlugin
  readonly config: Bag
  /** The types that code sees. */
  readonly types?: readonly Definition[]
  readonly routes?: readonly FacadeRoute[]
  readonly services: Record<string, Fn>
  /** Controllers and actions that no route names. */
  readonly controllers?: Bag
  readonly middlewares?: Bag
  /** The way in which an action is called, where more is to be known than its routes. */
  readonly ways?: Readonly<Record<string, Partial<Original>>>
  /** The work that has to happen around an action. */
  readonly around?: (handler: string, original: Fn) => Fn
}

const nothing = (): void => undefined

const passing = new WeakSet<object>()

/** Tells a route that stands among those of code, and is the server's own nevertheless. */
export const isPassing = (route: object): boolean => passing.has(route)

/** Makes the plugin as `strapi-server` of an extension gets it; what code leaves alone is served as if there were none. */
export function facadeOf(runtime: Runtime, parts: FacadeParts): LoadedPlugin {
  const { name, routes = [], services, types = [], config, middlewares } = parts
  const server: PluginServer = {
    register: nothing,
    bootstrap: nothing,
    destroy: nothing,
    config: { default: {}, validator: nothing },
    controllers: controllersOf(runtime, parts),
    services: { ...absentServices(name), ...services },
    policies: {},
    middlewares: { ...middlewares },
    contentTypes: Object.fromEntries(types.map(typeOf)),
    routes: {
      'content-api': { type: 'content-api', routes: routes.map(givenOf) },
      admin: { type: 'admin', routes: [] },
    },
  }
  return { name, server, config, from: 'ours', standing: new Standing(runtime, parts, server) }
}

function controllersOf(
  runtime: Runtime,
  { name, plugin, routes = [], controllers = {}, ways = {}, around }: FacadeParts,
): Bag {
  const made: Bag = Object.fromEntries(Object.entries(controllers).map(([key, actions]) => [key, { ...actions }]))
  for (const handler of new Set(routes.map(route => route.handler))) {
    const [controller, action] = partsOf(handler)
    const ours = routes.filter(route => route.handler === handler).flatMap(route => route.ours)
    const original = originalAction(runtime, { name: `${name}.${handler}`, plugin, routes: ours, ...ways[handler] })
    made[controller] ??= {}
    made[controller][action] = around ? around(handler, original) : original
  }
  return made
}

const givenOf = ({ method, path, handler, prefix, middlewares }: FacadeRoute): Bag => ({
  method,
  path,
  handler,
  config: { ...(middlewares && { middlewares: [...middlewares] }), ...(prefix !== undefined && { prefix }) },
})

/** Keys of a schema that are this server's own, and say nothing to code. */
const ownOptions: readonly string[] = ['format']

function typeOf({ uid, schema }: Definition): [string, Bag] {
  const copy: Bag = structuredClone(schema)
  const options = Object.entries(copy.options ?? {}).filter(([key]) => !ownOptions.includes(key))
  return [uid.split('.').at(-1) as string, { schema: { ...copy, options: Object.fromEntries(options) } }]
}

/** A handler's controller and action. */
function partsOf(handler: string): [controller: string, action: string] {
  const cut = handler.lastIndexOf('.')
  return [handler.slice(0, cut), handler.slice(cut + 1)]
}

/** A route as code was given it. */
interface Snapshot {
  readonly route: FacadeRoute
  readonly given: Bag
  readonly action: Loose
}

/** The routes of a plugin, compared with what they were before any code had them. */
class Standing implements StandingRoutes {
  readonly #originals: ReadonlyMap<object, Snapshot>
  readonly #services: Bag
  readonly #runtime: Runtime
  readonly #plugin: AnyPlugin

  constructor(runtime: Runtime, { plugin, routes = [] }: FacadeParts, server: PluginServer) {
    this.#runtime = runtime
    this.#plugin = plugin
    this.#services = { ...server.services }
    const given: Bag[] = server.routes['content-api'].routes
    this.#originals = new Map(
      routes.map((route, at): [object, Snapshot] => {
        const own = given[at] as Bag
        return [own, { route, given: structuredClone(own), action: actionIn(server, route.handler) }]
      }),
    )
  }

  arranged<T extends { readonly given: Bag }>(
    declared: readonly T[],
    server: PluginServer,
  ): (T & { passes?: readonly Route[] })[] {
    const last = this.#lastTouched(declared, server)
    return declared.slice(0, last + 1).map(one => {
      const untouched = this.#untouched(one.given, server)
      return untouched ? { ...one, passes: untouched.route.ours.map(route => this.#passing(route)) } : one
    })
  }

  removed(declared: readonly { readonly given: Bag }[], server: PluginServer): RemovedPath[] {
    const last = this.#lastTouched(declared, server)
    const standing = new Set(declared.slice(last + 1).map(({ given }) => given))
    return [...this.#originals]
      .filter(([given]) => !standing.has(given))
      .flatMap(([, { route }]) =>
        route.ours.map(({ method, path, at }) => ({ removed: true, method, path, ...(at && { at }) })),
      )
  }

  /** The routes behind it stand where they stood. */
  #lastTouched(declared: readonly { readonly given: Bag }[], server: PluginServer): number {
    return declared.findLastIndex(({ given }) => !this.#untouched(given, server))
  }

  /** A route whose handler, settings and services are those that code was given. */
  #untouched(given: Bag, server: PluginServer): Snapshot | undefined {
    const found = this.#originals.get(given)
    if (!found || actionIn(server, found.route.handler) !== found.action) return undefined
    const isSame = ['method', 'path', 'handler', 'config'].every(key => isDeepStrictEqual(given[key], found.given[key]))
    const isServed = Object.entries(this.#services).every(([name, service]) => server.services?.[name] === service)
    return isSame && isServed ? found : undefined
  }

  /** The route of this server at its place among those of the code. */
  #passing(route: Route<Loose>): Route {
    const { run } = route
    if (typeof run !== 'function') return route
    const service = () => this.#runtime.host?.service(optional(this.#plugin))
    const made: Route<Loose> = {
      ...route,
      first: true,
      replaces: true,
      // It stands for no generated endpoint: its own place alone is taken.
      actsAs: { uid: '', action: '' },
      run: call => run({ ...call, service: service() }),
    }
    passing.add(made)
    return made
  }
}

function actionIn({ controllers }: PluginServer, handler: string): Loose {
  const [name, action] = partsOf(handler)
  const controller = controllers?.[name]
  return typeof controller === 'function' ? controller : controller?.[action]
}
