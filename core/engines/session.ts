/** A row as drivers give it fastest: its columns in the order of the statement. */
export type RawRow = readonly unknown[]

export interface Changed {
  readonly changes: number
  /** The id that the database gave to an inserted row. */
  readonly id: number
}

/** A statement with its values. */
export interface Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Told how many rows a statement has changed, or why it failed; gives the error that this is. */
export type Heard = (error: unknown, changes: number) => unknown

/** A place to run statements: outside a transaction, or inside the one of a write request. */
export interface Session {
  all(sql: string, values: readonly unknown[]): readonly RawRow[] | Promise<readonly RawRow[]>
  /**
   * With `heard` nothing is made of the result: a database that takes several statements at once is asked this one together
   * with the next, inside of a transaction, and then its error is that of the next one.
   */
  run(sql: string, values: readonly unknown[], heard?: Heard): Changed | Promise<Changed>
  /** Reads that are asked in one piece, where the database takes several statements at once. */
  readonly together?: (statements: readonly Statement[]) => Promise<readonly (readonly RawRow[])[]>
  /**
   * The read with which a transaction ends, where its database takes several statements at once: the transaction is stored once
   * this resolves, and nothing can be asked of it any more.
   */
  readonly last?: (sql: string, values: readonly unknown[]) => Promise<readonly RawRow[]>
  /** Resolves once all statements have run that were to be asked together with the next one. */
  readonly settled?: () => Promise<unknown>
  /**
   * Leaves a statement for the end of the transaction, where it runs with those of other requests that end at the same time.
   * It must be one that its values cannot make fail: that would undo what the others have written as well. Code that may go
   * back to a savepoint keeps what is left behind it to itself until then.
   */
  readonly atEnd?: (sql: string, values: readonly unknown[], heard: Heard) => void
  /** Leaves a step for when the transaction is stored; only a session inside of one has this. */
  readonly afterCommit?: (step: () => Promise<void>) => void
}

/** Of a change whose result makes no difference. */
export const unheard: Heard = error => error

/**
 * Runs a statement of which nothing is made when that costs least: together with the next one, or at the end of the
 * transaction, with those of other requests. Nothing in the transaction can count on what it writes.
 */
export function leave(session: Session, sql: string, values: readonly unknown[]): void | Promise<void> {
  if (session.atEnd) return session.atEnd(sql, values, unheard)
  const ran = session.run(sql, values, unheard)
  if (ran instanceof Promise) return ran.then(() => undefined)
}
