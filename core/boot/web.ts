import { setMaxListeners } from 'node:events'
import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import type { Config } from '../config/types.js'
import type { Content } from '../content/content.js'
import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import { explained } from '../engines/explained.js'
import { BootError } from '../errors.js'
import { httpApp } from '../http/app.js'
import type { BodyReaders } from '../http/body.js'
import { Freshness } from '../http/freshness.js'
import { callerOf, isOpen, permit } from '../http/gate.js'
import { telling } from '../http/observing.js'
import type { MiddlewarePlace } from '../http/parts.js'
import { callerContent, pluginRoute, type RouteServices } from '../http/plugin-routes.js'
import { logging } from '../http/request-log.js'
import { costHeaders, type Heading } from '../http/responses/cost-headers.js'
import { furtherRoute, generatedRoute, type Route } from '../http/routes.js'
import type { Doorway } from '../http/sockets/doorway.js'
import { drain } from '../http/sockets/drain.js'
import { refusal } from '../http/sockets/refusal.js'
import { Running } from '../http/sockets/running.js'
import { listen } from '../http/sockets/server.js'
import type { Log } from '../log.js'
import { AdmissionQueue } from '../loop/admission-queue.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { authenticatorsOf, type Refresher } from '../plugin/each-request.js'
import type { WebLoad } from '../plugin/gauges.js'
import type { Observers } from '../plugin/observers.js'
import { requestHeadersIn } from '../plugin/running.js'
import { readiness, type Services } from '../plugin/services.js'
import type { Caller } from '../query/ask.js'
import { parseRaw } from '../query/raw.js'
import type { Registry } from '../schema/registry.js'
import { cachingOf, Visitors } from './caching.js'
import type { Origin } from './endpoints.js'
import { errorFormat, wantedFormats } from './formats.js'
import { closedTypes } from './public-caller.js'

export interface WebParts {
  readonly config: Config
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  readonly registry: Registry
  readonly origins: readonly Origin[]
  readonly engine: Engine
  readonly content: Content
  readonly services: Services
  /** The caller without credentials. */
  readonly anonymous: Caller
  readonly kept: Refresher
  readonly observers: Observers
  readonly log: Log
  /** The port, where it is open already. */
  readonly doorway: Doorway | undefined
}

/** What the network sees of an app. */
export interface Web {
  readonly koa: Koa
  readonly routes: readonly Route[]
  /** Who asks without credentials. */
  visitor(): Promise<Caller>
  /** What waits, runs and was refused at this moment. */
  load(): WebLoad
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Accepts no more, and finishes what runs. */
  close(): Promise<void>
}

export function webOf(parts: WebParts): Web {
  const { config, dialect, plugins, registry, engine, services, anonymous, kept, observers, log } = parts
  const stopping = new AbortController()
  // Each response that goes on for long listens to it: any number of them is no leak.
  setMaxListeners(0, stopping.signal)
  const gate = { open: true }
  const authenticators = authenticatorsOf(plugins, services)
  const closed = authenticators.length > 0 ? [] : closedTypes(anonymous, registry)
  if (closed.length > 0)
    log.warn(`no request may read or write ${closed.join(', ')}: config/api can open types, with rest.public`)
  const who = callerOf(authenticators, anonymous)
  const identify: RouteServices['identify'] = async (ctx, endpoint) => {
    await kept.due()
    const caller = await who(ctx)
    if (!isOpen(endpoint, config.environment)) permit(caller, endpoint.action as string, endpoint.uid as string)
    return caller
  }
  const routes = collectRoutes(parts, { stopping: stopping.signal, identify })
  const formatError = errorFormat(config, plugins, log)
  const wanted = wantedFormats(plugins)
  const caching = cachingOf(plugins, services)?.()
  const varies = [...(wanted?.headers ?? []), ...(caching?.varies ?? [])]
  const visitors = caching && new Visitors(caching, async () => (await who(emptyRequest(koa))).scope, kept.due)
  const koa = httpApp({
    prefix: config.api.prefix,
    routes,
    server: config.server,
    dialect,
    environment: config.environment,
    log,
    callerOf: who,
    bodies: bodiesOf(plugins, services),
    refresh: visitors?.due ?? kept.due,
    caching: visitors,
    middleware: {
      routing: middlewareAt('routing', plugins, services),
      authentication: middlewareAt('authentication', plugins, services),
      handler: middlewareAt('handler', plugins, services),
    },
    explain: error => explained(engine, error),
    observe: observers.request && telling(observers.request),
    observeLogged: logging(log, config.log.requests, observers.request),
    costHeaders: costHeaders(headingsOf(plugins, services), log),
    formatError,
    chooseFormat: wanted?.choose,
    varies,
    requestHeaders: [...varies, ...plugins.flatMap(requestHeadersIn)],
    health: {
      gate,
      ready: () => readiness({ gate, engine, plugins, services, log }),
      notes: async () => engine.notes?.() ?? [],
    },
    reader: engine.reader,
    freshness: engine.relaxed && new Freshness(engine, config.database.maxLag),
  })
  const refuse = refusal({ server: config.server, gate, log, formatError, observe: observers.request })
  const { admission, running, load } = wayIn(parts, koa, refuse)
  let server: Server | undefined
  return {
    koa,
    routes,
    load,
    visitor: async () => who(emptyRequest(koa)),
    listen: async () => {
      server = parts.doorway?.handOver(admission) ?? (await listen({ current: admission }, config))
      const address = server.address() as AddressInfo
      log.info(
        { host: address.address, port: address.port },
        `listening on http://${config.server.host}:${address.port}`,
      )
      return address
    },
    close: async () => {
      gate.open = false
      stopping.abort()
      const deadline = performance.now() + config.server.shutdownDeadline
      if (server) await drain(server, admission, config.server.shutdownDeadline, log)
      await running.ended(deadline)
    },
  }
}

