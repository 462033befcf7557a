import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:http'
import type {
  Config,
  Definition,
  Host,
  Log,
  PlacedMiddleware,
  PluginSpec,
  Route,
  Session,
  TypeOutline,
} from '../../core/index.js'
import type { PluginFile } from './not-carried.js'

/** A value of a project's own code: it is JavaScript, and anything may be called on it. */
// biome-ignore lint/suspicious/noExplicitAny: nothing of it is known before it runs
export type Loose = any
/** A function of a project's own code. */
export type Fn = (...given: Loose[]) => Loose
/** An object of a project's own code, by its keys. */
export type Bag = Record<string, Loose>

/** The settings under `config/plugins: strapi-code.config`. */
export interface Settings {
  /** The code runs; or none is loaded, and requests to its routes get a 501 (`refuse`) or what they get without the plugin. */
  readonly run: 'run' | 'refuse' | 'ignore'
  /**
   * A file that cannot be loaded or a part that is missing stops the start, or (`serve`) is reported, and requests to the
   * routes that need it get a 501.
   */
  readonly broken: 'stop' | 'serve'
  /** The time of after-events of writes that code does not do itself: once they are committed, or in their transaction. */
  readonly afterEvents: 'commit' | 'transaction'
  /** Milliseconds that code may take to answer a request; 0 is no limit. */
  readonly timeLimit?: number
}

/** The app as `forApp` is given it: the settings are known, the types are not yet made. */
export interface AppFacts {
  readonly appDir: string
  readonly config: Config
  readonly project: Config['project']
  readonly dialect: string
  /** The schemas of the app, as they were found. */
  readonly definitions: readonly Definition[]
  readonly purpose: Host['purpose'] | 'outline'
}

/** The parts of a plugin that follow from the code of an app; every room may add some. */
// biome-ignore lint/suspicious/noExplicitAny: the parts of a plugin whose schema, parameters and service are not inferred
export type AppParts = Partial<PluginSpec<string, any, any, any, any, any>>

// ── what was loaded ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The code of one app, loaded; nothing of it but the modules themselves has run. */
export interface Project {
  readonly appDir: string
  /** The folder that the compiler of a project in TypeScript writes to; its sources are what is run. */
  readonly compiledTo: string | undefined
  readonly config: ConfigTree
  /** By the name of the folder in `src/api`, sorted. */
  readonly apis: ReadonlyMap<string, Api>
  /** `src/policies` and `src/middlewares`, by file name. */
  readonly policies: ReadonlyMap<string, Export>
  readonly middlewares: ReadonlyMap<string, Export>
  /** `src/index`. */
  readonly index: LifeFunctions & { readonly file?: string }
  /** `src/extensions/<name>`. */
  readonly extensions: ReadonlyMap<string, Extension>
  /** The plugins of the project: built-in ones as extensions see them, local and installed ones. The room `plugins/` fills it. */
  readonly plugins: Map<string, LoadedPlugin>
  /** From an exported object or function to the file that exports it, for messages. */
  readonly files: WeakMap<object, string>
  /** Files that could not be loaded, where the settings let the rest be served. */
  readonly failures: Failure[]
}

/** The export of a file: `default` of an ES module, `module.exports` otherwise. */
export type Export = Loose

/** One folder of `src/api`. */
export interface Api {
  readonly name: string
  /** In the order of their names. */
  readonly routes: readonly RouteFile[]
  /** Each by the name of its file. */
  readonly controllers: ReadonlyMap<string, Export>
  readonly services: ReadonlyMap<string, Export>
  readonly policies: ReadonlyMap<string, Export>
  readonly middlewares: ReadonlyMap<string, Export>
  readonly contentTypes: ReadonlyMap<string, ApiType>
  readonly index?: LifeFunctions
}

export interface RouteFile {
  readonly name: string
  /** Relative to the app's folder. */
  readonly file: string
  /** A router, `{ routes }`, or a list. */
  readonly exported: Export
}

export interface ApiType {
  readonly uid: string
  /** `schema.json` as it is written. */
  readonly schema: Bag
  readonly lifecycles?: Readonly<Record<string, Fn>>
}

export interface LifeFunctions {
  readonly register?: Fn
  readonly bootstrap?: Fn
  readonly destroy?: Fn
}

