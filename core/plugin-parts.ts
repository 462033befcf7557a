import type { Context, Middleware as KoaMiddleware } from 'koa'
import type { KnownAction } from './boot/actions.js'
import type { Config } from './config/types.js'
import type { Notable } from './content/retries.js'
import type { Caller, Entry } from './hooks.js'
import type { Finished } from './http/routes.js'
import type { Log } from './log.js'
import type { AnyPlugin, ServiceOf } from './plugin.js'
import type { Registry } from './schema/registry.js'
import type { ContentType } from './schema/types.js'
import type { Session, Store } from './store/engine.js'
import type { Entries } from './store/entries.js'

/** What a plugin is given when it starts. */
export interface Host<Settings = unknown, Stored = Readonly<Record<string, unknown>>> {
  readonly config: Settings
  readonly app: Config
  readonly log: Log
  readonly types: Registry
  /** Everything that callers may be allowed to do: the actions of all routes. */
  readonly actions: readonly KnownAction[]
  /** Actions of plugins that are off. */
  readonly dormantActions: readonly KnownAction[]
  /** Whether it serves, only runs a command and ends, or is only looked at: then nothing may be written. */
  readonly purpose: 'serve' | 'command' | 'look'
  /** How many processes serve the app together, as far as this one knows: what is counted in memory is counted in each. */
  readonly processes: number
  readonly store: Store
  /** The settings that the plugin declares as `stored`, as the database has them. */
  readonly stored: StoredSettings<Stored>
  /**
   * Reads and writes entries of a type with all rights: no caller, no permission, every hook of the type.
   * Inside a transaction (a hook after the write, a `sync` step) its session must be handed on, to be part of it.
   */
  readonly entries: (uid: string, session?: Session) => Entries
  /** The service of a plugin that stands in `needs`. */
  readonly service: <P extends AnyPlugin>(plugin: P) => ServiceOf<P>
  /** The service of a plugin that stands in `uses`; undefined where that is off. */
  readonly serviceIfOn: <P extends AnyPlugin>(plugin: P) => ServiceOf<P> | undefined
  /** Lets go of every plan: something changed that hooks or parameters looked at while plans were made. */
  readonly forgetPlans: () => void
}

/** Settings that live in the database, where every instance of the app sees them. */
export interface StoredSettings<Stored> {
  get<Key extends keyof Stored & string>(key: Key, session?: Session): Promise<Stored[Key]>
  set<Key extends keyof Stored & string>(key: Key, value: Stored[Key], session?: Session): Promise<void>
}

/** One request as a plugin's own route sees it. */
export interface RouteCall<Service = unknown> {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly service: Service
  readonly content: CallerContent
}

/**
 * Reads and writes in the name of the caller, with the query of the request, as the generated endpoints do: what it gives
 * is a finished answer in the format of the type. The right to the route itself was asked at the gate.
 */
export interface CallerContent {
  find(uid: string, options?: AskOptions): Promise<Finished>
  findOne(uid: string, id: unknown, options?: AskOptions): Promise<Finished>
  /** How many entries `find` would list in all. */
  count(uid: string, options?: AskOptions): Promise<number>
  create(uid: string, data: unknown, options?: AskOptions): Promise<Finished>
  /** Without an id: the entry of a single type that the query's parameters mean. `begin` runs first in its transaction. */
  update(uid: string, id: unknown, data: unknown, options?: UpdateOptions): Promise<Finished>
  delete(uid: string, id: unknown, options?: AskOptions): Promise<Finished>
  /**
   * Does something else than `create` once for the `Idempotency-Key` of the request. `write` calls `take` and `keep` of its
   * claim in the transaction of what it does; what came again is answered by `read`, from the note that was kept.
   */
  once<Answer>(work: Notable<Answer>): Promise<Answer>
}

export interface UpdateOptions extends AskOptions {
  readonly begin?: ((session: Session) => Promise<void>) | undefined
}

export interface AskOptions {
  /** A query text in place of the request's own. */
  readonly query?: string
  /** The right under which it is done, as hooks and row rules are told; the method's own name otherwise. */
  readonly permission?: string
  /** `open`: top-level `start` and `limit` count, `pagination` is ignored, and there is no page by default. */
  readonly paging?: 'open'
}

/** A route of a plugin: it passes the same gate as the generated ones, under its own action name. */
export interface Route<Service = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In the router's notation: `/users/:id`. */
  readonly path: string
  /** Where the path begins: below the API prefix, or at the root of the server. */
  readonly at?: 'api' | 'root'
  /** The permission that it asks for: `plugin::<name>.<action>`; null leaves the gate open for everybody. */
  readonly action: string | null
  /** The uid the action belongs to; `plugin::<name>` otherwise, for a route of a type that of the type. */
  readonly uid?: string
  /** `needed`: whoever sends none is asked for them, whatever visitors may do otherwise. */
  readonly credentials?: 'needed'
  readonly format?: string
  readonly describe?: string
  /** Whether the body is read for it; `raw` leaves it to the route. Methods that have bodies are `parsed` by default. */
  readonly body?: 'parsed' | 'raw' | 'none'
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

