import type { Server } from 'node:http'
import type { Context } from 'koa'
import type { Environment } from '../config/variable.js'
import type { Entries } from '../content/entries.js'
import type { Session, Store, TransactionSession } from '../engines/engine.js'
import type { KnownAction } from '../http/gate.js'
import type { PreventedChange } from '../layout/change/change.js'
import type { Log } from '../log.js'
import type { Caller } from '../query/ask.js'
import type { FileWords } from '../schema/file-words.js'
import type { ChangedFiles } from '../schema/load.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Definition } from '../schema/types.js'
import type { OutgoingSeen } from './observers.js'
import type { AppOutline, PluginOutline } from './outline.js'
import type { AnyPlugin, OptionalPlugin, ServiceOf } from './plugin.js'
import type { Board } from './processes/board.js'
import type { Counts } from './processes/counts.js'
import type { Gauges } from './processes/gauges.js'

export type { Hiding } from './outline.js'

/** The app as a plugin sees it at start: its outline, and the services that the plugin works with. */
export interface Host<Settings = unknown, Stored = Readonly<Record<string, unknown>>>
  extends Pick<AppOutline, 'app' | 'types' | 'actions'> {
  readonly config: Settings
  readonly log: Log
  /** All that the app consists of, its types and actions included. */
  readonly outline: AppOutline
  /** Actions of plugins that are disabled; asking loads those plugins. */
  readonly dormantActions: () => Promise<readonly KnownAction[]>
  /**
   * The purpose of the process: to serve, to run a command and end, or only to look, and then nothing may be written. An import
   * that goes on looks, too.
   */
  readonly purpose: 'serve' | 'command' | 'look'
  readonly store: Store
  /** The state that all processes of the app share. */
  readonly shares: Shares<Stored>
  /**
   * Reads and writes entries of a type with all permissions: no caller, and every hook of the type.
   * Inside a transaction (a hook after the write, a step of `once`) its session must be handed on, to be part of it.
   */
  readonly entries: (uid: string, session?: Session) => Entries
  /** The service of a plugin listed in `uses`; of one that is optional, undefined if it is disabled. */
  readonly service: FindService
  /** Has a job of the plugin with `at` asked now when it is due, rather than in ten seconds: there may be work for it. */
  readonly wakeJob: (name: string) => void
  /** Tells plugins that observe of a request that this one has sent to another server. */
  readonly sent: (seen: Omit<OutgoingSeen, 'plugin'>) => void
  /**
   * Has plugins that keep a record note an action that is no write of an entry, in the transaction of the session. One that cannot
   * rejects, so that there is no action without its record.
   */
  readonly record: (action: ActionTaken, session: TransactionSession) => Promise<void>
  /** Measurements of this process: queue, pool, event loop, plans. */
  readonly gauges: () => Gauges
  /**
   * The body of a request as JSON, a form or a text has it, for middleware before `routing`; undefined where there is none,
   * and where it is of a media type that plugins read. It is read once: a route that takes one has what stands in
   * `ctx.request.body` by then. Rejects as the route would.
   */
  readonly readBody: (ctx: Context) => Promise<unknown>
  /** The HTTP server of this process. Where nothing is to be served it never listens. */
  readonly server: Server
  /** Lets go of every plan: something changed that hooks or parameters looked at while plans were made. */
  readonly forgetPlans: () => void
  /** The schema files of the app, and the meaning of others for its database. */
  readonly schemas: Schemas
  /** Writes the whole content of the app, accounts included, to a new file, as `stele backup` does; writes go on meanwhile. */
  readonly backUp: (order: BackupOrder) => Promise<Backup>
}

/** An action of a plugin that is no write of an entry. */
export interface ActionTaken {
  /** Its kind, by a name of which there are few: `schema-write`. */
  readonly event: string
  readonly caller: Pick<Caller, 'actor' | 'id' | 'scope'>
  /** The changes by names, each with the values before and after, as far as all readers of the record may see them. */
  readonly changes?: Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>> | undefined
}

