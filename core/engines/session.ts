/** A row as drivers give it fastest: its columns in the order of the statement. */
export type RawRow = readonly unknown[]

export interface Changed {
  readonly changes: number
  /** The id that the database gave to an inserted row. */
  readonly id: number
}

/** A place to run statements: outside a transaction, or inside the one of a write request. */
export interface Session {
  all(sql: string, values: readonly unknown[]): readonly RawRow[] | Promise<readonly RawRow[]>
  run(sql: string, values: readonly unknown[]): Changed | Promise<Changed>
  /** Leaves a step for when the transaction is stored; only a session inside of one has this. */
  readonly afterCommit?: (step: () => Promise<void>) => void
}
