import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { Config } from './config/types.js'
import { Content, type ContentParts } from './content.js'
import { chooseDialect, type Dialect, looseFlags } from './dialect.js'
import { BootError } from './errors.js'
import { type FoldedHooks, foldHooks } from './hooks.js'
import { httpApp } from './http/app.js'
import { callerOf, closedTypes, publicCaller } from './http/gate.js'
import { pluginRoute, type Route, routesOf } from './http/routes.js'
import type { Log } from './log.js'
import {
  type AnyPlugin,
  appliesTo,
  arrangePlugins,
  type EnabledPlugin,
  type Format,
  type Host,
  hooksFor,
  type RawPlugin,
} from './plugin.js'
import type { Param } from './query/params.js'
import { parseRaw } from './query/raw.js'
import { creatorType } from './schema/creators.js'
import { type AttributeKind, valueTypes } from './schema/field-types.js'
import { linkTypes } from './schema/link-types.js'
import { loadDefinitions } from './schema/load.js'
import { buildRegistry, type Registry } from './schema/registry.js'
import type { Definition } from './schema/types.js'
import type { Engine, Store } from './store/engine.js'
import { entriesOf } from './store/entries.js'
import { wantedTables } from './store/layout.js'
import { buildModels, type Models } from './store/models.js'
import { openEngine } from './store/open.js'
import { Planner } from './store/plan.js'
import { runOnce } from './store/steps.js'
import { synchronize } from './store/sync.js'
import { traced } from './store/traced.js'
import { transact } from './store/transaction.js'
import { Writer } from './write/writer.js'

/** A plugin that the app could turn on, and whether it did. */
export interface OfferedPlugin {
  readonly plugin: AnyPlugin
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
}

export interface BootOptions {
  readonly config: Config
  readonly log: Log
  readonly plugins: readonly OfferedPlugin[]
  /** Content types in place of those in the app's folder. */
  readonly definitions?: readonly Definition[]
}

/** A plugin's command, with its service. */
export interface AppCommand {
  readonly name: string
  readonly describe: string
  readonly run: (args: readonly string[]) => unknown
}

/** A running app. */
export interface App {
  readonly config: Config
  readonly log: Log
  readonly types: Registry
  readonly routes: readonly Route[]
  /** What plugins add to the command line. */
  readonly commands: readonly AppCommand[]
  readonly store: Store
  readonly content: Content
  readonly koa: Koa
  readonly entries: Host['entries']
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Finishes what runs, then lets go of everything. */
  close(): Promise<void>
}

