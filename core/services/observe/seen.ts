/** A request that has been answered, or whose client has left. Nothing in it is a credential. */
export interface RequestSeen {
  readonly requestId: string
  /** Its W3C `traceparent`, where it has a valid one. */
  readonly traceparent: string | undefined
  readonly method: string
  /** Without what stands behind the question mark. */
  readonly path: string
  /** The path of the route in the router's notation: `/api/articles/:id`. Undefined where no route was found, or looked for. */
  readonly route: string | undefined
  /** The plugin whose route it is; undefined for generated ones. */
  readonly plugin: string | undefined
  /** The permission that the route requires, and what it belongs to. */
  readonly action: string | undefined
  readonly uid: string | undefined
  readonly status: number
  /** From when the server began to serve it until the response was handed over; time in the queue is not part of it. */
  readonly ms: number
  /** The length of the body; undefined where it was not known beforehand. */
  readonly bytes: number | undefined
  /** Who asked, once that was known: its scope and id, the plugin that knew it, and its name in records (`user 3`). */
  readonly caller: CallerSeen | undefined
  /** Statements that ran for its entries, and the rows that they read or changed. */
  readonly statements: number
  readonly rows: number
  /** Whether a response that could be cached was; undefined where it could not be. */
  readonly cached: 'hit' | 'miss' | undefined
  /** It was rejected with 503 before anything else, as the server was overloaded. */
  readonly refused: boolean
  /** The client left before the response was handed over. */
  readonly aborted: boolean
  /** What was thrown, also to refuse it. */
  readonly error: unknown
}

export interface CallerSeen {
  readonly scope: string
  readonly id: number | string | undefined
  readonly by: string | undefined
  readonly actor: string | undefined
}

/** A statement that has run. */
export interface StatementSeen {
  readonly kind: 'select' | 'insert' | 'update' | 'delete' | 'other'
  /** Its text, with placeholders for values. */
  readonly sql: string
  readonly ms: number
  /** Rows read or changed. */
  readonly rows: number
  /** Where it ran: beside transactions, in one, or on a replica. */
  readonly session: 'read' | 'write' | 'replica'
  readonly error: unknown
}

/** A run of a job that has ended. */
export interface JobSeen {
  readonly plugin: string
  readonly job: string
  readonly ms: number
  readonly missed: boolean
  /** Why it failed. */
  readonly error?: unknown
}

/** A request that a plugin has sent to another server. */
export interface OutgoingSeen {
  readonly plugin: string
  /** What it is, by a name of which there are few: `webhook build`. */
  readonly name: string
  readonly method: string
  /** Scheme, host and port. There may be secrets in the rest of an address, in its path as well. */
  readonly origin: string
  readonly ms: number
  /** Of the response; undefined where none came. */
  readonly status: number | undefined
  /** 1, and more where it was sent before. */
  readonly attempt: number
  /** The W3C `traceparent` of what it was sent for. */
  readonly cause?: string | undefined
  /** Why no response came. */
  readonly error?: unknown
}

/** What a plugin wants to be told of. What it throws is logged and changes nothing; it is not waited for. */
export interface Observe<Service = unknown> {
  request?(seen: RequestSeen, service: Service): unknown
  statement?(seen: StatementSeen, service: Service): unknown
  job?(seen: JobSeen, service: Service): unknown
  outgoing?(seen: OutgoingSeen, service: Service): unknown
}

/** The observers of all plugins as one function each; absent where there is none. */
export interface Observers {
  readonly request?: (seen: RequestSeen) => void
  readonly statement?: (seen: StatementSeen) => void
  readonly job?: (seen: JobSeen) => void
  readonly outgoing?: (seen: OutgoingSeen) => void
}
