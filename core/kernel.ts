import { existsSync } from 'node:fs'
import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import { actionsOf, dormantActions } from './actions.js'
import { readTypes } from './app-types.js'
import { appliesTo, arrangePlugins, type EnabledPlugin, hooksFor } from './arrange.js'
import type { Config } from './config/types.js'
import { Content } from './content/content.js'
import type { ContentParts } from './content/parts.js'
import { Retries } from './content/retries.js'
import { chooseDialect, type Dialect, type DialectName, looseFlags } from './dialect.js'
import { BootError } from './errors.js'
import { type Caller, type FoldedHooks, foldHooks } from './hooks.js'
import { httpApp } from './http/app.js'
import type { BodyReaders } from './http/body.js'
import { Door } from './http/door.js'
import { endpointsOf } from './http/endpoints.js'
import { Freshness } from './http/freshness.js'
import { callerOf, closedTypes, publicCaller } from './http/gate.js'
import { refusal } from './http/refusal.js'
import { callerContent, generatedRoute, pluginRoute, type Route } from './http/routes.js'
import { Running } from './http/running.js'
import { drain, listen } from './http/server.js'
import type { Log } from './log.js'
import type { AnyPlugin } from './plugin.js'
import type { Check, Command, CommandCall, Finding, Format, Host } from './plugin-parts.js'
import type { Param } from './query/params.js'
import { parseRaw } from './query/raw.js'
import type { Registry } from './schema/registry.js'
import type { Definition } from './schema/types.js'
import { readiness, refresher, register, type Services, stop, unwind } from './services.js'
import { adoptTypes } from './store/adopt.js'
import type { Engine, Store } from './store/engine.js'
import { entriesOf, noEntriesYet } from './store/entries.js'
import { explained } from './store/explained.js'
import { FirstWrite } from './store/first-write.js'
import { wantedTables } from './store/layout.js'
import { buildModels, type Models } from './store/models.js'
import { openEngine } from './store/open.js'
import { Planner } from './store/plan.js'
import { Receipts } from './store/receipts.js'
import { storedSettings } from './store/settings.js'
import { runOnce } from './store/steps.js'
import { traced } from './store/traced.js'
import { transact } from './store/transaction.js'
import { prepareTurns } from './store/turn.js'
import { wishesOf } from './store/wishes.js'
import { type TransferHost, transferPlugins } from './transfer/host.js'
import { Writer } from './write/writer.js'

/** A plugin that the app could turn on, and whether it did. */
export interface OfferedPlugin {
  readonly plugin: AnyPlugin
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  /** Why it is on or off, and where it was found if it does not come with the server; told to people. */
  readonly why?: string
  readonly from?: string
}

export interface BootOptions {
  readonly config: Config
  readonly log: Log
  readonly plugins: readonly OfferedPlugin[]
  /** Plugins that nobody spoke of: looked at only where a type has something that no plugin which is on knows. */
  readonly unmentioned?: () => Promise<readonly OfferedPlugin[]>
  /** Content types in place of those in the app's folder. */
  readonly definitions?: readonly Definition[]
  /** What plugins are told that it is for; to serve unless told otherwise. */
  readonly purpose?: Host['purpose']
  /** How many processes serve the app together; one unless told otherwise. */
  readonly processes?: number
}

/** A plugin's command, with its service. */
export interface AppCommand extends Omit<Command, 'run'> {
  readonly run: (call: CommandCall) => unknown
}

/** A plugin's check, with its service. */
export interface AppCheck extends Omit<Check, 'run'> {
  readonly plugin: string
  readonly run: (report: (finding: Finding) => void) => void | Promise<void>
}

/** A running app. */
export interface App {
  readonly config: Config
  readonly log: Log
  readonly types: Registry
  readonly routes: readonly Route[]
  /** What plugins add to the command line. */
  readonly commands: readonly AppCommand[]
  /** What plugins add to `stele doctor`. */
  readonly checks: readonly AppCheck[]
  readonly store: Store
  readonly content: Content
  readonly koa: Koa
  readonly entries: Host['entries']
  /** What archives of the whole content are made of. */
  readonly transfer: TransferHost
  /** Who asks without credentials. */
  visitor(): Promise<Caller>
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Finishes what runs, then lets go of everything. */
  close(): Promise<void>
}

