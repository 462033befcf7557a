import type { SchemaObject } from 'ajv'
import type { Context } from 'koa'
import type { Config, Project } from '../config/types.js'
import type { Format } from '../content/format.js'
import type { Hooks } from '../content/hooks.js'
import type { Caching } from '../content/parts.js'
import type { DialectName } from '../dialect.js'
import type { KnownAction } from '../http/gate.js'
import type { BodyType, PlacedMiddleware, Route } from '../http/parts.js'
import type { ResponseCost, ResponseFor } from '../http/responses/cost-headers.js'
import type { UidColumn } from '../layout/change/value-renames.js'
import type { Caller } from '../query/ask.js'
import type { Param } from '../query/params.js'
import type { AttributeKind } from '../schema/field-types.js'
import type { AttributeBase, Definition, TypeOptions, TypeOutline } from '../schema/types.js'
import type { Job } from './job.js'
import type { Observe } from './observers.js'
import type {
  Adoption,
  AppFile,
  Check,
  Command,
  Host,
  OnceStep,
  Reload,
  Transfer,
  Verifying,
  Withholding,
} from './parts.js'

/** The settings of a plugin, inferred from its JSON schema. */
export type SettingsOf<S> = S extends { readonly properties: infer Properties }
  ? {
      readonly [Key in keyof Properties]: Key extends RequiredOf<S>
        ? Exclude<ValueOf<Properties[Key]>, undefined>
        : ValueOf<Properties[Key]>
    }
  : Readonly<Record<string, never>>
/** The names that a schema lists as required, where they are known to the compiler. */
type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never
type ValueOf<S> = S extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : S extends { readonly type: 'string' }
    ? Optional<S, string>
    : S extends { readonly type: 'boolean' }
      ? Optional<S, boolean>
      : S extends { readonly type: 'integer' | 'number' }
        ? Optional<S, number>
        : S extends { readonly type: 'array'; readonly items: infer Item }
          ? Optional<S, readonly NonNullable<ValueOf<Item>>[]>
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

type AddedAttributes = Readonly<Record<string, AttributeBase & Readonly<Record<string, unknown>>>>
type StoredTable = Readonly<Record<string, unknown>>
/** What a setting may become, told by its first value. */
type Widened<T> = T extends string
  ? string
  : T extends boolean
    ? boolean
    : T extends number
      ? number
      : T extends readonly (infer Item)[]
        ? readonly Widened<Item>[]
        : T extends object
          ? { readonly [Key in keyof T]: Widened<T[Key]> }
          : T
export type StoredValues<T> = { readonly [Key in keyof T]: Widened<T[Key]> }

/** A plugin as its author writes it: everything it does to the server can be read off it before it runs. */
export interface PluginSpec<
  Name extends string,
  Schema extends SchemaObject,
  Needs extends readonly AnyPlugin[],
  Params extends ParamTable,
  Service,
  Stored extends StoredTable,