/** Reads bodies of a media type, for every route that takes one. */
export interface BodyType<Service = unknown> {
  /** `multipart/form-data` */
  readonly type: string
  readonly read: (place: BodyPlace, service: Service) => Promise<ReadBody>
}

export interface BodyPlace {
  readonly ctx: Context
  readonly caller: Caller
  /** The action and the type of the route, where it has them. */
  readonly action: string | undefined
  readonly uid: string | undefined
  /** The request may be sent again: what is read needs a `fingerprint`. */
  readonly fingerprinted: boolean
}

export interface ReadBody {
  /** The body as JSON would have brought it. */
  readonly body: unknown
  /** The same for two bodies that ask for the same; without it, `body` itself has to be. */
  readonly fingerprint?: string
  /** Runs when the answer is known; `failed` tells that the request was refused, or had been served before. */
  readonly release?: (failed: boolean) => void | Promise<void>
}

/** Koa middleware at a named place of the request's way. */
export interface PlacedMiddleware<Service = unknown> {
  readonly before: 'authenticate' | 'route'
  readonly run: (service: Service) => KoaMiddleware
}

/** A command of the command line: `stele <name>`, where the name may be two words. */
export interface Command<Service = unknown> {
  readonly name: string
  readonly describe: string
  readonly arguments?: readonly CommandArgument[]
  readonly options?: readonly CommandOption[]
  readonly run: (call: CommandCall, service: Service) => unknown
}

export interface CommandArgument {
  readonly name: string
  readonly describe: string
  readonly required?: boolean
  /** Takes all that follow, as a list. */
  readonly many?: boolean
}

export interface CommandOption {
  /** `--type <type>` takes a value, `--all` does not. */
  readonly flags: string
  readonly describe: string
  readonly default?: string
  readonly choices?: readonly string[]
}

export interface CommandCall {
  readonly args: readonly string[]
  /** By the name of the flag: `--expires-in` is `expiresIn`. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  /** The caller wants JSON instead of text for people. */
  readonly json: boolean
  /** Whether a person who can answer is in front of it. */
  readonly interactive: boolean
  readonly print: (line: string) => void
  /** Lists rows as a table, or as JSON where that is wanted. */
  readonly table: (rows: readonly Readonly<Record<string, unknown>>[]) => void
}

/** What an archive of the whole content, as `stele export` writes it, has to know of a plugin. */
export interface Transfer<Service = unknown> {
  /** Its types of accounts and of what they may do: their entries travel where that is asked for, and its stored settings with them. */
  readonly accounts?: readonly string[]
  /** Its types whose entries mean something to one installation only, and never travel. */
  readonly stays?: readonly string[]
  /** What it keeps beside the database, read in the state of the database that the session shows. */
  readonly export?: (session: Session, service: Service) => AsyncIterable<ArchivePart>
  /** Takes one of these back; the rows are there already, and the same part may come twice. */
  readonly import?: (part: ArchivePart, service: Service) => Promise<void>
  /** The rows of the database are about to be replaced by those of an archive. */
  readonly before?: (service: Service) => void | Promise<void>
  /** All that an archive held is there. */
  readonly after?: (service: Service) => void | Promise<void>
}

/** Something in an archive that is no row, under a name that means something to its plugin. */
export interface ArchivePart {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

/** Something that `stele doctor` looks at, in a database and a project that nothing else touches meanwhile. */
export interface Check<Service = unknown> {
  readonly name: string
  readonly describe: string
  /** Reads, and reports what is wrong; mending is left to what it reports. */
  readonly run: (service: Service, report: (finding: Finding) => void) => void | Promise<void>
}

/** What a check has found. */
export interface Finding {
  /** An error is wrong now, a warning may go wrong, a note is worth knowing. */
  readonly severity: 'error' | 'warning' | 'note'
  /** A sentence without a full stop, with how many there are. */
  readonly says: string
  /** All of them, or as many as were looked at; a few are shown. */
  readonly examples?: readonly string[]
  /** What to do about it; statements may stand in it. */
  readonly advice: string
  /** Mends it without taking anything that is worth something; `does` says how. Runs with `--fix` only. */
  readonly fix?: { readonly does: string; readonly run: () => unknown }
}

/** A step that is done once in the life of a database, such as filling a new column. */
export interface OnceStep<Service = unknown> {
  readonly name: string
  readonly run: (session: Session, service: Service) => Promise<void>
}

/** A type that a plugin begins to apply to, before the first request and once for all processes. */
export interface Adoption {
  readonly type: ContentType
  /** When it ceased to apply, if it ever did: what was made before has known it. */
  readonly since?: Date
  /** The transaction in which it is remembered; all that is done belongs into it. */
  readonly session: Session
}
