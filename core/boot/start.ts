import type { Config } from '../config/types.js'
import type { Dialect, DialectName } from '../dialect.js'
import type { Doorway } from '../http/sockets/doorway.js'
import type { Port } from '../http/sockets/server.js'
import type { Log } from '../log.js'
import type { EnabledPlugin, RawPlugin } from '../plugin/arrange.js'
import type { Observers } from '../plugin/observers.js'
import type { AppOutline } from '../plugin/outline.js'
import type { ActionTaken, Host, PlannedChange, ReadDefinitions, SchemaWrite, SchemaWriting } from '../plugin/parts.js'
import type { OfferedPlugin } from '../plugin/plugin.js'
import type { Boards } from '../plugin/processes/board.js'
import type { Registry } from '../schema/registry.js'
import type { Definition } from '../schema/types.js'
import type { Origin } from './endpoints.js'
import type { Wings } from './wings.js'

/** An app that is to be started, and the place that it has among its processes. */
export interface BootOptions {
  /** Counts, jobs, archives and other servers' projects: `core/wings.ts` has them. */
  readonly wings: Wings
  readonly config: Config
  readonly log: Log
  readonly plugins: readonly OfferedPlugin[]
  /** Plugins that the settings do not mention: looked at only where a type has something that no enabled plugin knows. */
  readonly unmentioned?: () => Promise<readonly OfferedPlugin[]>
  /** Content types in place of those in the app's folder. */
  readonly definitions?: readonly Definition[]
  /** The purpose that plugins hear of; to serve, unless this says another. */
  readonly purpose?: Host['purpose']
  /** Plugins have the parts that they declare, and none that follow from the app. */
  readonly asDeclared?: boolean
  /** The number of processes that serve the app together; one by default. */
  readonly processes?: number
  /** The boards of the processes that serve together; by default this one is alone. */
  readonly boards?: Boards | undefined
  /** The time of requests and of jobs, in milliseconds since 1970; that of the system by default. */
  readonly time?: () => number
  /** Opens the port before the database is reached, and says on it that the app is starting. */
  readonly doorway?: Doorway
  /** Notified of the steps of the start. */
  readonly progress?: StartProgress
  /** The content of an archive is about to be put in place, and may be half there. */
  readonly imports?: boolean
  /** The supervisor of a server that is developed. */
  readonly development?: Development | undefined
}

/** Writes the schema files of an app between two of its servers. */
export interface Development {
  last(): SchemaWrite | undefined
  begin(task: SchemaTask): Promise<SchemaWrite | undefined>
  onceFailed: SchemaWriting['onceFailed']
}

/** One write of schema files; values of JSON. */
export interface SchemaTask {
  readonly at: string
  readonly files: readonly FileChange[]
  /** The changes that `stele apply` makes; none where the next start does all. */
  readonly applies: readonly PlannedChange[]
  /** The database is as before where `stele apply` fails. */
  readonly isUndone: boolean
  readonly by: ActionTaken['caller']
}

/** A file by its path in the folder of the app; null is none. */
export interface FileChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** The plugins and content types of an app: known before anything is opened or runs. */
export interface Outline {
  readonly dialectName: DialectName
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  readonly registry: Registry
  /** The schemas of the app as they were found. */
  readonly definitions: readonly Definition[]
  /** The plugins' reading of schema files. */
  readonly read: ReadDefinitions
  /** The names that the `meta` of every entry lists. */
  readonly listedInMeta: readonly string[]
  /** The disabled plugins, for their declarations. */
  readonly off: () => Promise<readonly RawPlugin[]>
}

/** A start that goes on: its steps all know this much. */
export interface Start {
  readonly options: BootOptions
  readonly outline: Outline
  readonly endpoints: readonly Origin[]
  /** The outline as plugins and commands read it. */
  readonly app: AppOutline
  readonly dormantActions: Host['dormantActions']
  readonly observers: Observers
  /** The port at which requests arrive, once it is open. */
  readonly port: Port
  /** The services of the plugins that have started, by their names. */
  readonly started: Map<string, unknown>
  readonly progress: StartProgress
  /** Steps that let go of everything, to be taken in the reverse order. */
  readonly undo: (() => unknown)[]
}

/** Milliseconds between two lines of the log about work that takes long. */
const apart = 5_000

/** The step that a start is at: for health checks, and for the log if it takes long. */
export class StartProgress {
  readonly #log: Log
  readonly #now: () => number
  #doing = 'reading the app'
  #told: number

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
    this.#told = now()
  }

  get doing(): string {
    return this.#doing
  }

  begin(doing: string): void {
    this.#doing = doing
    this.#told = this.#now()
  }

  /** Reports progress: the number of things of one kind that are done. */
  at(doing: string, done: number, total: number): void {
    this.#doing = `${doing}: ${done} of ${total}`
    const now = this.#now()
    if (now - this.#told < apart) return
    this.#told = now
    this.#log.info({ done, total }, this.#doing)
  }
}