/** From settings to a server that can listen, top to bottom. */
export async function boot({ config, log, plugins: offered, definitions }: BootOptions): Promise<App> {
  const { rest } = config.api
  const dialect = chooseDialect(rest.dialect ?? 'spec', rest.flags)
  announce(dialect, rest.dialect ?? 'spec', log)

  const plugins = arrangePlugins(offered.filter(({ enabled }) => enabled))
  const registry = await readTypes(config, plugins, offered, definitions, dialect, log)

  const engine = await connect(config, log)
  const undo: (() => unknown)[] = [() => engine.close()]
  try {
    const models = buildModels(registry, engine.knex)
    await synchronize(engine, wantedTables(registry, engine, dialect), log)

    const services = new Map<string, unknown>()
    const hooks = new Map<string, FoldedHooks>()
    const content = new Content(contentParts(config, registry, engine, models, dialect, plugins, hooks, log))
    const store: Store = {
      engine: engine.name,
      knex: engine.knex,
      model: uid => models.get(uid) as never,
      reader: engine.reader,
      transaction: work => transact(engine, work),
    }
    const entries: Host['entries'] = (uid, session) => entriesOf(registry.get(uid), content, session)
    for (const { spec, config: settings } of plugins) {
      const service = await register(spec, {
        config: settings,
        app: config,
        log: log.child({ plugin: spec.name }),
        types: registry,
        store,
        entries,
        service: plugin => services.get((plugin as { name: string }).name) as never,
      })
      services.set(spec.name, service)
      undo.push(() => stop(spec, service))
    }
    for (const type of registry.types.values()) hooks.set(type.uid, foldHooks(hooksFor(type, plugins, services)))
    await runOnce(engine, plugins, services, log)

    const routes = collectRoutes(registry, content, plugins, services, rest.maxParameters)
    const gate = { open: true }
    const anonymous = publicCaller(rest.public, registry)
    const knowsCallers = plugins.some(({ spec }) => spec.authenticate)
    const closed = knowsCallers ? [] : closedTypes(anonymous, registry)
    if (closed.length > 0)
      log.warn(`nobody may read or write ${closed.join(', ')}: config/api can open types, with rest.public`)
    const koa = httpApp({
      prefix: config.api.prefix,
      routes,
      server: config.server,
      dialect,
      log,
      callerOf: callerOf(
        plugins.flatMap(({ spec }) =>
          spec.authenticate ? [ctx => spec.authenticate?.(ctx, services.get(spec.name))] : [],
        ),
        anonymous,
      ),
      outer: middlewareAt('authenticate', plugins, services),
      inner: middlewareAt('route', plugins, services),
      formatError: errorFormat(config, plugins),
      health: { open: () => gate.open, ready: () => readiness(gate, engine, plugins, services, log) },
    })
    const commands = plugins.flatMap(({ spec }) =>
      (spec.commands ?? []).map(({ name, describe, run }) => ({
        name,
        describe,
        run: (args: readonly string[]) => run(args, services.get(spec.name)),
      })),
    )
    return assemble({ config, log, types: registry, routes, commands, store, content, koa, entries }, gate, undo)
  } catch (error) {
    await unwind(undo).catch(reason => log.error({ err: reason }, 'could not stop in order'))
    throw error
  }
}

async function connect({ database }: Config, log: Log): Promise<Engine> {
  let engine: Engine | undefined
  try {
    engine = traced(await openEngine(database), log)
    await engine.ping()
    return engine
  } catch (cause) {
    await engine?.close()
    if (cause instanceof BootError) throw cause
    throw new BootError(`the ${database.client} database cannot be used: ${reasonOf(cause as Error)}`, { cause })
  }
}

/** The driver's own words; Node gathers the failures of several addresses in one error that has none. */
function reasonOf(error: Error & { errors?: Error[] }): string {
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || error.errors?.map(({ message }) => message).join('; ') || error.name
}

function announce(dialect: Dialect, name: string, log: Log): void {
  log.info({ dialect: name }, `answers follow the ${name} dialect`)
  for (const flag of looseFlags(dialect)) log.info({ flag }, `the dialect differs from the specification in ${flag}`)
}

async function readTypes(
  config: Config,
  plugins: readonly EnabledPlugin[],
  offered: readonly OfferedPlugin[],
  definitions: readonly Definition[] | undefined,
  dialect: Dialect,
  log: Log,
): Promise<Registry> {
  const kinds = new Map<string, AttributeKind>()
  for (const kind of [...valueTypes, ...linkTypes, ...plugins.flatMap(({ spec }) => spec.fieldTypes ?? [])]) {
    if (kinds.has(kind.name))
      throw new BootError(`a plugin declares the field type "${kind.name}", which is core's own`)
    kinds.set(kind.name, kind)
  }
  const dormant = offered
    .filter(({ enabled }) => !enabled)
    .flatMap(({ plugin }) => (plugin as unknown as RawPlugin).fieldTypes?.map(({ name }) => name) ?? [])
  const registry = buildRegistry(
    [
      ...(definitions ?? (await loadDefinitions(config.appDir))),
      ...plugins.flatMap(({ spec }) => spec.contentTypes ?? []),
      creatorType,
    ],
    {
      kinds,
      dormant: new Set(dormant),
      privateAttributes: config.api.privateAttributes,
      plainCreators: dialect.plainCreators,
      extend: type => attributesFor(type, plugins),
    },
  )
  for (const note of registry.notes) log.warn(note)
  return registry
}

