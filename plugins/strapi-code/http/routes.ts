import { type KnownAction, NotFoundError, type Route, type RouteCall, UnauthorizedError } from '../../../core/index.js'
import { assertLoaded, failedOf, needsBroken } from '../check/broken.js'
import { makeSendable, takeBack } from '../sending.js'
import { limited, type TimeLimit } from '../time-limit.js'
import type { Bag, Loose, Project, RemovedEndpoint, RemovedPath, Strapi } from '../types.js'
import { checkNeeds, identify, type Needs } from './callers.js'
import { codeContext, setCall } from './context.js'
import {
  complaint,
  type DeclaredRoute,
  declaredRoutes,
  isOfPanel,
  removedRoutes,
  routedPath,
} from './declared-routes.js'
import type { EngineWay } from './engine-way.js'
import { toThrow } from './errors.js'
import { handlerOf, readHandler } from './handlers.js'
import { isUntouched } from './made.js'
import { aroundsOf, guardsOf } from './policies.js'
import { type Ready, runRoute } from './running.js'

/** The means by which the routes of an app's code work. */
export interface RouteParts {
  readonly strapi: Strapi
  readonly project: Project
  readonly engine: EngineWay
  readonly controllerOf: (uid: string) => Loose
  readonly run: <T>(ctx: Loose, work: () => T) => T
  /** Reads the body of a request: fields and files of a form, or what was sent as JSON, form or text. */
  readonly readBody: (ctx: Loose) => Promise<void>
  /** The types that the server makes endpoints for, by their uids. */
  readonly generated: () => ReadonlyMap<string, { readonly kind: string }>
  /** The code has no say in a standard route of a type. */
  readonly isPlain: (route: DeclaredRoute, names: { readonly uid: string; readonly action: string }) => boolean
  /** Global middlewares see errors as code has thrown them. */
  readonly hasGlobals: () => boolean
  readonly fail: (file: string, error: unknown) => void
  readonly limit: TimeLimit
}

const actionsOf = (kind: string): readonly string[] =>
  kind === 'singleType' ? ['find', 'update', 'delete'] : ['find', 'findOne', 'create', 'update', 'delete']

/** No endpoint: a route of the code that stands for none takes its own place alone. */
const nothing = { uid: '', action: '' }

/** True for a value that is not in a set yet; it is from then on. */
function isNew(all: Set<string>, one: string): boolean {
  if (all.has(one)) return false
  all.add(one)
  return true
}

/** The requests that a route takes. Of several routes with the same ones the first is reached, and no other. */
function placeOf({ method, path, at = 'api', matches = {} }: Route): string {
  const named = Object.keys(matches).length > 0 ? path : path.replace(/:\w+/g, ':')
  return [method, at, named.toLowerCase(), ...Object.values(matches)].join(' ')
}

/** The routes of the code: the declaration of each for the server, and the work when one is requested. */
export class CodeRoutes {
  readonly #parts: RouteParts
  readonly #served: ServedRoute[] = []

  constructor(parts: RouteParts) {
    this.#parts = parts
  }

  /** All of them in their order, and what the server must not have beside them. */
  declare(): (Route | RemovedEndpoint | RemovedPath)[] {
    const { project, fail, generated } = this.#parts
    const placed = new Set<string>()
    const places = new Set<string>()
    const declared = declaredRoutes(project)
    const routes = declared.flatMap((one): (Route | RemovedEndpoint)[] => {
      if (one.passes) return [...one.passes]
      const wrong = complaint(one)
      if (wrong !== undefined) {
        fail(one.file, new Error(`Error creating endpoint ${one.given.method} ${one.given.path}: ${wrong}`))
        return []
      }
      if (isOfPanel(one)) return isNew(places, placeOf(closed(one))) ? [closed(one)] : []
      const served = new ServedRoute(one, this.#parts)
      this.#served.push(served)
      const route = served.route()
      if (!isNew(places, placeOf(route))) return []
      const { uid, action } = served.names
      const kind = generated().get(uid)?.kind
      const isStandard = kind !== undefined && actionsOf(kind).includes(action) && isNew(placed, `${uid}.${action}`)
      const placing = { replaces: true as const, actsAs: isStandard ? { uid, action } : nothing }
      const isWhole = failedOf(project, uid) === undefined
      if (isStandard && isWhole && this.#parts.isPlain(one, served.names)) return [served.generated(placing)]
      return [{ ...route, ...placing }]
    })
    return [...routes, ...this.#removed(placed), ...removedRoutes(project)]
  }

  /** The generated endpoints that no file of routes names. */
  #removed(placed: ReadonlySet<string>): RemovedEndpoint[] {
    return [...this.#parts.generated()].flatMap(([uid, { kind }]) =>
      actionsOf(kind)
        .filter(action => !placed.has(`${uid}.${action}`))
        .map(action => ({ removed: true as const, uid, action })),
    )
  }

  /** The permissions that the routes ask for or name. */
  actions(): KnownAction[] {
    const names = this.#served.flatMap(({ names: { uid, action }, scopes }) => [
      ...scopes.map(scope => splitScope(scope)),
      ...(uid === '' ? [] : [{ uid, action }]),
    ])
    const once = new Map(names.map(one => [`${one.uid}.${one.action}`, one]))
    return [...once.values()].filter(({ uid }) => uid.includes('::'))
  }