/** Schema files, as they are now in the folder of the app: they may have changed since the start. */
export interface Schemas {
  /** The files, with others in place of some of them. A `BootError` names one that is no JSON. */
  read(changed?: ChangedFiles): readonly Definition[]
  /** Checks files as a start does, and compares them with the database; a `BootError` has one line for each problem. */
  plan(changed?: ChangedFiles): Promise<SchemaPlan>
  /** The words that the files may have. */
  words(): FileWords
  /** Files that the server whose project it is needs for the new types among others, as far as they are not there. */
  beside(changed: ChangedFiles): ChangedFiles
  /** Writes files; under `stele dev` alone, and where the content types are in files. */
  readonly writing?: SchemaWriting | undefined
}

/** Writes schema files between two servers: this one ends, and the next one starts with them. */
export interface SchemaWriting {
  /** The last write that was begun, also in an earlier run of `stele dev`. */
  last(): SchemaWrite | undefined
  /**
   * Begins a write, and ends this server in order; undefined where another one runs. A `BootError` names a file that is outside of
   * the folder of the app.
   */
  begin(order: SchemaOrder): Promise<SchemaWrite | undefined>
  /**
   * Calls back with a write that failed after it had begun, and with the one who asked for it. Once that has resolved it is not
   * called for this write again, nor by the servers after this one.
   */
  onceFailed(tell: (write: SchemaWrite, by: ActionTaken['caller']) => Promise<void>): Promise<void>
}

/** Files to write, and the changes to make with them. */
export interface SchemaOrder {
  /** The texts as they were when the order was decided: with others nothing is written. */
  readonly before: ChangedFiles
  readonly files: ChangedFiles
  /** The changes of the plan for the database; where the plan has become another one nothing is done. */
  readonly changes: readonly PlannedChange[]
  readonly by: ActionTaken['caller']
}

/** A write of schema files. What failed is undone. */
export interface SchemaWrite {
  /** The time at which it was begun, in ISO 8601. */
  readonly at: string
  readonly state: 'running' | 'applied' | 'failed'
  readonly files: readonly string[]
  readonly reason?: string
  /** The path of the backup in the folder of the app, where one was made. */
  readonly backup?: string
}

/** The changes that `stele plan` shows. */
export interface SchemaPlan {
  /** Sentences that a start logs about the files. */
  readonly warnings: readonly string[]
  readonly changes: readonly PlannedChange[]
  /** Changes that cannot be made while the data is as it is, with the way to make them possible. */
  readonly prevented: readonly PreventedChange[]
  /** Differences that are left alone. */
  readonly notes: readonly string[]
}

export interface PlannedChange {
  /** The group of the change in `stele apply --only`. */
  readonly group: string
  readonly describe: string
  readonly statements: readonly string[]
  /** Rows or values that are gone afterwards. */
  readonly loses: number
}

/** The state that all processes of the app share, as far as the plugin declares it in its `shares`. */
export interface Shares<Stored = Readonly<Record<string, unknown>>> {
  /** Its settings that live in the database. */
  readonly stored: StoredSettings<Stored>
  /**
   * Lets the transactions of all processes that lock one of its locks run one after the other: waits for the earlier ones,
   * and keeps the lock until the transaction of the session ends.
   */
  readonly lock: (session: Session, name: string) => Promise<void>
  /** One of its counts: numbers that all processes on all machines add up. Their keys are stored as they are given. */
  readonly counts: (name: string) => Counts
  /** Messages of the plugin to itself in the other processes. */
  readonly board: Board
  /** The number of processes, as far as this one knows: a count in memory is kept by each. */
  readonly processes: number
}

interface FindService {
  <P extends AnyPlugin>(plugin: P): ServiceOf<P>
  <P extends AnyPlugin>(plugin: OptionalPlugin<P>): ServiceOf<P> | undefined
}

