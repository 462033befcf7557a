import { UnavailableError } from '../errors.js'
import { within } from '../loop/clock.js'
import { takesPieces } from './batch.js'
import type { BatchSession, Engine, TransactionSession } from './engine.js'

/** Longer than any write takes, and not so long that one that waits for itself keeps all others from writing. */
const longest = 30_000

const stuck =
  'a transaction was open for too long and was undone; a hook that reads or writes entries inside one has to hand its ' +
  'session on: entries(uid, call.session)'

/** Runs work in one transaction; the steps that it leaves for afterwards run once nothing can undo it any more. */
export async function transact<T>(
  engine: Pick<Engine, 'transaction'>,
  work: (session: TransactionSession) => Promise<T>,
  deadline = longest,
): Promise<T> {
  let left: (() => Promise<void>)[] = []
  const value = await engine.transaction(session => {
    // The database may ask for the work again: steps that a lost attempt left do not count.
    left = []
    return lent(session as BatchSession, deadline, work, left)
  })
  for (const step of left) await step()
  return value
}

/** The work's own session: once its transaction has ended, nothing that still runs can reach the connection through it. */
async function lent<T>(
  session: BatchSession,
  deadline: number,
  work: (session: TransactionSession) => Promise<T>,
  left: (() => Promise<void>)[],
): Promise<T> {
  let ended = false
  const still = (): BatchSession => {
    if (ended) throw new Error('the transaction of this session has ended')
    return session
  }
  try {
    const done = work({
      all: (sql, values) => still().all(sql, values),
      run: (sql, values) => still().run(sql, values),
      batch: {
        isPiece: takesPieces(session),
        all: (sql, values) => still().batch.all(sql, values),
        run: (sql, values) => still().batch.run(sql, values),
        send: () => still().batch.send(),
      },
      afterCommit: step => left.push(step),
    })
    return await within(deadline, done, () => Object.assign(new UnavailableError(), { cause: new Error(stuck) }))
  } finally {
    ended = true
  }
}
