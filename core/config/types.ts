import type { DialectName } from '../dialect.js'
import type { Place } from './hosts.js'
import type { Project } from './project.js'

/** Everything the server may be told, checked and complete; frozen once it is loaded. */
export interface Config {
  /** The absolute folder of the app: config/, content types, public/. */
  readonly appDir: string
  /** Whose shape the folder has. */
  readonly project: Project
  /** NODE_ENV, or "development". */
  readonly environment: string
  readonly server: ServerConfig
  readonly database: DatabaseConfig
  readonly api: ApiConfig
  /** What `config/plugins` says, by plugin name. */
  readonly plugins: Readonly<Record<string, PluginSwitch>>
  /** What `config/permissions` says; a plugin gives it a meaning. */
  readonly permissions?: unknown
  readonly log: { readonly level: LogLevel }
  /** What older projects write and this server has no use for, by file name. */
  readonly foreign: Readonly<Record<string, unknown>>
}

/** `config/server` */
export interface ServerConfig {
  /** The address to listen on (0.0.0.0). */
  readonly host: string
  /** The port to listen on (1337); 0 takes a free one. */
  readonly port: number
  /** The address clients know the server by, where it differs from host and port. */
  readonly url?: string
  /** Whose X-Forwarded-* headers are believed: nobody's (false), everybody's, or those of the listed addresses. */
  readonly proxy: boolean | readonly string[]
  /** Milliseconds that running requests get to finish on shutdown (10000). */
  readonly shutdownDeadline: number
  /** Milliseconds for receiving a whole request (300000); 0 waits for ever. */
  readonly requestTimeout: number
  /** Milliseconds for receiving the headers of a request (10000, never more than requestTimeout). */
  readonly headersTimeout: number
  /** Milliseconds an idle connection stays open (5000). */
  readonly keepAliveTimeout: number
  readonly body: BodyLimits
  readonly cors: CorsConfig
  readonly overload: OverloadConfig
  readonly idempotency: IdempotencyConfig
}

/** `config/server: body`, the largest body of each kind in bytes. */
export interface BodyLimits {
  /** application/json (1 MiB) */
  readonly json: number
  /** application/x-www-form-urlencoded (56 KiB) */
  readonly form: number
  /** text/* (56 KiB) */
  readonly text: number
  /** multipart/form-data, all parts together (200 MiB) */
  readonly multipart: number
}

/** `config/server: overload` */
export interface OverloadConfig {
  /** Milliseconds that requests may wait for their turn before new ones are answered 503 (200); 0 refuses none. */
  readonly maxDelay: number
}

/** `config/server: cors` */
export interface CorsConfig {
  /** Whether pages of other origins may read answers at all (true). */
  readonly enabled: boolean
  /** The origins that may: all of them ("*") or the listed ones. */
  readonly origin: '*' | readonly string[]
  /** Seconds a browser may remember a preflight answer (86400). */
  readonly maxAge: number
  /** Whether cookies may travel along (false); needs listed origins. */
  readonly credentials: boolean
}

/** `config/server: idempotency`, how long it is known what was made under an `Idempotency-Key`. */
export interface IdempotencyConfig {
  /** Seconds for which a key is kept (86400); 0 pays no heed to keys. */
  readonly maxAge: number
  /** The longest answer that is kept to be given again, in characters (65536); longer ones are read anew. */
  readonly answer: number
}

export type Engine = 'sqlite' | 'mysql' | 'postgres'