  /** Looks up all that the routes name: what is not there stops the start. */
  check(): void {
    for (const route of this.#served) {
      const { method, path } = route.declared.given
      try {
        route.ready()
      } catch (error) {
        const message = `Error creating endpoint ${method} ${path}: ${(error as Error).message}`
        this.#parts.fail(route.declared.file, Object.assign(error as Error, { message }))
      }
    }
  }

  /** The routes that are more than a standard action, for the start message. */
  own(): Pick<Route, 'method' | 'path' | 'at'>[] {
    return this.#served.filter(one => !one.isStandard).map(one => one.route())
  }

  /** The list that `strapi.server.listRoutes()` gives. */
  list(): readonly Bag[] {
    return this.#served.map(({ declared: { path, given } }) => ({ methods: [given.method], path, ...given.info }))
  }
}

/** A route that no request may use: nothing of it is looked up, as policies of the panel are not there. */
function closed(declared: DeclaredRoute): Route {
  return {
    method: declared.given.method,
    ...routedPath(declared),
    at: 'root',
    first: true,
    action: null,
    body: 'none',
    describe: `closed, as there is no admin panel: ${declared.file}`,
    run() {
      throw new UnauthorizedError('Missing or invalid credentials')
    },
  }
}

/** `api::shop.order.find` names the action `find` of `api::shop.order`. */
function splitScope(scope: string): KnownAction {
  const cut = scope.lastIndexOf('.')
  return { uid: scope.slice(0, Math.max(cut, 0)), action: scope.slice(cut + 1) }
}

function isPlainJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}

/** A request that no handler has answered. */
export class UnansweredError extends NotFoundError {}

/** Routes for the admin panel take its accounts alone, of which this server has none. */
const usualStrategies = ({ given, at }: DeclaredRoute): readonly string[] | undefined =>
  at === 'root' && given.info.type === 'admin' ? ['admin'] : undefined

/** One route of the code. */
class ServedRoute {
  readonly declared: DeclaredRoute
  readonly names: { readonly uid: string; readonly action: string }
  readonly #parts: RouteParts
  readonly #auth: Loose
  readonly scopes: readonly string[]
  readonly #needs: Needs
  #ready: Ready | undefined

  constructor(declared: DeclaredRoute, parts: RouteParts) {
    this.declared = declared
    this.#parts = parts
    const { handler, config } = declared.given
    const last = Array.isArray(handler) ? handler.at(-1) : handler
    this.names = typeof last === 'string' ? readHandler(last.trim(), declared.owner) : { uid: '', action: '' }
    this.#auth = config?.auth
    const own: readonly string[] = this.#auth === false ? [] : [this.#auth?.scope ?? []].flat()
    const usual = this.names.uid === '' ? [] : [`${this.names.uid}.${this.names.action}`]
    this.scopes = this.#auth === false ? [] : own.length > 0 ? own : usual
    const strategies = this.#auth === false ? undefined : (this.#auth?.strategies ?? usualStrategies(declared))
    const anyone = this.#auth !== false && this.scopes.length === 0
    // A caller who came by another way is told so, rather than which permission is lacking.
    this.#needs = { strategies, anyone, scopes: strategies ? this.scopes : this.scopes.slice(1) }
    if (this.scopes.length > 0 || config?.auth !== undefined) this.#tellScope()
  }

