import { Ajv, type SchemaObject } from 'ajv'
import type { Context, Middleware as KoaMiddleware } from 'koa'
import type { Config } from './config/types.js'
import { BootError } from './errors.js'
import { type BoundHooks, type Caller, type Entry, type Hooks, stops } from './hooks.js'
import type { Log } from './log.js'
import { nodeParams } from './query/node.js'
import type { Param } from './query/params.js'
import type { AttributeKind } from './schema/field-types.js'
import type { Registry } from './schema/registry.js'
import type { AttributeBase, ContentType, Definition } from './schema/types.js'
import type { Session, Store } from './store/engine.js'
import type { Entries } from './store/entries.js'

/** The settings of a plugin, inferred from its JSON schema. */
export type SettingsOf<S> = S extends { readonly properties: infer Properties }
  ? { readonly [Key in keyof Properties]: ValueOf<Properties[Key]> }
  : Readonly<Record<string, never>>
type ValueOf<S> = S extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : S extends { readonly type: 'string' }
    ? Optional<S, string>
    : S extends { readonly type: 'boolean' }
      ? Optional<S, boolean>
      : S extends { readonly type: 'integer' | 'number' }
        ? Optional<S, number>
        : S extends { readonly type: 'array'; readonly items: infer Item }
          ? Optional<S, readonly ValueOf<Item>[]>
          : S extends { readonly type: 'object' }
            ? Optional<S, SettingsOf<S>>
            : unknown
type Optional<S, Value> = S extends { readonly default: unknown } ? Value : Value | undefined

type ParamTable = Readonly<Record<string, Param>>
/** The values of a table of parameters, as hooks see them. */
export type ParamValues<T> = {
  readonly [Key in keyof T]: T[Key] extends Param<infer Value>
    ? T[Key] extends { readonly default: unknown }
      ? Value
      : Value | undefined
    : never
}

/** What a plugin is given when it starts. */
export interface Host<Settings = unknown> {
  readonly config: Settings
  readonly app: Config
  readonly log: Log
  readonly types: Registry
  readonly store: Store
  /**
   * Reads and writes entries of a type with all rights: no caller, no permission, every hook of the type.
   * Inside a transaction (a hook after the write, a `sync` step) its session must be handed on, to be part of it.
   */
  readonly entries: (uid: string, session?: Session) => Entries
  /** The service of a plugin that stands in `needs`. */
  readonly service: <P extends AnyPlugin>(plugin: P) => ServiceOf<P>
}

/** One request as a plugin's own route sees it. */
export interface RouteCall<Service = unknown> {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly service: Service
}

/** A route of a plugin: it passes the same gate as the generated ones, under its own action name. */
export interface Route<Service = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the API prefix, in the router's notation: `/users/:id`. */
  readonly path: string
  /** The permission that it asks for: `plugin::<name>.<action>`; null leaves the gate open for everybody. */
  readonly action: string | null
  /** The uid the action belongs to; `plugin::<name>` otherwise. */
  readonly uid?: string
  readonly format?: string
  readonly describe?: string
  readonly run: (call: RouteCall<Service>) => unknown
}

/** What an answer is made of, beside its entries. */
export interface Meta {
  readonly pagination?: Readonly<Record<string, number>>
  readonly [key: string]: unknown
}

/** How answers are written. The entry's own shape is `nested` ({ id, attributes }) or `plain` (one flat object). */
export interface Format {
  readonly entry: 'nested' | 'plain'
  readonly one: (entry: Entry | null, meta: Meta) => unknown
  readonly many: (entries: Entry[], meta: Meta) => unknown
  readonly error?: (error: Readonly<Record<string, unknown>>) => unknown
}

/** Koa middleware at a named place of the request's way. */
export interface PlacedMiddleware<Service = unknown> {
  readonly before: 'authenticate' | 'route'
  readonly run: (service: Service) => KoaMiddleware
}

export interface Command<Service = unknown> {
  readonly name: string
  readonly describe: string
  readonly run: (args: readonly string[], service: Service) => unknown
}

/** A step that is done once in the life of a database, such as filling a new column. */
export interface OnceStep<Service = unknown> {
  readonly name: string
  readonly run: (session: Session, service: Service) => Promise<void>
}

