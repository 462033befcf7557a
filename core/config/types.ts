import type { Dialect } from '../dialect.js'
import type { Env } from './env.js'
import type { HostAddress } from './hosts.js'
import type { Project, ValuesOf } from './setting.js'
import type { api, database, elsewhere, log, server } from './settings.js'

/** Everything the server may be told, checked and complete; frozen once it is loaded. */
export interface Config {
  /** The absolute folder of the app: config/, content types, public/. */
  readonly appDir: string
  /** The kind of project that the folder is. */
  readonly project: Project
  /** NODE_ENV, or "development". */
  readonly environment: string
  readonly server: ServerConfig
  readonly database: DatabaseConfig
  readonly api: ApiConfig
  /** The settings of `config/plugins`, by plugin name. */
  readonly plugins: Readonly<Record<string, PluginSwitch>>
  /** The content of `config/permissions`; a plugin gives it a meaning. */
  readonly permissions?: unknown
  /** The content of `config/webhooks`, for a plugin as well. */
  readonly webhooks?: unknown
  /** The content of `config/console`, for a plugin, too. */
  readonly console?: unknown
  readonly log: ValuesOf<typeof log>
  /** Settings of older projects that this server has no use for, by file name. */
  readonly foreign: Readonly<Record<string, unknown>>
  /** Likely mistakes in the files that may be meant: a sentence each. */
  readonly notices: readonly string[]
}

/** `config/server` */
export interface ServerConfig extends ValuesOf<typeof server> {}
export type BodyLimits = ServerConfig['body']
export type CorsConfig = ServerConfig['cors']
export type HeadersConfig = ServerConfig['headers']

/** `config/database`, whichever of its two shapes the file has; only the settings of its engine are there. */
export interface DatabaseConfig
  extends ValuesOf<Omit<typeof elsewhere, 'replicas'> & Pick<typeof database, 'client' | 'ssl' | 'timezone' | 'pool'>>,
    Partial<ValuesOf<Pick<typeof database, 'filename' | 'port' | 'database' | 'user' | 'password' | 'schema'>>> {
  /** The database server. */
  readonly host?: string
  /** MySQL only: the other servers of its cluster, tried one after the other. Written as more hosts in `host`. */
  readonly fallbacks?: readonly HostAddress[]
  /** MySQL and PostgreSQL: copies of the database that reads may go to, written as far as they differ from it. */
  readonly replicas: readonly ReplicaConfig[]
}

/** `config/database: replicas`, one of them. */
export interface ReplicaConfig extends Pick<DatabaseConfig, 'database' | 'user' | 'password' | 'ssl'> {
  readonly host: string
  readonly port: number
}

/** `config/api` */
export interface ApiConfig
  extends Pick<ValuesOf<typeof api.rest>, 'prefix'>,
    Pick<ValuesOf<typeof api.responses>, 'privateAttributes'> {
  readonly rest: RestConfig
}

/** `config/api: rest` */
export interface RestConfig extends Omit<ValuesOf<typeof api.rest>, 'prefix'> {
  /** Single points of the dialect, set one by one; written directly in `rest`. */
  readonly flags: Readonly<Record<string, unknown>>
}

/** One entry of `config/plugins`. */
export interface PluginSwitch {
  /** Off means it was never there. */
  readonly enabled: boolean
  /** The path or package of the plugin, if its name does not tell. */
  readonly resolve?: string
  /** The plugin's own settings, which it checks itself. */
  readonly config: Readonly<Record<string, unknown>>
}

export type LogLevel = Config['log']['level']

/** Settings in the shape of the files, by their names in config/: `{ api: { rest: { maxLimit: 10 } }, plugins: { likes: true } }`. */
export interface Overrides {
  /** The environment in place of NODE_ENV. */
  readonly environment?: string
  readonly server?: DeepPartial<ServerConfig>
  readonly database?: DeepPartial<DatabaseConfig> & { readonly url?: string | undefined }
  readonly api?: {
    readonly rest?: DeepPartial<ValuesOf<typeof api.rest>> & Partial<DialectFlags>
    readonly responses?: DeepPartial<ValuesOf<typeof api.responses>>
  }
  readonly plugins?: Readonly<Record<string, boolean | Partial<PluginSwitch>>>
  readonly permissions?: unknown
  readonly webhooks?: unknown
  readonly console?: unknown
  readonly log?: DeepPartial<Config['log']>
  readonly foreign?: Config['foreign']
}

type Files = Required<Omit<Overrides, 'environment' | 'foreign' | 'database'>>

/** The settings in the files of config/, by their names. */
export interface ConfigFiles extends Files {
  /** Variables hold any text: which engines there are is checked at the start. */
  readonly database: Omit<NonNullable<Overrides['database']>, 'client'> & {
    readonly client?: string | undefined
    readonly name?: string | undefined
    readonly username?: string | undefined
  }
}

/** The settings of a file, or a function that makes them of the environment variables. */
export type ConfigOf<Name extends keyof ConfigFiles> =
  | ConfigFiles[Name]
  | ((given: { readonly env: Env }) => ConfigFiles[Name] | Promise<ConfigFiles[Name]>)

/** The settings of a file of config/ as they are, checked by editors and the compiler: `export default defineConfig('api', { ... })`. */
export const defineConfig = <Name extends keyof ConfigFiles>(_name: Name, settings: ConfigOf<Name>): ConfigOf<Name> =>
  settings

type DialectFlags = {
  readonly [Flag in keyof Dialect as Dialect[Flag] extends boolean ? Flag : never]: boolean
}

export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T