/** Methods of the service of a plugin, which `register` returns, that the server calls if they exist. */
export interface ServiceMethods {
  /**
   * Does what needs the whole app, where it serves: every plugin has started, what is done once is done, and no request has
   * come. What it throws stops the start.
   */
  readonly begin?: () => void | Promise<void>
  /** Lets go of what the service has acquired, when the app stops. */
  readonly close?: () => void | Promise<void>
  /**
   * Lines for the person in front of the terminal in which the server was started, or of `stele dev`, printed once it listens.
   * They are in no log.
   */
  readonly tell?: () => readonly string[] | Promise<readonly string[]>
  /** Notes an action of any plugin, as `host.record` tells of it, in its transaction. What it throws keeps the action from being done. */
  readonly keepRecord?: (
    action: ActionTaken & { readonly plugin: string },
    session: TransactionSession,
  ) => void | Promise<void>
  /** Rereads the data that it caches from the database: at start, and when a request comes a second after the last time. */
  readonly refresh?: () => void | Promise<void>
}

/** An app as its files were found, before its types are read. */
export interface FoundApp<Settings = unknown>
  extends Pick<Host<Settings>, 'app' | 'config' | 'purpose' | 'log'>,
    Pick<AppOutline, 'dialect' | 'dialectName'> {
  /** The schema files of its folders, those of components included. */
  readonly definitions: readonly Definition[]
  /** The enabled plugins, with the parts that others read of them: those that `forApp` of another one gives are not among them. */
  readonly plugins: readonly Pick<PluginOutline, 'name' | 'parts' | 'file'>[]
}

/** Schema files in the words of this server: called with those of the app, and with others that may take their place. */
export type ReadDefinitions = (found: readonly Definition[]) => readonly Definition[]

/** The part of the host that a plugin may use before anything is added to the database. */
export type Starting<Settings = unknown> = Pick<
  Host<Settings>,
  'app' | 'types' | 'actions' | 'outline' | 'config' | 'dormantActions' | 'purpose'
>

/** One change that a running server takes over from its files. */
export interface Reload {
  /** Its description, for the log. */
  readonly describe: string
  apply(): void | Promise<void>
}