/** A plugin as its author writes it: everything it does to the server can be read off it before it runs. */
export interface PluginSpec<
  Name extends string,
  Schema extends SchemaObject,
  Needs extends readonly AnyPlugin[],
  Params extends ParamTable,
  Service,
> {
  readonly name: Name
  /** Plugins that must be on; they start first, and their parameters and services become visible. */
  readonly needs?: Needs
  /** A JSON schema of the settings under `config/plugins`. */
  readonly config?: Schema
  readonly appliesTo?: (type: Omit<ContentType, 'fields' | 'links'>, config: SettingsOf<Schema>) => boolean
  readonly contentTypes?: readonly Definition[]
  readonly attributes?: Readonly<Record<string, AttributeBase & Readonly<Record<string, unknown>>>>
  readonly fieldTypes?: readonly AttributeKind[]
  readonly params?: Params & ParamTable
  /** Runs once at start; what it gives is the plugin's service, the only place that holds state. */
  readonly register?: (host: Host<SettingsOf<Schema>>) => Service | Promise<Service>
  readonly close?: (service: Service) => void | Promise<void>
  /** The first plugin that knows the credentials answers; undefined lets the next one look. */
  readonly authenticate?: (request: Context, service: Service) => Caller | undefined | Promise<Caller | undefined>
  readonly hooks?: Partial<Hooks<ParamValues<Params> & NeededParams<Needs>, Service>>
  readonly middleware?: readonly PlacedMiddleware<Service>[]
  readonly routes?: readonly Route<Service>[]
  readonly formats?: Readonly<Record<string, Format>>
  readonly commands?: readonly Command<Service>[]
  /** Ready while every check is true; a sentence says what is wrong. */
  readonly health?: (service: Service) => true | string | Promise<true | string>
  readonly sync?: readonly OnceStep<Service>[]
}

/** A plugin with its types folded away: what the kernel keeps. */
export interface Plugin<Name extends string = string, Params = ParamTable, Service = unknown> {
  readonly name: Name
  readonly params?: Params
  /** Only for the compiler: the type of the service. */
  readonly service?: Service
}
// biome-ignore lint/suspicious/noExplicitAny: any plugin fits here, whatever its parameters and service are
export type AnyPlugin = Plugin<string, any, any>
type ServiceOf<P> = P extends Plugin<string, infer _Params, infer Service> ? Service : never
type NeededParams<Needs extends readonly AnyPlugin[]> = Needs extends readonly [
  infer First,
  ...infer Rest extends readonly AnyPlugin[],
]
  ? (First extends Plugin<string, infer Params, infer _Service> ? ParamValues<Params> : unknown) & NeededParams<Rest>
  : unknown

/** Makes a plugin of its declaration. Nothing happens here: the kernel reads it at boot. */
export function definePlugin<
  const Name extends string,
  const Schema extends SchemaObject = SchemaObject,
  const Needs extends readonly AnyPlugin[] = readonly [],
  const Params extends ParamTable = Record<never, never>,
  Service = undefined,
>(spec: PluginSpec<Name, Schema, Needs, Params, Service>): Plugin<Name, Params, Service> {
  return spec as unknown as Plugin<Name, Params, Service>
}

/** What the kernel reads: every part, its types forgotten. */
export type RawPlugin = PluginSpec<string, SchemaObject, readonly AnyPlugin[], ParamTable, unknown>

/** Plugins that are on, in the order of their needs, with their checked settings. */
export interface EnabledPlugin {
  readonly spec: RawPlugin
  readonly config: Readonly<Record<string, unknown>>
}

const parts = [
  'name',
  'needs',
  'config',
  'appliesTo',
  'contentTypes',
  'attributes',
  'fieldTypes',
  'params',
  'register',
  'close',
  'authenticate',
  'hooks',
  'middleware',
  'routes',
  'formats',
  'commands',
  'health',
  'sync',
] as const