/** What an app consists of: known before anything is opened or runs. */
export interface Outline {
  readonly dialectName: DialectName
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  readonly registry: Registry
}

export async function outline(options: Omit<BootOptions, 'purpose'>): Promise<Outline> {
  const { config, log, plugins: offered, unmentioned, definitions } = options
  const { rest } = config.api
  const dialectName = rest.dialect ?? (config.project === 'strapi4' ? 'strapi4' : 'spec')
  const dialect = chooseDialect(dialectName, rest.flags)
  const plugins = arrangePlugins(
    offered.filter(({ enabled }) => enabled),
    dialectName,
  )
  announce(dialect, dialectName, plugins, log)
  const registry = await readTypes({ config, plugins, offered, unmentioned, definitions, dialect, log })
  return { dialectName, dialect, plugins, registry }
}

/** From settings to a server that can listen, top to bottom. */
export async function boot(options: BootOptions): Promise<App> {
  const { config, log, plugins: offered, unmentioned, purpose = 'serve', processes = 1 } = options
  const { rest } = config.api
  const outlined = await outline(options)
  const { dialect, plugins, registry } = outlined

  if (purpose === 'look') mustExist(config)
  const raw = await connect(config, log)
  const undo: (() => unknown)[] = [() => raw.close()]
  try {
    const models = buildModels(registry, raw.knex)
    const tables = wantedTables(registry, raw, dialect)
    const first = await FirstWrite.to(raw, wishesOf(outlined, raw), log, purpose === 'look')
    const { engine } = first

    const services = new Map<string, unknown>()
    const hooks = new Map<string, FoldedHooks>()
    const content = new Content(contentParts(config, registry, engine, models, dialect, plugins, hooks, log))
    const store: Store = {
      engine: engine.name,
      knex: engine.knex,
      model: uid => models.get(uid) as never,
      reader: engine.reader,
      encode: (as, value) => engine.encode(as, value),
      decode: (as, value) => engine.decode(as, value),
      transaction: work => transact(engine, work),
    }
    const entries: Host['entries'] = (uid, session) => {
      const type = registry.get(uid)
      const isAbsent = first.isAbsent(type.table) && !session?.afterCommit
      return isAbsent ? noEntriesYet(type, content.plain) : entriesOf(type, content.plain, session)
    }
    const actions = actionsOf(registry, plugins)
    const others = config.permissions !== undefined && unmentioned ? await unmentioned() : []
    const asleep = dormantActions(registry, [...offered, ...others], actions)
    for (const { spec, config: settings } of plugins) {
      const service = await register(spec, {
        config: settings,
        app: config,
        log: log.child({ plugin: spec.name }),
        types: registry,
        actions,
        dormantActions: asleep,
        purpose,
        processes,
        store,
        entries,
        stored: storedSettings(engine, spec.name, spec.stored ?? {}),
        forgetPlans: () => content.forget(),
        service: plugin => services.get((plugin as { name: string }).name) as never,
        serviceIfOn: plugin => services.get((plugin as { name: string }).name) as never,
      })
      services.set(spec.name, service)
      undo.push(() => stop(spec, service))
    }
    for (const type of registry.types.values()) hooks.set(type.uid, foldHooks(hooksFor(type, plugins, services)))
    await first.precede(() => prepareTurns(raw, registry))
    await first.precede(() => runOnce(raw, plugins, services, log))
    await first.precede(() => adoptTypes(raw, plugins, registry, services, log))
    const kept = refresher(plugins, services, engine, first)
    await kept.now()

    const routes = collectRoutes(outlined, content, services, rest.maxParameters)
    const gate = { open: true }
    const anonymous = publicCaller(rest.public, registry, [...actions, ...asleep])
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
      waited: () => raw.waited?.() ?? 0,
    })
    const commands = plugins.flatMap(({ spec }) =>
      (spec.commands ?? []).map(command => ({
        ...command,
        run: (call: CommandCall) => command.run(call, services.get(spec.name)),
      })),
    )
    const checks = plugins.flatMap(({ spec }) =>
      (spec.checks ?? []).map(
        ({ name, describe, run }): AppCheck => ({
          ...{ plugin: spec.name, name, describe },
          run: report => run(services.get(spec.name), report),
        }),
      ),
    )
    const transfer = { engine, types: registry, tables, plugins: transferPlugins(plugins, services) }
    const parts = { config, log, types: registry, routes, commands, checks, store, content, koa, entries, transfer }
    return assemble({ ...parts, visitor: async () => who(emptyRequest(koa)) }, { door, running, gate, undo })
  } catch (error) {
    await unwind(undo).catch(reason => log.error({ err: reason }, 'could not stop in order'))
    throw error
  }
}

