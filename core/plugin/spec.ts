import type { SchemaObject } from 'ajv'
import type { Context } from 'koa'
import type { Project } from '../config/setting.js'
import type { Config } from '../config/types.js'
import type { Format } from '../content/format.js'
import type { Hooks } from '../content/hooks/hooks.js'
import type { Caching } from '../content/parts.js'
import type { KnownAction } from '../http/gate.js'
import type { BodyType, PlacedMiddleware, RemovedRoute, Route } from '../http/parts.js'
import type { ResponseCost, ResponseFor } from '../http/responses/cost-headers.js'
import type { Caller } from '../query/ask.js'
import type { Param } from '../query/params.js'
import type { AttributeKind } from '../schema/field-types.js'
import type { AttributeBase, Definition, TypeOptions, TypeOutline } from '../schema/types.js'
import type { Job } from './job.js'
import type { Observe } from './observers.js'
import type { Hiding } from './outline.js'
import type {
  AppFile,
  Check,
  Command,
  FoundApp,
  Host,
  OnceStep,
  ReadDefinitions,
  ReadyCheck,
  Reload,
  StartCheck,
  Transfer,
  TypeStep,
} from './parts.js'
import type { ParamTable, Plugin, PluginParts, UsedPlugin } from './plugin.js'

export {
  type AnyPlugin,
  type OptionalPlugin,
  optional,
  type Plugin,
  type ServiceOf,
  type UsedPlugin,
} from './plugin.js'

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

/** The values of a table of parameters, as hooks see them. */
export type ParamValues<T> = {
  readonly [Key in keyof T]: T[Key] extends Param<infer Value>
    ? T[Key] extends { readonly default: unknown }
      ? Value
      : Value | undefined
    : never
}

/** A list, or a function if the settings decide its content. */
type BySettings<Item, Settings> = readonly Item[] | ((config: Settings) => readonly Item[])
/** Gives the items of one type. */
type OfType<Item, Settings> = (type: TypeOutline, config: Settings) => readonly Item[]
type ResponseHeaders = (cost: ResponseCost, to: ResponseFor) => Readonly<Record<string, string>>

/** An attribute that a plugin adds to types. */
export interface AddedAttribute extends AttributeBase {
  /** Unique values of the type are unique among the entries with the same value here. */
  readonly uniqueWithin?: boolean
  /** Under these names the `meta` of every entry lists the entries behind it, a link, each with its id and these fields. */
  readonly inMeta?: Readonly<Record<string, readonly string[]>>
  readonly [option: string]: unknown
}
type AddedAttributes = Readonly<Record<string, AddedAttribute>>
type Authenticate<Service> = (request: Context, service: Service) => Caller | undefined | Promise<Caller | undefined>
type StoredTable = Readonly<Record<string, unknown>>
/** The type of a setting, derived from its first value. */
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
  Uses extends readonly UsedPlugin[],
  Params extends ParamTable,
  Service,
  Stored extends StoredTable,