/** `config/database`, whichever of its two shapes the file has. */
export interface DatabaseConfig {
  /** The engine (sqlite). */
  readonly client: Engine
  /** SQLite only: the absolute path of the file (.tmp/data.db in the app), or ":memory:". */
  readonly filename?: string
  /** SQLite only: "full" survives a power cut with every commit, "normal" may lose the last ones (full). */
  readonly synchronous: 'full' | 'normal'
  /** The database server (127.0.0.1). */
  readonly host?: string
  /** Its port (3306, or 5432). */
  readonly port?: number
  /** MySQL only: the other servers of its cluster, tried one after the other. Written as more hosts in `host`. */
  readonly fallbacks?: readonly Place[]
  /** The name of the database on it. */
  readonly database?: string
  readonly user?: string
  readonly password?: string
  /** TLS to the database server: off (false), checked against the known authorities (true), or the driver's options. */
  readonly ssl: boolean | Readonly<Record<string, unknown>>
  /** PostgreSQL only: the schema that holds the tables. */
  readonly schema?: string
  /** The zone in which MySQL and PostgreSQL keep dates: Z, an offset, or local (Z; local in a project of Strapi 4). */
  readonly timezone: string
  /** How many connections are kept (0) and how many there may be (10). */
  readonly pool: { readonly min: number; readonly max: number }
  /** Milliseconds a request waits for a connection (10000). */
  readonly acquireTimeout: number
  /** Milliseconds one statement may take (10000); 0 does not limit it. */
  readonly statementTimeout: number
  /** MySQL and PostgreSQL: copies of the database that reads may go to ([]), written as far as they differ from it. */
  readonly replicas: readonly ReplicaConfig[]
  /** Milliseconds by which the answer of a replica may be behind (5000). */
  readonly maxLag: number
  /** Whether a node of a cluster first waits for what was acknowledged by any of them (true). */
  readonly readYourWrites: boolean
}

/** `config/database: replicas`, one of them. */
export interface ReplicaConfig extends Pick<DatabaseConfig, 'database' | 'user' | 'password' | 'ssl'> {
  readonly host: string
  readonly port: number
}

/** `config/api` */
export interface ApiConfig {
  /** What every path of the API starts with (/api); "" for nothing. Written as `rest.prefix`. */
  readonly prefix: string
  /** Attributes that no answer shows, whatever their type says. Written as `responses.privateAttributes`. */
  readonly privateAttributes: readonly string[]
  readonly rest: RestConfig
}

/** `config/api: rest` */
export interface RestConfig {
  /** Entries on a page when nothing is asked (25). */
  readonly defaultLimit: number
  /** The most entries on a page; null is no maximum, absent leaves it to the dialect. */
  readonly maxLimit?: number | null
  /** Whether a page says how many entries there are, unless asked (true). */
  readonly withCount: boolean
  /** What is open when no plugin decides: everything, uids of actions, or actions by type ([]). */
  readonly public: true | readonly string[] | Readonly<Record<string, true | readonly string[]>>
  /** The name of the response format of types that do not choose one. */
  readonly format?: string
  /** The set of answers where specification and older servers differ; absent leaves it to the kernel. */
  readonly dialect?: DialectName
  /** Single points of the dialect, set one by one; written directly in `rest`. */
  readonly flags: Readonly<Record<string, unknown>>
  /** The most values one query string may carry (1000). */
  readonly maxParameters: number
  /** MiB of answers that are given again while no row has changed, on SQLite (16); 0 keeps none. */
  readonly keptAnswers: number
  readonly limits: CostLimits
}

/** `config/api: rest.limits`, what one request may cost; checked before it runs. */
export interface CostLimits {
  /** SQL statements (100) */
  readonly statements: number
  /** Relations followed by filters and sort (50) */
  readonly joins: number
  /** Conditions in filters (500) */
  readonly conditions: number
  /** Entries read, populated ones included (50000) */
  readonly entries: number
}

/** One entry of `config/plugins`. */
export interface PluginSwitch {
  /** Off means it was never there. */
  readonly enabled: boolean
  /** Where the plugin is found, when its name does not say it. */
  readonly resolve?: string
  /** The plugin's own settings, which it checks itself. */
  readonly config: Readonly<Record<string, unknown>>
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T

/** An object whose keys are not known yet. */
export type Section = Readonly<Record<string, unknown>>
