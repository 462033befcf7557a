import { type Batch, type ChangeResult, type Failure, Overtaken, type RawRow, type Session } from '../engine.js'

/** A session on a connection. Where several statements are asked in one piece, a transaction begins with its first one. */
export interface ConnectionSession extends Session {
  readonly batch: Batch
  /** The commit takes statements of the batch with it. */
  readonly isCollecting: boolean
  begin?(sql: string, isOneByOne: boolean): void
}

/**
 * The session of a transaction that remembers the error that ended it. A cluster may answer a commit after that with "ok"
 * although nothing is stored, so code that catches the error of a statement must not be able to go on.
 */
export class StrictSession implements Session {
  readonly #session: ConnectionSession
  readonly #classify: (error: unknown) => Failure | undefined
  readonly batch: Batch
  #end: unknown

  constructor(session: ConnectionSession, classify: (error: unknown) => Failure | undefined) {
    this.#session = session
    this.#classify = classify
    const { batch } = session
    const open = (): Batch => {
      this.assertOpen()
      return batch
    }
    this.batch = {
      isPiece: batch.isPiece,
      all: (sql, values) => open().all(sql, values),
      run: (sql, values) => open().run(sql, values),
      send: () => this.#watch(() => batch.send()),
    }
  }

  all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
    return this.#watch(() => this.#session.all(sql, values))
  }

  run(sql: string, values: readonly unknown[]): Promise<ChangeResult> {
    return this.#watch(() => this.#session.run(sql, values))
  }

  /** Throws the error that ended the transaction, if there was one. */
  assertOpen(): void {
    if (this.#end !== undefined) throw this.#end
  }

  async #watch<T>(run: () => T | Promise<T>): Promise<T> {
    this.assertOpen()
    try {
      return await run()
    } catch (error) {
      const kind = this.#classify(error)?.kind
      if (kind === 'retry' || kind === 'unavailable' || Overtaken.is(error)) this.#end = error
      throw error
    }
  }
}