> extends Readonly<Partial<PluginParts>> {
  readonly name: Name
  /** One line: its purpose. */
  readonly describe?: string
  /**
   * Plugins that start first. They must be enabled, and their parameters and services become visible; it does without those
   * that are `optional(plugin)` where they are disabled.
   */
  readonly uses?: Uses
  /**
   * A JSON schema of the settings under `config/plugins`. The default of a setting may be one for each dialect, by their
   * names: `default: { spec: true, ... }`.
   */
  readonly config?: Schema
  /** App folders in which it is enabled unless `config/plugins` speaks of it: always, or with a package that they depend on. */
  readonly standardIn?: { readonly [Kind in Exclude<Project, 'stele'>]?: true | string }
  /** The state that all processes of the app share: see `host.shares`. */
  readonly shares?: {
    /** Settings that live in the database, with their values until they are changed. */
    readonly stored?: Stored & StoredTable
    /** Names of locks. */
    readonly locks?: readonly string[]
    /** Names of counts; a function where the settings decide which there are. */
    readonly counts?: BySettings<string, SettingsOf<Schema>>
  }
  /** The words that it reads in schema files, bodies, headers and other plugins; in schema files, others are taken for misspelt. */
  readonly words?: {
    /** Words in `options` of types, with JSON schemas of their values. */
    readonly options?: { readonly [Key in keyof TypeOptions]?: object }
    /** Words in `pluginOptions.<name>`, of types and of attributes. */
    readonly pluginOptions?: Readonly<Record<string, object>>
    /** Words in relations to one type with endpoints, as hooks read them: under each the data of new entries of the type. */
    readonly relations?: readonly string[]
    /** Request headers beside those of the API: pages of other origins may send them. */
    readonly headers?: BySettings<string, SettingsOf<Schema>>
    /** Parts that it reads of plugins, with JSON schemas of their values: `host.outline.plugins` has them. */
    readonly parts?: { readonly [Part in keyof PluginParts]?: object }
  }
  readonly appliesTo?: (type: TypeOutline, config: SettingsOf<Schema>) => boolean
  readonly contentTypes?: readonly Definition[]
  readonly attributes?: AddedAttributes | ((type: TypeOutline, config: SettingsOf<Schema>) => AddedAttributes)
  /**
   * Entries that only this plugin keeps from being read: those in which an attribute of its own is not set, or is. Where it no
   * longer applies to a type that has some, disabled or not, the start refuses to make them readable unasked.
   */
  readonly hides?: Hiding
  readonly fieldTypes?: readonly AttributeKind[]
  readonly params?: Params & ParamTable
  /**
   * The parts that it has in one app beside these, as the files of the app decide: called before the types of the app are
   * read, also where nothing is to run. Lists are joined, objects are put together, and of anything else there is only one.
   */
  readonly forApp?: (
    found: FoundApp<SettingsOf<Schema>>,
  ) => MoreParts<PluginSpec<Name, Schema, Uses, Params, Service, Stored>>
  /** Runs once at start; what it gives is the plugin's service, the only place that holds state: see `ServiceMethods`. */
  readonly register?: (host: Host<SettingsOf<Schema>, StoredValues<Stored>>) => Service | Promise<Service>
  /**
   * The first plugin that knows the credentials answers; undefined lets the next one look. One that stands `before: 'others'` is
   * asked before all that do not, as some know every request without a token: for a visitor.
   */
  readonly authenticate?: Authenticate<Service> | { readonly before: 'others'; readonly run: Authenticate<Service> }
  readonly hooks?: Partial<Hooks<ParamValues<Params> & NeededParams<Uses>, Service>>
  readonly middleware?: readonly PlacedMiddleware<Service>[]
  /**
   * Its own routes; a function where the settings decide which there are. A function among them gives the routes of one type
   * that has endpoints and that the plugin applies to. Among them stand those that the app is not to have.
   */
  readonly routes?: BySettings<
    Route<Service> | RemovedRoute | OfType<Route<Service> | RemovedRoute, SettingsOf<Schema>>,
    SettingsOf<Schema>
  >
  /**
   * Actions that no route asks for: those of its own, which it looks at itself, and functions that give those on one type,
   * which hooks look at.
   */
  readonly actions?: readonly (KnownAction | OfType<string, SettingsOf<Schema>>)[]
  readonly bodies?: readonly BodyType<Service, SettingsOf<Schema>>[]
  readonly formats?: Readonly<Record<string, Format<SettingsOf<Schema>>>>
  /** Commands of the command line, and files that `stele types` writes. */
  readonly commands?: readonly (Command<Service> | AppFile)[]
  /** Checks: those that `stele doctor` runs, those that have to be well for the server to be ready, and reasons against a start. */
  readonly checks?: readonly (Check<Service> | ReadyCheck<Service> | StartCheck<SettingsOf<Schema>>)[]
  /** Work in its own time: each turn runs in one process of all, and a missed turn is made up for. A function where the settings decide when. */
  readonly jobs?: BySettings<Job<Service>, SettingsOf<Schema>>
  /** Notified of requests, statements and runs of jobs, for metrics, traces and logs; and headers that tell clients of them. */
  readonly observe?: Observe<Service> & {
    /** Headers for responses, of the cost of each. Called once at start; undefined if there are to be none. */
    readonly headers?: (service: Service) => ResponseHeaders | undefined
  }
  /** Files of `config/` that it takes over while the server runs. An error of `prepare` leaves everything as it was, in all plugins. */
  readonly reload?: {
    readonly files: readonly ('permissions' | 'webhooks')[]
    readonly prepare: (config: Config, service: Service) => readonly Reload[] | Promise<readonly Reload[]>
  }
  /** The rules for caches between server and clients. Called once at start; one plugin of an app may have it. */
  readonly caching?: (service: Service) => Caching
  /** Steps that are done once: in the life of a database, or for each type that it begins to apply to. */
  readonly once?: readonly (OnceStep<Service> | TypeStep<Service>)[]
  /** Its part of archives of the whole content. */
  readonly transfer?: Transfer<Service>
}

/** The parts that may follow from the app that a plugin is in, and a reading of its schema files where they say it in other words. */
type MoreParts<Spec> = Given<
  Partial<
    Omit<Spec, 'name' | 'describe' | 'uses' | 'config' | 'standardIn' | 'forApp'> & { definitions: ReadDefinitions }
  >
>
type Given<Parts> = Parts | undefined | Promise<Parts | undefined>

type NeededParams<Uses extends readonly UsedPlugin[]> = Uses extends readonly [
  infer First,
  ...infer Rest extends readonly UsedPlugin[],
]
  ? (First extends Plugin<string, infer Params, infer _Service> ? ParamValues<Params> : unknown) & NeededParams<Rest>
  : unknown

/** Makes a plugin of its declaration. Nothing happens here: the kernel reads it at boot. */
export function definePlugin<
  const Name extends string,
  const Schema extends SchemaObject = SchemaObject,
  const Uses extends readonly UsedPlugin[] = readonly [],
  const Params extends ParamTable = Record<never, never>,
  Service = undefined,
  const Stored extends StoredTable = Record<never, never>,
>(spec: PluginSpec<Name, Schema, Uses, Params, Service, Stored>): Plugin<Name, Params, Service> {
  return spec as Plugin<Name, Params, Service>
}
