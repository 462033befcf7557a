import type { Batch, BatchSession, RawRow, Session, Statement } from './session.js'

/** A statement that a session asks, with the functions that are told its outcome if it was collected. */
export interface SessionStatement extends Statement {
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
export function collecting(
  isPiece: boolean,
  add: (statement: SessionStatement) => void,
  send: () => Promise<void>,
): Batch {
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

/** True if a session sends several statements in one piece. */
export const takesPieces = <S extends Session>(session: S): session is S & BatchSession =>
  session.batch?.isPiece === true
