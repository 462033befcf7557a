import type { Engine } from '../engines/engine.js'
import type { ForeignLayout } from '../layout/foreign.js'
import type { WantedTable } from '../layout/layout.js'
import type { Log } from '../log.js'
import type { ForeignProject } from '../plugin/foreign.js'
import type { Job, JobSeen } from '../plugin/job.js'
import type { Backup, BackupOrder } from '../plugin/parts.js'
import type { CountsStore } from '../plugin/processes/counts.js'
import type { RunningPlugin } from '../plugin/running.js'
import type { Registry } from '../schema/registry.js'

/** The wings, as the kernel uses them: `core/wings.ts` has the real ones. */
export interface Wings {
  readonly foreign: {
    /** The servers whose app folders are opened in place. */
    readonly projects: readonly ForeignProject[]
    /** The server whose databases are used as they are. */
    readonly layout: ForeignLayout
  }
  readonly counts: CountsStore
  readonly jobs: {
    /** Makes the table of jobs, where it is not there. */
    prepare(engine: Engine, foreign: ForeignLayout): Promise<void>
    open(parts: JobRunnerParts): Promise<JobRunner>
  }
  readonly archives: {
    /** The import that was begun in a database and did not end. */
    unfinished(engine: Engine): Promise<UnfinishedImport | undefined>
    backUp(app: ArchivedApp, order: BackupOrder): Promise<Backup>
  }
}

export interface JobRunnerParts {
  readonly engine: Engine
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly time: () => number
  /** Called with every run that has ended. */
  readonly observe?: ((seen: JobSeen) => void) | undefined
}

/** A job of a plugin, with the service that it runs on. */
export interface PluginJob {
  readonly plugin: string
  readonly job: Job
  readonly service: unknown
}

/** Runs the jobs of plugins, each in one process of all that serve the app. */
export interface JobRunner {
  /** Takes the jobs; throws a message about one that is wrong. */
  declare(jobs: readonly PluginJob[]): Promise<void>
  /** Begins to look for jobs that are due. */
  start(): void
  /** Asks a job now whether it is due. */
  wake(name: string): void
  /** Runs a job now, due or not, and rejects where it fails. */
  runNow(name: string): Promise<void>
  /** Aborts running jobs and waits for their end, at most so many milliseconds. */
  stop(deadline: number): Promise<void>
}

/** An import that did not end. */
export interface UnfinishedImport {
  /** Rows of the archive are in the tables. */
  readonly hasRows: boolean
  /** A sentence for the operator: the state of the database, and the way on. */
  readonly explanation: string
}

/** An app, as far as an archive holds it. */
export interface ArchivedApp {
  readonly engine: Engine
  readonly types: Registry
  /** The tables in the order in which rows can be inserted. */
  readonly tables: readonly WantedTable[]
  readonly plugins: readonly RunningPlugin[]
}