/** What the plugins add to a type; two that add the same attribute stop the boot. */
function attributesFor(type: Parameters<typeof appliesTo>[2], plugins: readonly EnabledPlugin[]) {
  const added: Record<string, never> = {}
  const by = new Map<string, string>()
  for (const { spec, config } of plugins) {
    if (!spec.attributes || !appliesTo(spec, config, type)) continue
    for (const [name, attribute] of Object.entries(spec.attributes)) {
      if (Object.hasOwn(type.attributes, name))
        throw new BootError(
          `plugin ${spec.name} adds the attribute "${name}" to ${type.uid}, which has one in ${type.source}`,
        )
      const former = by.get(name)
      if (former !== undefined)
        throw new BootError(`the plugins ${former} and ${spec.name} both add the attribute "${name}" to ${type.uid}`)
      by.set(name, spec.name)
      added[name] = attribute as never
    }
  }
  return added
}

function contentParts(
  config: Config,
  registry: Registry,
  engine: Engine,
  models: Models,
  dialect: Dialect,
  plugins: readonly EnabledPlugin[],
  hooks: ReadonlyMap<string, FoldedHooks>,
  log: Log,
): ContentParts {
  const { rest } = config.api
  const formats = formatsOf(plugins)
  const params = new Map<string, ReadonlyMap<string, Param>>()
  const chosen = new Map<string, Format | undefined>()
  for (const type of registry.types.values()) {
    const applying = plugins.filter(({ spec, config }) => spec.params && appliesTo(spec, config, type))
    params.set(type.uid, new Map(applying.flatMap(({ spec }) => Object.entries(spec.params ?? {}))))
    const name = type.options.format ?? rest.format
    if (name !== undefined && !formats.has(name))
      throw new BootError(
        `${type.options.format ? type.source : 'config/api: rest'}: there is no format "${name}"; there are ${[...formats.keys()].join(', ') || 'none'}`,
      )
    chosen.set(type.uid, name === undefined ? undefined : formats.get(name))
  }
  const none: FoldedHooks = {}
  const noParams = new Map<string, Param>()
  const maxLimit = rest.maxLimit === undefined ? dialect.defaultMaxLimit : rest.maxLimit
  return {
    registry,
    engine,
    dialect,
    log,
    planner: new Planner(engine, models, dialect),
    writer: new Writer(engine, registry, dialect),
    hooks: ({ uid }) => hooks.get(uid) ?? none,
    params: ({ uid }) => params.get(uid) ?? noParams,
    format: ({ uid }) => chosen.get(uid),
    paging: { defaultLimit: rest.defaultLimit, maxLimit, withCount: rest.withCount },
    limits: rest.limits,
    maxParameters: rest.maxParameters,
  }
}

const formatsOf = (plugins: readonly EnabledPlugin[]): Map<string, Format> =>
  new Map(plugins.flatMap(({ spec }) => Object.entries(spec.formats ?? {})))

function errorFormat(config: Config, plugins: readonly EnabledPlugin[]) {
  const formats = formatsOf(plugins)
  return (route: Route | undefined, error: Readonly<Record<string, unknown>>): unknown => {
    const format = formats.get(route?.format ?? config.api.rest.format ?? '')
    return format?.error ? format.error(error) : { data: null, error }
  }
}

async function register(spec: RawPlugin, host: Host): Promise<unknown> {
  try {
    return await spec.register?.(host as never)
  } catch (cause) {
    throw new BootError(`plugin ${spec.name} could not start: ${(cause as Error).message}`, { cause })
  }
}

async function stop(spec: RawPlugin, service: unknown): Promise<void> {
  try {
    await spec.close?.(service)
  } catch (cause) {
    throw new Error(`plugin ${spec.name} could not stop: ${(cause as Error).message}`, { cause })
  }
}

/** Lets go of everything in the reverse order of the start; what cannot stop keeps nothing else from it. */
async function unwind(undo: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of [...undo].reverse())
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}

