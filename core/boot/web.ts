import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import type { Config } from '../config/types.js'
import type { Content } from '../content/content.js'
import type { Dialect } from '../dialect.js'
import type { Caller } from '../hooks.js'
import { httpApp } from '../http/app.js'
import type { BodyReaders } from '../http/body.js'
import { Door } from '../http/door.js'
import { endpointsOf } from '../http/endpoints.js'
import { Freshness } from '../http/freshness.js'
import { callerOf, closedTypes, publicCaller } from '../http/gate.js'
import { refusal } from '../http/refusal.js'
import { callerContent, generatedRoute, pluginRoute, type Route } from '../http/routes.js'
import { Running } from '../http/running.js'
import { drain, listen } from '../http/server.js'
import type { Log } from '../log.js'
import { parseRaw } from '../query/raw.js'
import type { Registry } from '../schema/registry.js'
import type { Engine } from '../store/engine.js'
import { explained } from '../store/explained.js'
import type { KnownAction } from './actions.js'
import type { EnabledPlugin } from './arrange.js'
import { errorFormat } from './formats.js'
import { type Refresher, readiness, type Services } from './services.js'

export interface WebParts {
  readonly config: Config
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  readonly registry: Registry
  readonly engine: Engine
  readonly content: Content
  readonly services: Services
  /** Everything that callers may be allowed to do, also what only plugins that are off have. */
  readonly actions: readonly KnownAction[]
  readonly kept: Refresher
  readonly log: Log
}

/** What the network sees of an app. */
export interface Web {
  readonly koa: Koa
  readonly routes: readonly Route[]
  /** Who asks without credentials. */
  visitor(): Promise<Caller>
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Accepts no more, and finishes what runs. */
  close(): Promise<void>
}

export function webOf(parts: WebParts): Web {
  const { config, dialect, plugins, registry, engine, services, actions, kept, log } = parts
  const { rest } = config.api
  const routes = collectRoutes(parts)
  const gate = { open: true }
  const anonymous = publicCaller(rest.public, registry, actions)
  const knowsCallers = plugins.some(({ spec }) => spec.authenticate)
  const closed = knowsCallers ? [] : closedTypes(anonymous, registry)
  if (closed.length > 0)
    log.warn(`nobody may read or write ${closed.join(', ')}: config/api can open types, with rest.public`)
  const who = callerOf(
    plugins.flatMap(({ spec }) =>
      spec.authenticate ? [ctx => spec.authenticate?.(ctx, services.get(spec.name))] : [],
    ),
    anonymous,
  )
  const formatError = errorFormat(config, plugins)
  const koa = httpApp({
    prefix: config.api.prefix,
    routes,
    server: config.server,
    dialect,
    log,
    callerOf: who,
    bodies: bodiesOf(plugins, services),
    refresh: kept.due,
    outer: middlewareAt('authenticate', plugins, services),
    inner: middlewareAt('route', plugins, services),
    explain: error => explained(engine, error),
    formatError,
    health: {
      open: () => gate.open,
      ready: () => readiness(gate, engine, plugins, services, log),
      notes: async () => engine.notes?.() ?? [],
    },
    freshness: engine.relaxed && new Freshness(config.database.maxLag),
  })
  const running = new Running()
  const serve = koa.callback()
  const door = new Door({
    maxDelay: config.server.overload.maxDelay,
    serve: (request, response) => running.add(serve(request, response)),
    refuse: refusal({ cors: config.server.cors, health: { open: () => gate.open }, log, formatError }),
    isCrowded: () => kept.isRunning() || (engine.isCrowded?.() ?? false),
  })
  engine.heed?.(() => door.leeway)

  let server: Server | undefined
  return {
    koa,
    routes,
    visitor: async () => who(emptyRequest(koa)),
    listen: async () => {
      server = await listen(door, config)
      const address = server.address() as AddressInfo
      log.info(
        { host: address.address, port: address.port },
        `listening on http://${config.server.host}:${address.port}`,
      )
      return address
    },
    close: async () => {
      gate.open = false
      const deadline = performance.now() + config.server.shutdownDeadline
      if (server) await drain(server, door, config.server.shutdownDeadline, log)
      await running.ended(deadline)
    },
  }
}

function emptyRequest(koa: Koa): Context {
  const request = new IncomingMessage(new Socket())
  return koa.createContext(request, new ServerResponse(request))
}

function collectRoutes({ config, registry, plugins, content, services }: WebParts): Route[] {
  const { maxParameters } = config.api.rest
  const lent = {
    readQuery: (text: string) => parseRaw(text, { maxParameters, strict: false }),
    content: callerContent(content, uid => registry.get(uid)),
  }
  return endpointsOf(registry, plugins).map(origin =>
    'type' in origin
      ? generatedRoute(origin.endpoint, origin.type, content)
      : pluginRoute(origin.endpoint, origin.route, services.get(origin.plugin), lent),
  )
}

const bodiesOf = (plugins: readonly EnabledPlugin[], services: Services): BodyReaders =>
  new Map(
    plugins.flatMap(({ spec }) =>
      (spec.bodies ?? []).map(({ type, read }) => [type, place => read(place, services.get(spec.name))] as const),
    ),
  )

const middlewareAt = (
  place: 'authenticate' | 'route',
  plugins: readonly EnabledPlugin[],
  services: Services,
): Middleware[] =>
  plugins.flatMap(({ spec }) =>
    (spec.middleware ?? []).filter(({ before }) => before === place).map(({ run }) => run(services.get(spec.name))),
  )
