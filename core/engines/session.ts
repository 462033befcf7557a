/** A row as drivers give it fastest: its columns in the order of the statement. */
export type RawRow = readonly unknown[]

export interface ChangeResult {
  readonly changes: number
  /** The id that the database gave to an inserted row. */
  readonly id: number
}

/** A statement with its values. */
export interface Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** A place to run statements: outside a transaction, or inside the one of a write request. */
export interface Session {
  all(sql: string, values: readonly unknown[]): readonly RawRow[] | Promise<readonly RawRow[]>
  run(sql: string, values: readonly unknown[]): ChangeResult | Promise<ChangeResult>
  /** Statements that nothing waits for yet; each session inside of a transaction has this. */
  readonly batch?: Batch | undefined
  /** All its reads show one state of the database, which others may have changed since. */
  readonly isSnapshot?: true
  /** Leaves a step for when the transaction is stored; only a session inside of one has this. */
  readonly afterCommit?: (step: () => Promise<void>) => void
}

/**
 * Collects statements, which the session asks in their order before the next one that is asked of it, and before the commit: in
 * one piece with that, where the database takes several statements at once. On SQLite a change may wait longer, as long as
 * nothing names its table: it is stored with the writes of others then, in their order, and one whose values could make it fail
 * would undo these as well. A promise settles when its statement has run, so nothing may wait for that of a read before `send`,
 * or for that of a change within the transaction, and nothing has to: once a statement of a batch has failed, so does the next
 * one, or the commit, with its error.
 */
export interface Batch {
  /** Its statements are asked in one piece; otherwise each by itself. */
  readonly isPiece: boolean
  all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]>
  /** Without the id of a row. */
  run(sql: string, values: readonly unknown[]): Promise<ChangeResult>
  /** Asks the collected statements, but for changes that wait longer; rejects if one of the batch has failed. */
  send(): Promise<void>
}

/** A session that collects statements. */
export interface BatchSession extends Session {
  readonly batch: Batch
}

/** The session of a transaction. */
export type TransactionSession = BatchSession & Required<Pick<Session, 'afterCommit'>>