  /** `ctx.state.route` says which scope the route has. */
  #tellScope(): void {
    const { given } = this.declared
    if (this.#auth === false) return
    given.config = { ...given.config, auth: { ...this.#auth, scope: this.scopes } }
  }

  /** The route as it is declared to the server. */
  route(): Route {
    const { declared } = this
    const { method } = declared.given
    const [scope] = this.#needs.strategies ? [] : this.scopes
    const takesBody = method !== 'GET' && method !== 'DELETE'
    return {
      method,
      ...routedPath(declared),
      ...(declared.at === 'root' && { at: 'root' as const }),
      first: true,
      ...(scope === undefined ? { action: null } : splitScope(scope)),
      ...(this.#auth === false && { credentials: 'ignored' as const }),
      body: takesBody ? 'plain' : 'none',
      describe: `code of the project: ${declared.file}`,
      run: call => this.#answer(call),
    }
  }

  /** The route where the server answers by itself. */
  generated(placing: Pick<Route, 'replaces' | 'actsAs'>): Route {
    const { method, path, at, matches, action, uid, describe } = this.route()
    const place = { method, path, ...(at && { at }), ...(matches && { matches }), first: true as const }
    return {
      ...place,
      ...placing,
      action,
      ...(uid !== undefined && { uid }),
      ...(describe && { describe }),
      run: 'generated',
    }
  }

  /** The name of the route in the log. */
  get #title(): string {
    const { file, given, path } = this.declared
    const { method, handler } = given
    return `${method} ${path}${typeof handler === 'string' ? ` (${handler})` : ''} of ${file}`
  }

  /** Nothing of the code has a say in it. */
  get isStandard(): boolean {
    try {
      return this.ready().direct !== undefined
    } catch {
      return false
    }
  }

  /** The parts of the route, looked up once. */
  ready(): Ready {
    this.#ready ??= this.#lookUp()
    return this.#ready
  }

  /** A route that names what could not be loaded is there, and says so. */
  #readyOr501(): Ready {
    try {
      return this.ready()
    } catch (cause) {
      throw needsBroken(cause)
    }
  }

  #lookUp(): Ready {
    const { controllerOf, project, strapi } = this.#parts
    const { owner, given } = this.declared
    const { policies, middlewares } = given.config ?? {}
    assertLoaded(project, this.names.uid)
    const handler = handlerOf(given.handler, owner, controllerOf)
    const guards = guardsOf(policies, owner, { project, strapi })
    const arounds = aroundsOf(middlewares, owner, { project, strapi })
    const { strategies, anyone, scopes } = this.#needs
    const isOpen = this.#auth !== false && !strategies && !anyone && scopes.length === 0
    const isBare = isOpen && guards.length === 0 && arounds.length === 0 && handler.before.length === 0
    const direct = isBare && handler.standard ? this.#standard(handler.standard) : undefined
    return { guards, arounds, handler, ...(direct && { direct }) }
  }

  /** The standard action that the route is, where nothing of the controller is overridden that it calls. */
  #standard({ controller, core }: { readonly controller: Bag; readonly core: Bag }): Ready['direct'] {
    const type = this.#parts.strapi.contentType(this.names.uid)
    return type && isUntouched(controller, core) ? { type, action: this.names.action } : undefined
  }

  async #answer(call: RouteCall): Promise<unknown> {
    const { run, hasGlobals, engine } = this.#parts
    const ready = this.#readyOr501()
    if (ready.direct && !hasGlobals()) {
      const finished = engine.direct(ready.direct, call)
      if (finished) return finished
    }
    const ctx = codeContext(call.ctx)
    let value: unknown
    try {
      value = await run(ctx, () => this.#run(ready, ctx, call))
    } catch (error) {
      takeBack(call.ctx)
      throw hasGlobals() ? error : toThrow(error, this.declared.file)
    }
    // The server writes JSON by itself; everything else is Koa's.
    if (isPlainJson(value) && ctx.status !== 204 && !ctx.response.has('Content-Type')) return value
    if (value !== undefined) ctx.body = value
    if (!hasGlobals()) await makeSendable(call.ctx, this.#title, this.#parts.limit.log)
    // A response that the code has given itself is sent; nothing at all is not found.
    if (ctx.respond !== false && ctx.body === undefined && ctx.status === 404) throw new UnansweredError()
    return undefined
  }

  async #run(ready: Ready, ctx: Loose, call: RouteCall): Promise<unknown> {
    setCall(ctx, call)
    ctx.params = { ...call.params }
    ctx.request.params = ctx.params
    ctx.state.route = this.declared.given
    // Plugins may have given it another shape.
    if (call.body !== undefined) ctx.request.body = call.body
    const { strapi, readBody, limit, hasGlobals } = this.#parts
    const needs = () => {
      if (this.#auth === false) return undefined
      const waits = identify(ctx.state, call.caller, strapi)
      const check = () => checkNeeds(this.#needs, call.caller)
      return waits ? waits.then(check) : check()
    }
    await readBody(ctx)
    const run = () => runRoute(ready, ctx, needs, hasGlobals())
    if (limit.milliseconds === 0) return run()
    return limited(limit, {
      whose: this.#title,
      isAnswering: () => ctx.respond === false || ctx.res.headersSent,
      run,
    })
  }
}
