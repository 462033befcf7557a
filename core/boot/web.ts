import { setMaxListeners } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import { isSection } from '../config/merge.js'
import type { Config } from '../config/types.js'
import { explained } from '../engines/explained.js'
import { BootError } from '../errors.js'
import { httpApp } from '../http/app.js'
import type { PluginMiddleware } from '../http/below.js'
import type { BodyReaders } from '../http/body.js'
import { Freshness } from '../http/freshness.js'
import { callerOf, isOpen, permit } from '../http/gate.js'
import { telling } from '../http/observing.js'
import type { MiddlewarePlace } from '../http/parts.js'
import { callerContent, pluginRoute, type RouteServices } from '../http/plugin-routes.js'
import { logging } from '../http/request-log.js'
import { costHeaders, type HeaderSource } from '../http/responses/cost-headers.js'
import { furtherRoute, generatedRoute, type Route } from '../http/routes.js'
import { drain } from '../http/sockets/drain.js'
import { refusal } from '../http/sockets/refusal.js'
import { RunningRequests } from '../http/sockets/running.js'
import { AdmissionQueue } from '../loop/admission-queue.js'
import { knowing } from '../plugin/actions.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { requestHeadersIn } from '../plugin/declared.js'
import { authenticatorsOf, type Refresher } from '../plugin/each-request.js'
import type { WebLoad } from '../plugin/processes/gauges.js'
import { readiness, type Services } from '../plugin/services.js'
import type { Caller } from '../query/ask.js'
import { parseRaw } from '../query/raw.js'
import { cachingOf, Visitors } from './caching.js'
import type { Database } from './database.js'
import type { Origin } from './endpoints.js'
import { errorFormat, wantedFormats } from './formats.js'
import { closedTypes, publicCaller } from './public-caller.js'
import type { AppServices } from './services.js'
import type { Start } from './start.js'
import { usualEndpointsOf } from './usual-endpoints.js'

/** An app, as the network sees it. */
export interface Web {
  readonly koa: Koa
  readonly routes: readonly Route[]
  /** The caller without credentials. */
  visitor(): Promise<Caller>
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Accepts no more, and finishes requests in flight. */
  close(): Promise<void>
}

/** Puts together all that a request passes on its way to the content; no port is open for it before the app listens. */
export async function webOf(start: Start, { engine }: Database, services: AppServices): Promise<Web> {
  const { options, outline, observers } = start
  const { config, log } = options
  const { dialect, plugins, registry } = outline
  const { byPlugin, refresher, gauges } = services
  const stopping = new AbortController()
  // Each response that goes on for long listens to it: any number of them is no leak.
  setMaxListeners(0, stopping.signal)
  const gate = { open: true }
  const who = await callers(start, byPlugin)
  let empty: Context | undefined
  const visitor = () => {
    empty ??= emptyRequest(koa)
    return who(empty)
  }
  const identify: RouteServices['identify'] = async (ctx, endpoint) => {
    await refresher.due()
    const caller = await (endpoint.credentials === 'ignored' ? visitor() : who(ctx))
    if (!isOpen(endpoint, config.environment)) permit(caller, endpoint.action as string, endpoint.uid as string)
    return caller
  }
  const collect = routeCollector(start, services, { stopping: stopping.signal, identify, reader: engine.reader })
  const routes = collect(start.endpoints)
  const usualRoutes = () => {
    const { origins, refused } = usualEndpointsOf(registry, plugins)
    for (const refusal of refused) log.warn(`the usual routes are without ${refusal}`)
    return collect(origins)
  }
  const formatError = errorFormat(config, plugins, log)
  const wanted = wantedFormats(plugins)
  const caching = cachingOf(plugins, byPlugin)?.()
  const varies = [...(wanted?.headers ?? []), ...(caching?.varies ?? [])]
  const visitors = caching && new Visitors(caching, async () => (await visitor()).scope, refresher.due)
  const guards = middlewareAt('cors', plugins, byPlugin)
  const koa = httpApp({
    prefix: config.api.prefix,
    routes,
    usualRoutes,
    server: config.server,
    dialect,
    environment: config.environment,
    log,
    callerOf: who,
    visitor,
    parser: services.parser,
    bodies: bodiesOf(plugins, byPlugin),
    refresh: visitors?.due ?? refresher.due,
    caching: visitors,
    middleware: {
      cors: guards,
      routing: middlewareAt('routing', plugins, byPlugin),
      authentication: middlewareAt('authentication', plugins, byPlugin),
      handler: middlewareAt('handler', plugins, byPlugin),
    },
    explain: error => explained(engine, error),
    observe: observers.request && telling(observers.request),
    observeLogged: logging(log, config.log.requests, observers.request),
    costHeaders: costHeaders(headingsOf(plugins, byPlugin), log),
    formatError,
    chooseFormat: wanted?.choose,
    varies,
    requestHeaders: [...varies, ...plugins.flatMap(requestHeadersIn)],
    health: {
      gate,
      ready: () => readiness({ gate, engine, plugins, services: byPlugin, log }),
      notes: async () => engine.notes?.() ?? [],
    },
    reader: engine.reader,
    freshness: engine.relaxed && new Freshness(engine, config.database.maxLag),
  })
  const closed = guards.flatMap(({ below = [] }) => below)
  const refuse = refusal({ server: config.server, closed, gate, log, formatError, observe: observers.request })
  const way = wayIn(config, koa, refresher, refuse)
  engine.setLoad?.(way.admission)
  gauges.watch(way.load)
  const begin = () => {
    gate.open = false
    stopping.abort()
  }
  return { koa, routes, visitor: async () => visitor(), ...port(start, way, begin) }
}