export interface BackupOrder {
  /** A folder, made where it is missing, or `s3://bucket/path`; one app alone has its backups there. */
  readonly folder: string
  /** The variables that have the credentials of a bucket: `BACKUP_S3_...`. Those of the process by default. */
  readonly variables?: Environment | undefined
  /** The number of backups to keep there, this one included: older ones are removed. Without it, all of them. */
  readonly keep?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** A backup that was written, and read again. */
export interface Backup {
  readonly file: string
  readonly id: string
  /** Bytes. */
  readonly size: number
  /** The number of rows of each table, and of the things that each plugin keeps beside its rows. */
  readonly tables: Readonly<Record<string, number>>
  readonly parts: Readonly<Record<string, number>>
  /** Names of older files that were removed. */
  readonly removed: readonly string[]
  /** Tables of the database that the app does not have. */
  readonly leftOut: readonly string[]
}

/** Settings that live in the database, where every instance of the app sees them. */
export interface StoredSettings<Stored> {
  get<Key extends keyof Stored & string>(key: Key, session?: Session): Promise<Stored[Key]>
  set<Key extends keyof Stored & string>(key: Key, value: Stored[Key], session?: Session): Promise<void>
}

/** A command of the command line: `stele <name>`, where the name may be two words. */
export interface Command<Service = unknown> {
  readonly name: string
  readonly describe: string
  readonly arguments?: readonly CommandArgument[]
  readonly options?: readonly CommandOption[]
  /**
   * `outline`: it runs on the files of the app, without a database; there is no service then. `declared`: it runs on the
   * declarations of plugins alone: no `forApp` is called.
   */
  readonly opens?: 'outline' | 'declared'
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
  /** Its value is a secret: where it is `-`, it is read from standard input, as other programs see the arguments of a process. */
  readonly isSecret?: boolean
}

export interface CommandCall extends GivenCall {
  /** The outline of the app. */
  readonly app: AppOutline
  /** The settings of the plugin. */
  readonly config: Readonly<Record<string, unknown>>
}

/** The arguments of a command, and the means of responding. */
export interface GivenCall {
  readonly args: readonly string[]
  /** The options by the name of the flag: `--expires-in` is `expiresIn`. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  /** The caller wants JSON instead of text for people. */
  readonly json: boolean
  /** True if a person who can answer is in front of it. */
  readonly interactive: boolean
  /** Asks that person, and shows nothing of what is typed where it is hidden; there where `interactive` is true. */
  readonly ask?: (question: string, options?: { readonly hidden?: boolean }) => Promise<string>
  readonly print: (line: string) => void
  /** Lists rows as a table, or as JSON where that is wanted. */
  readonly table: (rows: readonly Readonly<Record<string, unknown>>[]) => void
}

/** A file that follows from the app: the same app gives the same text. It is written without a database. */
export interface AppFile {
  /** The option of `stele types` that writes it. */
  readonly file: string
  readonly describe: string
  readonly text: (app: AppOutline) => string | Promise<string>
}

/** The part of a plugin in an archive of the whole content, as `stele export` writes it. */
export interface Transfer<Service = unknown> {
  /** Its types of accounts and of their permissions: their entries travel if that is asked for, and its stored settings with them. */
  readonly accounts?: readonly string[]
  /** Keys beside those of its own stored settings, under which the same table has settings of another server that it reads. */
  readonly settings?: (types: Registry) => readonly string[]
  /** Its types whose entries mean something to one installation only, and never travel. */
  readonly stays?: readonly string[]
  /** Data that it keeps beside the database, read in the state of the database that the session shows. */
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
  /** Reads, and reports mistakes; a fix is part of the report. */
  readonly run: (service: Service, report: (finding: Finding) => void) => void | Promise<void>
}

/** Something that has to be well for the server to be ready. */
export interface ReadyCheck<Service = unknown> {
  /** True, or a sentence that names the problem. */
  readonly ready: (service: Service) => true | string | Promise<true | string>
}

/** A reason against the start. */
export interface StartCheck<Settings = unknown> {
  /**
   * Throws where the start is to be refused, as far as settings and types tell: it runs before anything is added to the
   * database, which it does not reach. What it has to say otherwise is for `register`.
   */
  readonly start: (app: Starting<Settings>) => void | Promise<void>
}

/** The result of a check. */
export interface Finding {
  /** An error is wrong now, a warning may go wrong, a note is worth knowing. */
  readonly severity: 'error' | 'warning' | 'note'
  /** A sentence without a full stop, with how many there are. */
  readonly says: string
  /** All of them, or as many as were looked at; a few are shown. */
  readonly examples?: readonly string[]
  /** The examples are a list to be read as a whole: none is left out. */
  readonly whole?: boolean
  /** The advice; it may include statements. */
  readonly advice: string
  /** Fixes it without losing data; `does` says how. Runs with `--fix` only. */
  readonly fix?: { readonly does: string; readonly run: () => unknown }
}

/** A step that is done once in the life of a database, such as filling a new column. */
export interface OnceStep<Service = unknown> {
  readonly name: string
  /** The version of the plugin's package that has it first, for `stele plan`. */
  readonly since?: string
  /**
   * Versions of the plugin without this step would damage its results: they refuse to start on the database from then on.
   * Otherwise they start as before.
   */
  readonly blocksOlder?: true
  readonly run: (session: Session, service: Service) => Promise<void>
  readonly forEach?: never
}

/** Takes over the entries of a type that the plugin begins to apply to: at first, and again after a time without it. */
export interface TypeStep<Service = unknown> {
  readonly forEach: 'type'
  readonly run: (adoption: Adoption, service: Service) => void | Promise<void>
}

/** A type that a plugin begins to apply to, before the first request and once for all processes. */
export interface Adoption {
  readonly type: ContentType
  /** The time at which it ceased to apply, if it ever did: entries made before have known it. */
  readonly since?: Date
  /** The transaction in which it is remembered; all that is done belongs into it. */
  readonly session: Session
}
