import type { Batch, BatchSession, Changed, RawRow, Session, Statement } from './session.js'

/** A statement that a session asks, and who is told what came of it, where it was collected. */
export interface Asked extends Statement {
  /** It is asked for its rows. */
  readonly reads?: boolean
  readonly resolve?: (rows: readonly RawRow[], changes: number) => void
  readonly reject?: (reason: unknown) => void
}

const ignored = () => undefined

/** A promise whose failure reaches other code as well. */
export function toldElsewhere<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignored)
  return promise
}

/** A batch whose statements wait in a list of its session. */
export function collecting(isPiece: boolean, add: (statement: Asked) => void, send: () => Promise<void>): Batch {
  return {
    isPiece,
    all: (sql, values) =>
      toldElsewhere(
        new Promise((resolve, reject) => add({ sql, values, reads: true, resolve: rows => resolve(rows), reject })),
      ),
    run: (sql, values) =>
      toldElsewhere(
        new Promise((resolve, reject) =>
          add({ sql, values, resolve: (_, changes) => resolve({ changes, id: 0 }), reject }),
        ),
      ),
    send,
  }
}

/** The batch of a database that runs each statement at once: after an error, nothing more is run. */
export class AtOnce implements Batch {
  readonly isPiece = false
  readonly #session: AtOnceSession
  #failure: { readonly reason: unknown } | undefined

  constructor(session: AtOnceSession) {
    this.#session = session
  }

  readonly all = (sql: string, values: readonly unknown[]) => this.#ask(() => this.#session.all(sql, values))
  readonly run = (sql: string, values: readonly unknown[]) => this.#ask(() => this.#session.run(sql, values))
  readonly send = async (): Promise<void> => this.assertWell()

  /** Throws what a statement of the batch has failed with. */
  assertWell(): void {
    if (this.#failure) throw this.#failure.reason
  }

  /** What has failed is undone. */
  forgive(): void {
    this.#failure = undefined
  }

  #ask<T>(ask: () => T): Promise<T> {
    try {
      this.assertWell()
      return Promise.resolve(ask())
    } catch (reason) {
      this.#failure ??= { reason }
      return toldElsewhere(Promise.reject(reason))
    }
  }
}

/** A session that waits for nothing. */
interface AtOnceSession {
  all(sql: string, values: readonly unknown[]): readonly RawRow[]
  run(sql: string, values: readonly unknown[]): Changed
}

/** Does work whose reads leave in one piece, as far as it asks for them at once. */
export function inOnePiece<T>(session: BatchSession, work: (session: Session) => Promise<T>) {
  // Each use of one that is no transaction has a batch of its own.
  const { batch } = session
  let isSent = false
  const done = work({
    all: (sql, values) => (isSent ? session.all(sql, values) : batch.all(sql, values)),
    run: (sql, values) => session.run(sql, values),
    batch,
    ...(session.afterCommit && { afterCommit: session.afterCommit }),
  })
  isSent = true
  void toldElsewhere(batch.send())
  return done
}

/** Whether several statements of a session are asked in one piece. */
export const takesPieces = <S extends Session>(session: S): session is S & BatchSession =>
  session.batch?.isPiece === true

/** Runs a change of which nothing is made: with the next statement, where it is part of a transaction. */
export function collect(session: Session, sql: string, values: readonly unknown[]): Promise<unknown> {
  if (session.batch) return session.batch.run(sql, values)
  return Promise.resolve(session.run(sql, values))
}