/** Opening a file of SQLite would make it. */
function mustExist({ database: { client, filename = ':memory:' } }: Config): void {
  if (client === 'sqlite' && !existsSync(filename))
    throw new BootError(`there is no database ${filename} yet: a start of the app makes it`)
}

function emptyRequest(koa: Koa): Context {
  const request = new IncomingMessage(new Socket())
  return koa.createContext(request, new ServerResponse(request))
}

/** Opens the database, or says in a sentence why that cannot be. */
export async function connect({ database }: Config, log: Log): Promise<Engine> {
  let engine: Engine | undefined
  try {
    engine = traced(await openEngine(database, log), log)
    await engine.ping()
    return engine
  } catch (cause) {
    await engine?.close()
    if (cause instanceof BootError) throw cause
    throw new BootError(
      `the ${database.client} database${placeOf(database)} cannot be used: ${reasonOf(cause as Error)}\nconfig/database and the variables DATABASE_... say where it is and who opens it`,
      { cause },
    )
  }
}

const placeOf = ({ filename, host, port }: Config['database']): string =>
  filename !== undefined ? ` ${filename}` : host === undefined ? '' : ` at ${host}:${port}`

/** The driver's own words; Node gathers the failures of several addresses in one error that has none. */
function reasonOf(error: Error & { errors?: Error[] }): string {
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || error.errors?.map(({ message }) => message).join('; ') || error.name
}

function announce(dialect: Dialect, name: DialectName, plugins: readonly EnabledPlugin[], log: Log): void {
  log.info({ dialect: name }, `answers follow the ${name} dialect`)
  for (const flag of looseFlags(dialect)) log.info({ flag }, `the dialect differs from the specification in ${flag}`)
  for (const { spec, config } of plugins)
    for (const [setting, value] of Object.entries(spec.dialects?.[name] ?? {}))
      if (config[setting] === value)
        log.info({ plugin: spec.name, setting, value }, `the dialect sets ${setting} of ${spec.name} to ${value}`)
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
    const known = plugins.flatMap(({ spec, config }) => {
      const applies = spec.params && appliesTo(spec, config, type)
      return Object.entries(spec.params ?? {}).filter(([, { everywhere }]) => applies || everywhere)
    })
    params.set(type.uid, new Map(known))
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
    statementTimeout: config.database.statementTimeout,
    keptAnswers: rest.keptAnswers * 2 ** 20,
    retries: new Retries(engine, new Receipts(engine, config.server.idempotency, log)),
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

function collectRoutes(
  { registry, plugins }: Outline,
  content: Content,
  services: Services,
  maxParameters: number,
): Route[] {
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

interface Serving {
  readonly door: Door
  readonly running: Running
  readonly gate: { open: boolean }
  readonly undo: readonly (() => unknown)[]
}

function assemble(parts: Omit<App, 'listen' | 'close'>, { door, running, gate, undo }: Serving): App {
  const { config, log } = parts
  let server: Server | undefined
  let closing: Promise<void> | undefined
  return {
    ...parts,
    listen: async () => {
      server = await listen(door, config)
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
        const deadline = performance.now() + config.server.shutdownDeadline
        if (server) await drain(server, config.server.shutdownDeadline, log)
        await running.ended(deadline)
        await unwind(undo)
      })()
      return closing
    },
  }
}
