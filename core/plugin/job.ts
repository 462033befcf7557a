/** Work that a plugin does in its own time, in one process of all that serve the app. */
export type Job<Service = unknown> = JobWork<Service> & Turns<Service>

interface JobWork<Service> {
  /** Unique within the plugin. */
  readonly name: string
  readonly describe?: string
  /** True if there is anything for it to do in this app; asked once, at start. A job that is not needed does not exist. */
  readonly isNeeded?: (service: Service) => boolean
  /**
   * Does the work of one turn. An error is logged and the work tried again at the next turn. A process may be lost in the middle
   * of a run, after which another one runs the turn again: so work that was done already has to be recognised.
   */
  readonly run: (call: JobCall, service: Service) => unknown
}

/** The turns of a job. */
type Turns<Service> =
  /** `10s`, `5m`, `2h` or `1d`. */
  | { readonly every: string }
  /** A cron expression of five fields, or of six with seconds first; in UTC unless a time zone (`Europe/Berlin`) is given. */
  | { readonly cron: string; readonly timeZone?: string }
  /** Tells the time of the next turn, undefined if there is none yet; it is asked every ten seconds and after each run. */
  | { readonly at: (service: Service) => Date | undefined | Promise<Date | undefined> }

/** One run of a job. */
export interface JobCall {
  /** Aborted when the server begins to stop, and when another process may have taken over. */
  readonly signal: AbortSignal
  readonly now: Date
  /** The turn that is run: earlier than now where it was missed. */
  readonly due: Date
  /** No process was there at the time. However many turns were missed, they are made up for with one run. */
  readonly missed: boolean
}

/** A run of a job that has ended. */
export interface JobSeen {
  readonly plugin: string
  readonly job: string
  readonly ms: number
  readonly missed: boolean
  /** The error with which it failed. */
  readonly error?: unknown
}