/** Orders plugins by their needs and checks their settings; two that claim the same name stop the boot. */
export function arrangePlugins(
  wanted: readonly { readonly plugin: AnyPlugin; readonly config: Readonly<Record<string, unknown>> }[],
): EnabledPlugin[] {
  const byName = new Map<string, EnabledPlugin>()
  for (const { plugin, config } of wanted) {
    const spec = plugin as unknown as RawPlugin
    if (byName.has(spec.name)) throw new BootError(`two plugins are called "${spec.name}"`)
    for (const part of Object.keys(spec))
      if (!parts.includes(part as never))
        throw new BootError(`plugin ${spec.name}: "${part}" is no part of a plugin; there are ${parts.join(', ')}`)
    for (const stop of Object.keys(spec.hooks ?? {}))
      if (!stops.includes(stop as never))
        throw new BootError(`plugin ${spec.name}: "${stop}" is no hook; there are ${stops.join(', ')}`)
    byName.set(spec.name, { spec, config: checkSettings(spec, config) })
  }
  const ordered: EnabledPlugin[] = []
  const visiting = new Set<string>()
  const visit = (entry: EnabledPlugin) => {
    if (ordered.includes(entry)) return
    if (visiting.has(entry.spec.name))
      throw new BootError(`plugins need each other in a circle: ${[...visiting].join(', ')}`)
    visiting.add(entry.spec.name)
    for (const { name } of entry.spec.needs ?? []) {
      const needed = byName.get(name)
      if (!needed)
        throw new BootError(
          `plugin ${entry.spec.name} needs the plugin ${name}, which is off; turn it on in config/plugins`,
        )
      visit(needed)
    }
    visiting.delete(entry.spec.name)
    ordered.push(entry)
  }
  for (const entry of byName.values()) visit(entry)
  checkClaims(ordered)
  return ordered
}

function checkSettings(spec: RawPlugin, config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const settings = structuredClone(config) as Record<string, unknown>
  const schema = { type: 'object', additionalProperties: false, ...spec.config }
  const validate = new Ajv({ useDefaults: true, allErrors: true, strict: false }).compile(schema)
  if (validate(settings)) return Object.freeze(settings)
  const known = Object.keys((spec.config as { properties?: object } | undefined)?.properties ?? {})
  const sentences = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = (params as { additionalProperty?: string }).additionalProperty
    const at = `config/plugins: ${spec.name}.config${instancePath.replaceAll('/', '.')}`
    if (extra !== undefined)
      return `${at}.${extra} is not a setting of the plugin; ${known.length > 0 ? `there are ${known.join(', ')}` : 'it has none'}`
    return `${at} ${message}`
  })
  throw new BootError(sentences.join('\n'))
}

const ownParams = [...Object.keys(nodeParams), 'pagination', 'page', 'pageSize', 'start', 'limit']

/** Two plugins may not declare the same parameter, field type, format, content type, command or route. */
function checkClaims(plugins: readonly EnabledPlugin[]): void {
  const claims = new Map<string, string>()
  const claim = (plugin: string, what: string) => {
    const former = claims.get(what)
    if (former !== undefined) throw new BootError(`the plugins ${former} and ${plugin} both declare the ${what}`)
    claims.set(what, plugin)
  }
  for (const { spec } of plugins) {
    for (const name of Object.keys(spec.params ?? {})) {
      if (ownParams.includes(name))
        throw new BootError(`plugin ${spec.name} declares the parameter "${name}", which is core's own`)
      claim(spec.name, `parameter "${name}"`)
    }
    for (const { name } of spec.fieldTypes ?? []) claim(spec.name, `field type "${name}"`)
    for (const name of Object.keys(spec.formats ?? {})) claim(spec.name, `format "${name}"`)
    for (const { uid } of spec.contentTypes ?? []) claim(spec.name, `content type ${uid}`)
    for (const { name } of spec.commands ?? []) claim(spec.name, `command "${name}"`)
    for (const { method, path } of spec.routes ?? []) claim(spec.name, `route ${method} ${path}`)
  }
}

/** The hooks of the plugins that apply to a type, bound to their services. */
export function hooksFor(
  type: Omit<ContentType, 'fields' | 'links'>,
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
): BoundHooks[] {
  return plugins.flatMap(({ spec, config }) =>
    spec.hooks && appliesTo(spec, config, type)
      ? [{ plugin: spec.name, hooks: spec.hooks as BoundHooks['hooks'], service: services.get(spec.name) }]
      : [],
  )
}

export function appliesTo(
  spec: RawPlugin,
  config: Readonly<Record<string, unknown>>,
  type: Omit<ContentType, 'fields' | 'links'>,
): boolean {
  return spec.appliesTo ? spec.appliesTo(type, config as never) : true
}