> {
  readonly name: Name
  /** One line: what it is for. */
  readonly describe?: string
  /** Plugins that must be enabled; they start first, and their parameters and services become visible. */
  readonly needs?: Needs
  /** Plugins that start first where they are enabled; it does without them where they are disabled. */
  readonly uses?: readonly AnyPlugin[]
  /** A JSON schema of the settings under `config/plugins`. */
  readonly config?: Schema
  /** Settings that begin with other values in a dialect; what the app's config says holds in any. */
  readonly dialects?: { readonly [Dialect in DialectName]?: Partial<SettingsOf<Schema>> }
  /** Settings that live in the database, with their values until they are changed. */
  readonly stored?: Stored & StoredTable
  /** App folders in which it is enabled unless `config/plugins` speaks of it: always, or with a package that they depend on. */
  readonly standardIn?: { readonly [Kind in Exclude<Project, 'stele'>]?: true | string }
  /** The words that it reads in `options` of schema files, with JSON schemas of their values; others are taken for misspelt. */
  readonly typeOptions?: { readonly [Key in keyof TypeOptions]?: object }
  /** The same for `pluginOptions.<name>`, of types and of attributes. */
  readonly pluginOptions?: Readonly<Record<string, object>>
  readonly appliesTo?: (type: TypeOutline, config: SettingsOf<Schema>) => boolean
  readonly contentTypes?: readonly Definition[]
  readonly attributes?: AddedAttributes | ((type: TypeOutline, config: SettingsOf<Schema>) => AddedAttributes)
  /** Attributes of a type that stand for separate worlds: what is unique is so within each. */
  readonly uniqueWithin?: readonly string[]
  /**
   * An attribute of its own, without which an entry is there: where it is set, no write reaches the entry or links to it,
   * except one that a hook marks (`write.gone`). A delete for which a hook gives `set` keeps the row, with these values.
   */
  readonly gone?: string
  /** What the `meta` of every entry of a type lists: the entries behind a link, each with its id and these fields. */
  readonly entryMeta?: Readonly<Record<string, { readonly link: string; readonly fields: readonly string[] }>>
  /** Columns of its types that hold uids, or actions, which begin with one: they follow when a type is renamed. */
  readonly uidColumns?: readonly UidColumn[]
  readonly fieldTypes?: readonly AttributeKind[]
  readonly params?: Params & ParamTable
  /** Runs once at start; what it gives is the plugin's service, the only place that holds state. */
  /**
   * Throws where the start is to be refused, as far as settings and types tell: it runs before anything is added to the
   * database, which it does not reach. What it has to say otherwise is for `register`.
   */
  readonly verify?: (app: Verifying<SettingsOf<Schema>>) => void | Promise<void>
  readonly register?: (host: Host<SettingsOf<Schema>, StoredValues<Stored>>) => Service | Promise<Service>
  readonly close?: (service: Service) => void | Promise<void>
  /** Rereads what the service keeps of the database: at start, and when a request comes a second after the last time. */
  readonly refresh?: (service: Service) => void | Promise<void>
  /** The first plugin that knows the credentials answers; undefined lets the next one look. */
  readonly authenticate?: (request: Context, service: Service) => Caller | undefined | Promise<Caller | undefined>
  /** Request headers that it reads beside those of the API: pages of other origins may send them. A function where the settings decide. */
  readonly requestHeaders?: readonly string[] | ((config: SettingsOf<Schema>) => readonly string[])
  readonly hooks?: Partial<Hooks<ParamValues<Params> & NeededParams<Needs>, Service>>
  readonly middleware?: readonly PlacedMiddleware<Service>[]
  /** Its own routes; a function where the settings decide which there are. */
  readonly routes?: readonly Route<Service>[] | ((config: SettingsOf<Schema>) => readonly Route<Service>[])
  /** The routes of one type that has endpoints and that the plugin applies to. */
  readonly typeRoutes?: (type: TypeOutline, config: SettingsOf<Schema>) => readonly Route<Service>[]
  /** Actions on one type that no route asks for: hooks look whether the caller may do them. */
  readonly typeActions?: (type: TypeOutline, config: SettingsOf<Schema>) => readonly string[]
  /** Actions of its own that no route asks for: it looks itself whether a caller may do them. */
  readonly actions?: readonly KnownAction[]
  readonly bodies?: readonly BodyType<Service>[]
  readonly formats?: Readonly<Record<string, Format>>
  readonly commands?: readonly Command<Service>[]
  /** Files that follow from the app, each by its option of `stele types`. They are written without a database. */
  readonly files?: Readonly<Record<string, AppFile>>
  /** Ready while every check is true; a sentence says what is wrong. */
  readonly health?: (service: Service) => true | string | Promise<true | string>
  /** What `stele doctor` looks at for it. */
  readonly checks?: readonly Check<Service>[]
  /** Work in its own time: each turn runs in one process of all, and a missed turn is made up for. A function where the settings decide when. */
  readonly jobs?: readonly Job<Service>[] | ((config: SettingsOf<Schema>) => readonly Job<Service>[])
  /** Notified of requests, statements and runs of jobs, for metrics, traces and logs. */
  readonly observe?: Observe<Service>
  /** Headers for responses, of what each has cost. Called once at start; undefined where there are to be none. */
  readonly responseHeaders?: (
    service: Service,
  ) => ((cost: ResponseCost, to: ResponseFor) => Readonly<Record<string, string>>) | undefined
  /** Files of `config/` that it takes over while the server runs. What `prepare` throws leaves everything as it was, in all plugins. */
  readonly reload?: {
    readonly files: readonly ('permissions' | 'webhooks')[]
    readonly prepare: (config: Config, service: Service) => readonly Reload[] | Promise<readonly Reload[]>
  }
  /** What caches between server and clients may do with responses. Called once at start; one plugin of an app may have it. */
  readonly caching?: (service: Service) => Caching
  /** Names for `host.lock`. */
  readonly locks?: readonly string[]
  /** Names for `host.counts`; a function where the settings decide which there are. */
  readonly counts?: readonly string[] | ((config: SettingsOf<Schema>) => readonly string[])
  readonly sync?: readonly OnceStep<Service>[]
  /** Takes over the entries of a type that it begins to apply to: at first, and again after a time without it. */
  readonly adopt?: (adoption: Adoption, service: Service) => void | Promise<void>
  /**
   * Entries that only this plugin keeps from being read: those in which an attribute of its own is not set, or is. Where it no
   * longer applies to a type that has some, disabled or not, the start refuses to make them readable unasked.
   */
  readonly withholds?: Withholding
  /** What relations to one type with endpoints take, as hooks read it: under each word the data of new entries of the type. */
  readonly relationWords?: readonly string[]
  /** What archives of the whole content have to know of it. */
  readonly transfer?: Transfer<Service>
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
export type ServiceOf<P> = P extends Plugin<string, infer _Params, infer Service> ? Service : never
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
  const Stored extends StoredTable = Record<never, never>,
>(spec: PluginSpec<Name, Schema, Needs, Params, Service, Stored>): Plugin<Name, Params, Service> {
  return spec as Plugin<Name, Params, Service>
}