export interface Extension {
  readonly name: string
  readonly file?: string
  /** `strapi-server`: it takes the plugin and returns it. */
  readonly server?: Fn
  /** Schemas of `content-types/<name>/schema.json`, by name. */
  readonly contentTypes: ReadonlyMap<string, Bag>
}

/** A plugin in the shape of `strapi-server`, extensions applied. */
export interface LoadedPlugin {
  readonly name: string
  readonly server: PluginServer
  /** The settings of the project, merged over the default ones. */
  readonly config: Bag
  /** `ours` is what a built-in plugin of this server does; the code of a project has it as a facade. */
  readonly from: 'ours' | 'local' | 'installed'
  readonly file?: string
  /** Of a plugin of this server: its routes as they are served as long as code leaves them alone. */
  readonly standing?: StandingRoutes
}

/** The routes of a plugin of this server, in the order in which code has them. */
export interface StandingRoutes {
  /** The routes that code has added or changed, and between them (`passes`) this server's that must stay before. */
  arranged<T extends { readonly given: Bag }>(
    declared: readonly T[],
    server: PluginServer,
  ): (T & { passes?: readonly Route[] })[]
  /** The routes of this server that stand no longer where they stood. */
  removed(declared: readonly { readonly given: Bag }[], server: PluginServer): readonly RemovedPath[]
}

export interface PluginServer extends LifeFunctions {
  config?: Loose
  routes?: Loose
  controllers?: Bag
  services?: Bag
  policies?: Bag
  middlewares?: Bag
  contentTypes?: Bag
  [more: string]: Loose
}

/** A file that could not be loaded. */
export interface Failure {
  /** The place of the mistake, relative to the app's folder. */
  readonly file: string
  /** The file that was to be loaded, which may be another one. */
  readonly asked?: string
  /** With the line, and what to do. */
  readonly says: string
}

/** Every setting, by its path; files of `config/` are properties as well. */
export interface ConfigTree {
  get(path: string | readonly string[], fallback?: Loose): Loose
  set(path: string | readonly string[], value: Loose): ConfigTree
  has(path: string | readonly string[]): boolean
  [file: string]: Loose
}

// ── the object `strapi` ───────────────────────────────────────────────────────────────────────────────────────────────

/** `strapi`, as the code of a project sees it. Functions that code puts on it stay. */
export interface Strapi {
  readonly dirs: { readonly app: Bag; readonly dist: Bag; readonly static: Bag }
  readonly config: ConfigTree
  readonly log: Loose
  readonly contentTypes: Record<string, CodeType>
  readonly components: Record<string, CodeType>
  contentType(uid: string): CodeType | undefined
  /** A content type or a component. */
  getModel(uid: string): CodeType | undefined
  readonly services: Bag
  readonly controllers: Bag
  readonly policies: Bag
  readonly middlewares: Bag
  service(uid: string): Loose
  controller(uid: string): Loose
  policy(uid: string): Loose
  middleware(uid: string): Loose
  readonly api: Bag
  readonly plugins: Bag
  plugin(name: string): Loose
  readonly eventHub: EventHub
  readonly store: Loose
  readonly cron: Loose
  readonly customFields: { register(fields: Loose): void }
  readonly requestContext: { get(): Loose; run<T>(ctx: Loose, work: () => T): Promise<Awaited<T>> }
  /** Undefined until `register` is over. */
  db: Loose
  entityService: Loose
  query: (uid: string) => Loose
  readonly server: Loose
  readonly EE: false
  [more: string]: Loose
}

/** A content type or component in the shape that code reads. */
export interface CodeType {
  readonly uid: string
  readonly kind?: 'collectionType' | 'singleType'
  readonly modelType: 'contentType' | 'component'
  readonly modelName: string
  readonly collectionName: string
  readonly globalId: string
  readonly apiName?: string
  readonly plugin?: string
  readonly category?: string
  readonly info: Bag
  readonly options: Bag
  readonly pluginOptions?: Bag
  readonly attributes: Record<string, Bag>
  /** As it is written in the schema. */
  readonly __schema__: Bag
  readonly actions?: Bag
  readonly lifecycles?: Bag
}