/** The way of requests to the app: they wait for their turn, and are counted. */
function wayIn({ config, engine, kept }: WebParts, koa: Koa, refuse: ReturnType<typeof refusal>) {
  const running = new Running()
  let refused = 0
  const admission = new AdmissionQueue({
    ...config.server.overload,
    serve: running.serving(koa.callback()),
    refuse: (request, response) => {
      refused += 1
      refuse(request, response)
    },
    isCrowded: kept.isCrowded,
  })
  engine.setLoad?.(admission)
  const load = (): WebLoad => ({
    queue: { length: admission.length, delay: admission.delay },
    refused,
    inFlight: running.count,
  })
  return { admission, running, load }
}

function emptyRequest(koa: Koa): Context {
  const request = new IncomingMessage(new Socket())
  return koa.createContext(request, new ServerResponse(request))
}

function collectRoutes(
  { config, registry, origins, content, services, engine }: WebParts,
  given: Pick<RouteServices, 'stopping' | 'identify'>,
): Route[] {
  const { maxParameters } = config.api.rest
  const lent = {
    readQuery: (text: string) => parseRaw(text, { maxParameters, strict: false }),
    content: callerContent(content, uid => registry.get(uid)),
    reader: engine.reader,
    ...given,
  }
  return origins.map(origin =>
    'type' in origin
      ? (origin.endpoint.does ? furtherRoute : generatedRoute)(origin.endpoint, origin.type, content)
      : { ...pluginRoute(origin.endpoint, origin.route, services.get(origin.plugin), lent), plugin: origin.plugin },
  )
}

const bodiesOf = (plugins: readonly EnabledPlugin[], services: Services): BodyReaders =>
  new Map(
    plugins.flatMap(({ spec }) =>
      (spec.bodies ?? []).map(({ type, read }) => [type, place => read(place, services.get(spec.name))] as const),
    ),
  )

/** A plugin decides once, at start, whether it adds headers. */
const headingsOf = (plugins: readonly EnabledPlugin[], services: Services): Heading[] =>
  plugins.flatMap(({ spec: { name: plugin, responseHeaders } }) => {
    const headersFor: unknown = responseHeaders?.(services.get(plugin))
    if (headersFor === undefined) return []
    if (typeof headersFor === 'function') return [{ plugin, headersFor: headersFor as Heading['headersFor'] }]
    throw new BootError(
      `plugin ${plugin}: "responseHeaders" gives ${typeof headersFor}; expected a function of the cost, or undefined`,
    )
  })

const middlewareAt = (place: MiddlewarePlace, plugins: readonly EnabledPlugin[], services: Services): Middleware[] =>
  plugins.flatMap(({ spec: { name, middleware = [] } }) =>
    middleware
      .filter(({ before }) => before === place)
      .map(({ run }) => {
        const made: unknown = run(services.get(name))
        if (typeof made === 'function') return made as Middleware
        throw new BootError(
          `plugin ${name}: "run" of its middleware before ${place} gives ${typeof made}; expected a function (ctx, next)`,
        )
      }),
  )