/** Tells who sends a request: the plugins that know credentials are asked, and the rest is the caller without any. */
async function callers(start: Start, services: Services) {
  const { options, outline, app, dormantActions } = start
  const { config, log } = options
  const anonymous = await knowing({ actions: app.actions, dormantActions }, known =>
    publicCaller(config.api.rest.public, outline.registry, known),
  )
  const authenticators = authenticatorsOf(outline.plugins, services)
  const closed = authenticators.length > 0 ? [] : closedTypes(anonymous, outline.registry)
  if (closed.length > 0)
    log.warn(`no request may read or write ${closed.join(', ')}: config/api can open types, with rest.public`)
  return callerOf(authenticators, anonymous)
}

/** The way of requests to the app: they wait for their turn, and are counted. */
function wayIn({ server }: Config, koa: Koa, { isCrowded }: Refresher, refuse: ReturnType<typeof refusal>) {
  const running = new RunningRequests()
  let refused = 0
  const admission = new AdmissionQueue({
    ...server.overload,
    serve: running.serving(koa.callback()),
    refuse: (request, response) => {
      refused += 1
      refuse(request, response)
    },
    isCrowded,
  })
  const load = (): WebLoad => ({
    queue: { length: admission.length, delay: admission.delay },
    refused,
    inFlight: running.count,
  })
  return { admission, running, load }
}

/** Opens the port, and closes it once requests in flight have ended. */
function port(
  { options: { config, log, doorway }, port: arriving }: Start,
  { admission, running }: ReturnType<typeof wayIn>,
  beginToStop: () => void,
): Pick<Web, 'listen' | 'close'> {
  let isOurs = false
  // A doorway goes on saying that the app is starting.
  if (!doorway) arriving.leadTo(admission)
  return {
    listen: async () => {
      arriving.leadTo(admission)
      const server = await arriving.open()
      isOurs = true
      const address = server.address() as AddressInfo
      log.info(
        { host: address.address, port: address.port },
        `listening on http://${config.server.host}:${address.port}`,
      )
      return address
    },
    close: async () => {
      beginToStop()
      const deadline = performance.now() + config.server.shutdownDeadline
      // Tests of an app open the server themselves.
      if (isOurs || (!doorway && arriving.isOpen))
        await drain(arriving.server, admission, config.server.shutdownDeadline, log)
      await running.ended(deadline)
    },
  }
}

function emptyRequest(koa: Koa): Context {
  const request = new IncomingMessage(new Socket())
  return koa.createContext(request, new ServerResponse(request))
}

/** Gives endpoints what answers there. */
function routeCollector(
  { options, outline }: Start,
  { content, byPlugin }: AppServices,
  given: Pick<RouteServices, 'stopping' | 'identify' | 'reader'>,
): (origins: readonly Origin[]) => Route[] {
  const { maxParameters } = options.config.api.rest
  const lent = {
    readQuery: (text: string) => parseRaw(text, { maxParameters, strict: false }),
    content: callerContent(content, uid => outline.registry.get(uid)),
    ...given,
  }
  const routeOf = (origin: Origin): Route => {
    const { plugin } = origin
    const endpoint = withHeaders(origin, plugin === undefined ? undefined : byPlugin.get(plugin))
    const whose = plugin === undefined ? {} : { plugin }
    if (!('type' in origin))
      return { ...pluginRoute(endpoint, origin.route.run as RunOfPlugin, byPlugin.get(origin.plugin), lent), ...whose }
    if (endpoint.does) return furtherRoute(endpoint, origin.type, content)
    return { ...generatedRoute(endpoint, origin.type, content, origin.acts), ...whose }
  }
  return origins => origins.map(routeOf)
}

/** An endpoint with the headers that its plugin makes for it. */
function withHeaders({ endpoint, plugin }: Origin, service: unknown): Origin['endpoint'] {
  if (!endpoint.headersOf) return endpoint
  const headers: unknown = endpoint.headersOf(service)
  if (isSection(headers)) return { ...endpoint, headers: headers as Readonly<Record<string, string>> }
  throw new BootError(
    `plugin ${plugin}: "headers" of the route ${endpoint.method} ${endpoint.path} gives ${typeof headers}; expected an object`,
  )
}

type RunOfPlugin = Parameters<typeof pluginRoute>[1]

const bodiesOf = (plugins: readonly EnabledPlugin[], services: Services): BodyReaders =>
  new Map(
    plugins.flatMap(({ spec }) =>
      (spec.bodies ?? []).map(({ type, read }) => [type, place => read(place, services.get(spec.name))] as const),
    ),
  )

/** A plugin decides once, at start, whether it adds headers. */
const headingsOf = (plugins: readonly EnabledPlugin[], services: Services): HeaderSource[] =>
  plugins.flatMap(({ spec: { name: plugin, observe } }) => {
    const headersFor: unknown = observe?.headers?.(services.get(plugin))
    if (headersFor === undefined) return []
    if (typeof headersFor === 'function') return [{ plugin, headersFor: headersFor as HeaderSource['headersFor'] }]
    throw new BootError(
      `plugin ${plugin}: "observe.headers" gives ${typeof headersFor}; expected a function of the cost, or undefined`,
    )
  })

const middlewareAt = (
  place: MiddlewarePlace,
  plugins: readonly EnabledPlugin[],
  services: Services,
): PluginMiddleware[] =>
  plugins.flatMap(({ spec: { name, middleware = [] } }) =>
    middleware
      .filter(({ before }) => before === place)
      .map(({ below, run }) => {
        const made: unknown = run(services.get(name))
        if (typeof made === 'function') return { below, run: made as Middleware }
        throw new BootError(
          `plugin ${name}: "run" of its middleware before ${place} gives ${typeof made}; expected a function (ctx, next)`,
        )
      }),
  )
