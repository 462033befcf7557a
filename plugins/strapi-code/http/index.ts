import type { Host, KnownAction, PlacedMiddleware, Route } from '../../../core/index.js'
import { makeFactories } from '../packages/factories.js'
import { failureOf } from '../project/failure.js'
import type { Bag, Http, Loose, Runtime } from '../types.js'
import { readBody } from './body.js'
import { codeContext, koaOf } from './context.js'
import type { RoutedType } from './core-router.js'
import { EngineWay } from './engine-way.js'
import { Globals } from './globals.js'
import { exportedPart, MadeParts } from './parts-of-project.js'
import { isPlain } from './plain.js'
import { makeRequestContext } from './request-context.js'
import { CodeRoutes } from './routes.js'
import { serverFacade } from './server.js'

/** Controllers, services, routes, policies and middlewares of an app's code. */
export interface CodeHttp extends Http {
  /** Looks up all that routes and `config/middlewares` name; run after `bootstrap`, as the code may add to it until then. */
  check(): void
  /** The routes that are more than a standard action. */
  ownRoutes(): Pick<Route, 'method' | 'path' | 'at'>[]
  /** The permissions that routes ask for or name. */
  actionsOf(): KnownAction[]
}

/** The way of requests to the code of one app. */
export function createHttp(runtime: Runtime): CodeHttp {
  const { project, strapi, app } = runtime
  const made = new MadeParts(project, strapi)
  const { current, requestContext } = makeRequestContext()
  const run = <T>(ctx: Loose, work: () => T): T => runtime.within(() => current.run(ctx, work))
  const types = routedTypes(runtime)
  const engine = new EngineWay({
    strapi,
    data: { hasEvents: (uid, action) => runtime.data.hasEvents(uid, action) },
  })
  const factories = makeFactories({ strapi, engine, routedType: uid => types().get(uid) ?? typeOfPlugin(runtime, uid) })
  const { json, multipart } = app.config.server.body
  const limits = { body: multipart, file: multipart, fields: json, parts: mostParts }
  const fail = (file: string, error: unknown) => runtime.fail(failureOf(app.appDir, file, error))
  const limit = { milliseconds: runtime.settings.timeLimit ?? 0, log: runtime.log }
  const globals = new Globals({
    project,
    strapi,
    run,
    limit,
    readPlain: async ctx => {
      const body = await hostOf(runtime).readBody(koaOf(ctx))
      ctx.request.body = body ?? {}
    },
  })
  const routes = new CodeRoutes({
    ...{ strapi, project, engine, run, fail, limit },
    controllerOf: uid => made.of('controllers', uid),
    readBody: ctx => readBody(ctx, limits),
    generated: types,
    isPlain: (route, names) =>
      isPlain(route, names, { project, mentions: runtime.mentions, hasGlobals: () => globals.isNeeded }),
    hasGlobals: () => globals.isNeeded,
  })
  return {
    current,
    requestContext,
    factories,
    routesOf: () => routes.declare(),
    ownRoutes: () => routes.own(),
    actionsOf: () => routes.actions(),
    middlewareOf: (): PlacedMiddleware[] => {
      if (globals.isNeeded) return [{ before: 'routing', run: () => globals.middleware() }]
      // Lifecycles hear writes of all routes, and some ask for the request that they belong to.
      if (!runtime.mentions.has('requestContext')) return []
      return [{ before: 'routing', run: () => (koa, next) => run(codeContext(koa), next) }]
    },
    controllerOf: uid => made.of('controllers', uid),
    serviceOf: uid => made.of('services', uid),
    policyOf: uid => exportedPart(project, 'policies', uid),
    middlewareNamed: uid => exportedPart(project, 'middlewares', uid),
    serverOf: server => serverFacade(server, globals, routes),
    check: () => {
      try {
        globals.check()
      } catch (error) {
        fail('config/middlewares', error)
      }
      routes.check()
    },
  }
}

/** More parts of a form are refused. */
const mostParts = 1000

function hostOf({ host }: Runtime): Host {
  if (!host) throw new Error('the app has not started yet')
  return host
}

/** The types of APIs, for which the server makes endpoints, from their schema files: routes are declared before types are made. */
const routedTypes = ({ app }: Runtime): (() => ReadonlyMap<string, RoutedType>) => {
  let found: ReadonlyMap<string, RoutedType> | undefined
  return () => {
    found ??= new Map(
      app.definitions
        .filter(({ uid }) => uid.startsWith('api::'))
        .map(({ uid, schema }) => [uid, routedType(uid, schema as Bag)]),
    )
    return found
  }
}

function routedType(uid: string, { kind = 'collectionType', info = {} }: Bag): RoutedType {
  const singularName = info.singularName ?? uid.split('.').at(-1)
  return { uid, kind, singularName, pluralName: info.pluralName ?? singularName }
}

function typeOfPlugin({ strapi }: Runtime, uid: string): RoutedType | undefined {
  const type = strapi.contentType(uid)
  return type && routedType(uid, type)
}