/** Routes of plugins come first: `/articles/:id/history` must not be taken for something of `/articles`. */
function collectRoutes(
  registry: Registry,
  content: Content,
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
  maxParameters: number,
): Route[] {
  const readQuery = (text: string) => parseRaw(text, { maxParameters, strict: false })
  const routes = [
    ...plugins.flatMap(({ spec }) =>
      (spec.routes ?? []).map(route => pluginRoute(spec.name, route, services.get(spec.name), readQuery)),
    ),
    ...[...registry.types.values()].filter(({ routed }) => routed).flatMap(type => routesOf(type, content)),
  ]
  const seen = new Set<string>()
  for (const { method, path } of routes) {
    const key = `${method} ${path.toLowerCase().replace(/:\w+/g, ':')}`
    if (seen.has(key)) throw new BootError(`the route ${method} ${path} is declared twice`)
    seen.add(key)
  }
  return routes
}

const middlewareAt = (
  place: 'authenticate' | 'route',
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
): Middleware[] =>
  plugins.flatMap(({ spec }) =>
    (spec.middleware ?? []).filter(({ before }) => before === place).map(({ run }) => run(services.get(spec.name))),
  )

async function readiness(
  gate: { open: boolean },
  engine: Engine,
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
  log: Log,
): Promise<string[]> {
  if (!gate.open) return ['the server is stopping']
  const problems: string[] = []
  await engine.ping().catch(() => problems.push('the database does not answer'))
  for (const { spec } of plugins) {
    const said = await check(spec, services.get(spec.name), log)
    if (typeof said === 'string') problems.push(`${spec.name}: ${said}`)
  }
  return problems
}

/** What is wrong may be told to whoever asks; what went wrong while looking stays in the log. */
async function check(spec: RawPlugin, service: unknown, log: Log): Promise<true | string | undefined> {
  try {
    return await spec.health?.(service)
  } catch (error) {
    log.error({ err: error, plugin: spec.name }, 'a health check failed')
    return 'its check failed'
  }
}

function assemble(parts: Omit<App, 'listen' | 'close'>, gate: { open: boolean }, undo: (() => unknown)[]): App {
  const { config, log, koa } = parts
  let server: Server | undefined
  let closing: Promise<void> | undefined
  return {
    ...parts,
    listen: async () => {
      server = await listen(koa, config)
      const address = server.address() as AddressInfo
      log.info(
        { host: address.address, port: address.port },
        `listening on http://${config.server.host}:${address.port}`,
      )
      return address
    },
    close: () => {
      closing ??= (async () => {
        gate.open = false
        if (server) await drain(server, config.server.shutdownDeadline, log)
        await unwind(undo)
      })()
      return closing
    },
  }
}

async function listen(koa: Koa, config: Config): Promise<Server> {
  const { host, port, requestTimeout, headersTimeout, keepAliveTimeout } = config.server
  // Node looks for connections that are too slow every half minute, whatever the limits say.
  const connectionsCheckingInterval = Math.min(Math.max(100, Math.min(headersTimeout, requestTimeout) / 2), 5_000)
  const server = createServer(
    { requestTimeout, headersTimeout, keepAliveTimeout, maxHeaderSize: 16_384, connectionsCheckingInterval },
    koa.callback(),
  )
  // A broken message is answered in the one form of all errors, and its connection is not used again.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', error =>
      reject(
        new BootError(
          `cannot listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'the port is taken; choose another with PORT' : error.message}`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  return server
}

function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request']
  const body = JSON.stringify({ data: null, error: { status, name: 'BadRequestError', message } })
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Stops accepting, lets running requests finish, and cuts what is left at the deadline. */
async function drain(server: Server, deadline: number, log: Log): Promise<void> {
  const done = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const late = setTimeout(() => {
    log.warn('requests were still running at the deadline and were cut')
    server.closeAllConnections()
  }, deadline)
  // A connection that was busy becomes idle when its answer is out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await done
  clearTimeout(late)
  clearInterval(sweep)
}