export interface EventHub {
  on(event: string, listener: Fn): () => void
  once(event: string, listener: Fn): () => void
  off(event: string, listener: Fn): void
  emit(event: string, ...given: Loose[]): Promise<void>
  subscribe(subscriber: (event: string, ...given: Loose[]) => Loose): () => void
  unsubscribe(subscriber: Fn): void
  /** True where anything listens to an event. */
  hears(event: string): boolean
  [more: string]: Loose
}

// ── what the rooms know of one app ────────────────────────────────────────────────────────────────────────────────────

/** One app and its code: `runtimeOf(strapi)` gives it to every room, as several apps may run in one process. */
export interface Runtime {
  readonly strapi: Strapi
  readonly project: Project
  readonly app: AppFacts
  readonly settings: Settings
  /** Words that stand in files of the project: `cron`, `requestContext`. */
  readonly mentions: ReadonlySet<string>
  /** A log that keeps what is written before the app has one of its own. */
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Set when `register(host)` begins. */
  host?: Host
  readonly http: Http
  readonly data: Data
  readonly plugins: Plugins
  /** Undefined before the types are made. */
  typeOf(uid: string): TypeOutline | undefined
  /** Stops the start, or is one of `project.failures` where the settings let the rest be served. */
  fail(failure: Failure): void
  /** Runs work of the app's code outside of a request: `strapi` as a global is its own, however many apps the process has. */
  within<T>(work: () => T): T
}

/** In place of a route: a generated endpoint that the app does not have. */
export interface RemovedEndpoint {
  readonly removed: true
  readonly uid: string
  readonly action: string
}

/** In place of a route: one of another plugin that the app does not have. */
export interface RemovedPath extends Pick<Route, 'method' | 'path' | 'at'> {
  readonly removed: true
}

/** `http/index.ts`: `createHttp(runtime)`, made before the routes are declared. */
export interface Http {
  /** All routes of the code, in Strapi's order, for `forApp`. */
  routesOf(): (Route | RemovedEndpoint | RemovedPath)[]
  /** The global middlewares. */
  middlewareOf(): PlacedMiddleware[]
  /** Made when they are asked for first: `strapi.controller(uid)`, `strapi.service(uid)`, `strapi.policy(uid)`. */
  controllerOf(uid: string): Loose
  serviceOf(uid: string): Loose
  policyOf(uid: string): Loose
  middlewareNamed(uid: string): Loose
  readonly requestContext: Strapi['requestContext']
  readonly current: AsyncLocalStorage<Loose>
  /** `require('@strapi/strapi').factories` of this app: there before its files are loaded. */
  readonly factories: Bag
  /** `strapi.server`: `httpServer`, `router`, `routes()`, `use()`, `listRoutes()`. */
  serverOf(server: () => Server | undefined): Loose
}

/** `data/index.ts`: `createData(runtime)`, whose `open(host)` is called when `register` of all code is over. */
export interface Data {
  /** Gives `strapi.db` and `strapi.entityService`. */
  open(host: Host): { readonly db: Loose; readonly entityService: Loose }
  /** True where a lifecycles file or a subscriber would hear an event of this action: `findMany`, `create` ... */
  hasEvents(uid: string, action: string): boolean
  /** The transaction that the code is in; undefined outside of one. */
  current(): { readonly session: Session; readonly onRollback: (step: () => unknown) => void } | undefined
  /** Its own parts: hooks, through which writes from elsewhere fire events. */
  partsOf(): AppParts
}

/** `plugins/index.ts`: `createPlugins(runtime)`. */
export interface Plugins {
  /** Fills `project.plugins`: facades of ours, local and installed plugins, extensions applied. Throws what stops the start. */
  load(): Promise<void>
  /** Types, attributes and settings of other plugins that follow from the code. */
  partsOf(): AppParts
  /** A setting of a plugin of this server, under the key that Strapi stores it by; undefined of any other. */
  settingOf(key: string): Promise<unknown>
  /** The schema files of the app with what its code has added to types of this server. */
  definitionsOf(definitions: readonly Definition[]): readonly Definition[]
  /** `strapi.plugin(name)`; undefined where there is none. */
  pluginOf(name: string): Loose
  /** The exports of a file of a plugin's package; undefined where there is no such plugin. */
  fileOf(name: string, file: PluginFile): object | undefined
}
