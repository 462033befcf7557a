import path from 'node:path'
import type { FoundApp, Host, KnownAction, Route } from '../../../core/index.js'
import { coreRouter } from '../http/core-router.js'
import { complaint, type DeclaredRoute } from '../http/declared-routes.js'
import { readHandler } from '../http/handlers.js'
import { cleaners } from '../http/made.js'
import { keyOf } from '../http/paths.js'
import { tellReplaced } from '../plugins/ours/users-permissions/replaced.js'
import type { AppParts, Bag, Settings } from '../types.js'
import { localPlugins } from './entries.js'
import { refusedByExtensions } from './extensions.js'
import { type AppOfCheck, CodeOnDisk, type TypeOfCheck } from './project.js'
import { nothing, ofPlugin, type Refusing, routeOf } from './refusing.js'
import { isGuarded, type RouteInFile, type RoutesOnDisk, routesIn, routesOnDisk } from './route-files.js'
import type { Own, Value } from './values.js'

/**
 * The parts of the plugin where the code of a project is not to run: requests to routes that it adds, replaces or guards get a
 * 501, so that nothing is open that only the code keeps closed, and nothing answers otherwise than it would.
 */
export function refusals({ app, definitions, log }: FoundApp<Settings>): AppParts {
  const code = new CodeOnDisk(appOfRefusals({ app, definitions }))
  const written = routesOnDisk(code)
  const routes = refusedRoutes(code, written)
  const { prefix } = app.api
  const names = routes.map(({ method, path: at, at: root }) => `${method} ${root === 'root' ? '' : prefix}${at}`)
  return {
    routes: routes as Route[],
    actions: namedActions(written),
    register: (host: Host) => {
      tellReplaced(host, routes)
      if (names.length > 0)
        log.warn({ routes: names }, `the code of the project does not run, and its routes answer 501: ${switches}`)
    },
  }
}

export type AppOfRefusals = Pick<FoundApp, 'app' | 'definitions'>

/** An app before its types are made. */
export const appOfRefusals = ({ app, definitions }: AppOfRefusals): AppOfCheck => ({
  appDir: app.appDir,
  plugins: app.plugins as AppOfCheck['plugins'],
  middlewares: app.foreign.middlewares,
  types: new Map(definitions.flatMap(({ uid, schema }) => typeOf(uid, schema as Bag))),
})

const switches =
  "--no-code, STELE_STRAPI_CODE=0 or 'strapi-code': false in config/plugins switches it off; with { config: { run: 'ignore' } } the standard actions answer"

function typeOf(uid: string, { kind = 'collectionType', info = {} }: Bag): [string, TypeOfCheck][] {
  if (!uid.startsWith('api::')) return []
  const singularName: string = info.singularName ?? uid.split('.').at(-1)
  return [[uid, { kind, singularName, pluralName: info.pluralName ?? singularName }]]
}

/** The routes that answer 501; the same requests are taken once. */
export function refusedRoutes(code: CodeOnDisk, written: RoutesOnDisk = routesOnDisk(code)): Route[] {
  const refused = new Refused(code, written)
  const once = new Map<string, Route>()
  const all = [...refused.own(), ...refused.standard(), ...refused.ofPlugins(), ...refusedByExtensions(code)]
  for (const { route } of all) {
    const key = keyOf(route)
    const known = once.get(key)
    // Of two, the one counts that takes a generated endpoint with it.
    if (!known || (known.actsAs === nothing && route.actsAs !== nothing)) once.set(key, route)
  }
  return [...once.values()]
}

/** The actions that files of routes name: roles may have them, and nothing else must be done by their permissions. */
function namedActions({ routes }: RoutesOnDisk): KnownAction[] {
  const all = routes.flatMap(({ handler, api: apiName }) =>
    handler === undefined ? [] : readHandler(handler, { apiName }),
  )
  const fit = all.filter(({ uid, action }) => uid.includes('::') && /^\w+$/.test(action))
  return [...new Map(fit.map(one => [`${one.uid}.${one.action}`, one])).values()]
}

/** A standard route of a type. */
interface Standard {
  readonly uid: string
  readonly action: string
  readonly method: string
  readonly path: string
}

/** The routes of a project that differ from what the server has by itself. */
export class Refused {
  readonly #code: CodeOnDisk
  readonly #written: RoutesOnDisk
  readonly #standard: readonly Standard[]

  constructor(code: CodeOnDisk, written: RoutesOnDisk) {
    this.#code = code
    this.#written = written
    this.#standard = [...code.app.types].flatMap(([uid, type]) => standardOf(uid, type))
  }

