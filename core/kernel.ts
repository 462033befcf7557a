import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { appOutline } from './boot/app-outline.js'
import { openDatabase } from './boot/database.js'
import { endpointsOf } from './boot/endpoints.js'
import { outline } from './boot/outline.js'
import { startServices } from './boot/services.js'
import { type BootOptions, type Start, StartProgress } from './boot/start.js'
import { webOf } from './boot/web.js'
import type { JobRunner } from './boot/wings.js'
import type { Config } from './config/types.js'
import type { Content } from './content/content.js'
import type { Engine, Store } from './engines/engine.js'
import type { Route } from './http/routes.js'
import { Port } from './http/sockets/server.js'
import type { WantedTable } from './layout/layout.js'
import type { Log } from './log.js'
import { dormantActions } from './plugin/actions.js'
import { observersOf } from './plugin/observers.js'
import type { AppOutline } from './plugin/outline.js'
import type { Host } from './plugin/parts.js'
import { type RunningPlugin, runningOf } from './plugin/running.js'
import { unwind } from './plugin/services.js'
import type { Caller } from './query/ask.js'
import type { Registry } from './schema/registry.js'
import type { Definition } from './schema/types.js'

/** A running app. */
export interface App {
  /** Its routes, parameters, operators, formats and plugins. */
  readonly outline: AppOutline
  readonly config: Config
  readonly log: Log
  readonly types: Registry
  /** The schemas as they were found: the sources of the types, with those that plugins bring. */
  readonly definitions: readonly Definition[]
  readonly routes: readonly Route[]
  /** The enabled plugins, each with its service. */
  readonly plugins: readonly RunningPlugin[]
  readonly store: Store
  readonly content: Content
  readonly koa: Koa
  readonly entries: Host['entries']
  readonly engine: Engine
  /** The tables of all types and of links from one to another, in the order in which rows can be inserted. */
  readonly tables: readonly WantedTable[]
  /** Runs the jobs of plugins while the app listens; undefined if there are none. */
  readonly jobs: JobRunner | undefined
  /** The caller without credentials. */
  visitor(): Promise<Caller>
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Finishes requests in flight, then lets go of everything. */
  close(): Promise<void>
}

/** Boots a server from its settings: the outline of the app, its database, its services, and its network side. */
export async function boot(options: BootOptions): Promise<App> {
  const start = await begin(options)
  try {
    const database = await openDatabase(start)
    const services = await startServices(start, database)
    const web = await webOf(start, database, services)
    const { config, log } = options
    const { registry, definitions, plugins } = start.outline
    const { jobs } = services
    return {
      outline: start.app,
      config,
      log,
      types: registry,
      definitions,
      routes: web.routes,
      plugins: runningOf(plugins, start.started),
      store: services.store,
      content: services.content,
      koa: web.koa,
      entries: services.entries,
      engine: database.engine,
      tables: database.tables,
      jobs,
      visitor: web.visitor,
      async listen() {
        const address = await web.listen()
        jobs?.start()
        return address
      },
      close: once(async () => {
        await Promise.all([web.close(), jobs?.stop(config.server.shutdownDeadline)])
        await unwind(start.undo)
      }),
    }
  } catch (error) {
    await unwind(start.undo).catch(reason => options.log.error({ err: reason }, 'could not stop in order'))
    throw error
  }
}

/** All that a start knows before it opens anything. */
async function begin(options: BootOptions): Promise<Start> {
  const { config, log, plugins: offered, unmentioned, progress = new StartProgress(log) } = options
  const outlined = await outline(options)
  const { registry, plugins } = outlined
  const endpoints = endpointsOf(registry, plugins)
  const app = appOutline(outlined, endpoints, config)
  const started = new Map<string, unknown>()
  return {
    options,
    outline: outlined,
    endpoints,
    app,
    dormantActions: async () => dormantActions(registry, [...offered, ...((await unmentioned?.()) ?? [])], app.actions),
    observers: observersOf(plugins, started, log),
    port: options.doorway?.port ?? new Port(config),
    started,
    progress,
    undo: [],
  }
}

/** Work that is done one time, and never again. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
