import type { Param } from '../query/params.js'

/** The parameters of a plugin, by their names. */
export type ParamTable = Readonly<Record<string, Param>>

/** A plugin with its types folded away, as the kernel keeps it. */
export interface Plugin<Name extends string = string, Params = ParamTable, Service = unknown> {
  readonly name: Name
  readonly params?: Params
  /** Only for the compiler: the type of the service. */
  readonly service?: Service
}
// biome-ignore lint/suspicious/noExplicitAny: any plugin fits here, whatever its parameters and service are
export type AnyPlugin = Plugin<string, any, any>
/** A plugin that another one does without where it is disabled. */
export interface OptionalPlugin<P extends AnyPlugin = AnyPlugin> {
  readonly optional: P
}
export type UsedPlugin = AnyPlugin | OptionalPlugin
/** Marks a plugin in `uses` that may be disabled; `host.service` of it may be undefined then. */
export const optional = <P extends AnyPlugin>(plugin: P): OptionalPlugin<P> => ({ optional: plugin })

/** Parts of plugins that other plugins read, which add them here by module augmentation: see `words.parts`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface PluginParts {}

/** A plugin that the app could turn on, and whether it did. */
export interface OfferedPlugin {
  readonly plugin: AnyPlugin
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  /** The reason why it is enabled or disabled, and the place of one that does not come with the server; told to people. */
  readonly why?: string
  readonly from?: string
  /** The file that it was loaded from. */
  readonly file?: string
}

export type ServiceOf<P> = P extends Plugin<string, infer _Params, infer Service> ? Service : never