  /** Routes that files write out, but for those that say what holds without them. */
  own(): Refusing[] {
    return this.#written.routes.flatMap(route => {
      const standard = this.#standardFor(route)
      if (standard && this.#isAsWritten(route, standard) && this.#touching(standard) === undefined) return []
      return this.#writtenOut(route)
    })
  }

  /** Routes that files write out, whatever they are. */
  written(): Refusing[] {
    return this.#written.routes.flatMap(route => this.#writtenOut(route))
  }

  #writtenOut(route: RouteInFile): Refusing[] {
    const { method = 'ALL', path: at, source } = route
    const given = { method, path: at, handler: route.handler ?? (() => undefined) }
    if (complaint({ given } as unknown as DeclaredRoute) !== undefined) return []
    const actsAs = this.#standardFor(route) ?? nothing
    return [routeOf({ method, path: at, at: route.at, actsAs }, source.place)]
  }

  /** Routes that routers make; in files of which nothing is to be read, all standard ones of the API. */
  ofRouters(): Refusing[] {
    const ofUnread = this.#written.unread.flatMap(({ place }) => {
      const [, api] = /^src\/api\/([^/]+)\//.exec(place) ?? []
      const own = this.#standard.filter(({ uid }) => uid.startsWith(`api::${api}.`))
      return own.map(one => routeOf({ method: one.method, path: one.path, actsAs: one }, place))
    })
    const made = this.#written.routers.flatMap(({ uid, prefix = '', source }) =>
      this.#standard
        .filter(one => one.uid === uid)
        .map(one => routeOf({ method: one.method, path: prefix + one.path, actsAs: one }, source.place)),
    )
    return [...ofUnread, ...made]
  }

  /** The standard action that a route of a file names. */
  #standardFor({ handler, api }: RouteInFile): Standard | undefined {
    if (handler === undefined) return undefined
    const { uid, action } = readHandler(handler.trim(), { apiName: api })
    return this.#standard.find(one => one.uid === uid && one.action === action)
  }

  #isAsWritten(route: RouteInFile, standard: Standard): boolean {
    const isSame = route.method === standard.method && route.path === standard.path && route.at === 'api'
    return isSame && !isGuarded(route)
  }

  /** Standard routes that the code replaces, guards, moves or takes away. */
  standard(): Refusing[] {
    return this.#standard.flatMap(one => {
      const file = this.#reasonFor(one)
      if (file === undefined) return []
      const moved = this.#written.routers.flatMap(({ uid, prefix, source }) =>
        uid === one.uid && prefix
          ? [routeOf({ method: one.method, path: prefix + one.path, actsAs: nothing }, source.place)]
          : [],
      )
      return [routeOf({ method: one.method, path: one.path, actsAs: one }, file), ...moved]
    })
  }

  /** The file because of which a standard route is another one; undefined where it is not. */
  #reasonFor(standard: Standard): string | undefined {
    const { uid, action } = standard
    const [, api = ''] = /^api::([^.]+)\./.exec(uid) ?? []
    const unread = this.#written.unread.find(({ place }) => place.startsWith(`src/api/${api}/`))
    if (unread) return unread.place
    const routers = this.#written.routers.filter(router => router.uid === uid)
    const isWritten = this.#written.routes.some(
      route => this.#standardFor(route) === standard && this.#isAsWritten(route, standard),
    )
    if (routers.length === 0 && !isWritten) return this.#routeFilesOf(api)[0]
    const changing = routers.find(({ only, except, prefix, around }) => {
      const isOut = (only && !only.includes(action)) || except?.includes(action)
      const config = around.get(action)
      return isOut || Boolean(prefix) || (config && isGuarded(config))
    })
    return changing?.source.place ?? this.#touching(standard)
  }

  #routeFilesOf(api: string): string[] {
    const { routes, routers } = this.#written
    const all = [...routes, ...routers].map(({ source }) => source.place)
    return all.filter(place => place.startsWith(`src/api/${api}/routes/`))
  }

  /** The controller or the service that does a standard action in another way. */
  #touching({ uid, action }: Standard): string | undefined {
    const isSingle = this.#code.app.types.get(uid)?.kind === 'singleType'
    const controller = this.#code.partOf('controllers', uid)
    if (controller && !this.#isCore(controller.own, [action, ...cleaners])) return controller.source.place
    const service = this.#code.partOf('services', uid)
    const called = isSingle && action === 'update' ? 'createOrUpdate' : action
    return service && !this.#isCore(service.own, [called, 'getFetchParams']) ? service.source.place : undefined
  }

  #isCore(own: Own | undefined, names: readonly string[]): boolean {
    const isPart = (value: Value): boolean => value?.kind === 'part'
    return own !== undefined && names.every(name => isPart(this.#code.reader.member(own, name)))
  }

  /** All that is below the names of plugins of the project's own, and what they have elsewhere. */
  ofPlugins(): Refusing[] {
    const { app, sources } = this.#code
    const { appDir, types } = app
    const taken = new Set([...types.values()].flatMap(({ singularName, pluralName }) => [singularName, pluralName]))
    return localPlugins(app).flatMap(plugin => {
      const { name } = plugin
      const folder = path.relative(appDir, plugin.folder).split(path.sep).join('/')
      const server = sources.find(({ place }) => place.startsWith(`${folder}/strapi-server.`))
      if (!server || taken.has(name)) return []
      const inside = sources.filter(({ place }) => place.startsWith(`${folder}/`))
      const all = inside.flatMap(source => routesIn(this.#code, source))
      return [
        routeOf({ method: 'ALL', path: `/${name}{/*rest}`, actsAs: nothing, isRead: true }, server.place),
        ...all.filter(({ prefix }) => prefix !== undefined).map(route => ofPlugin(route, '')),
      ]
    })
  }
}

function standardOf(uid: string, { kind, singularName, pluralName }: TypeOfCheck): Standard[] {
  if (kind === 'component') return []
  const { routes } = coreRouter(() => ({ uid, kind, singularName, pluralName }))
  return (routes as Bag[]).map(({ method, path: at, handler }) => ({
    ...{ uid, method, path: at },
    action: handler.slice(uid.length + 1),
  }))
}
