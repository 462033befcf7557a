import { UnavailableError } from '../../errors.js'
import { collecting, type SessionStatement } from '../batch.js'
import { type Batch, backOff, type Failure, OneByOne, Overtaken, type RawRow, type Session } from '../engine.js'
import { Lender, type LenderParts } from './lender.js'
import { SlowReads } from './slow-reads.js'
import { type ConnectionSession, StrictSession } from './strict-session.js'

/** Milliseconds for which work is retried that the database has rolled back because of a conflict. */
const maxWait = 10_000

/** The parts of an engine that talks to a database server through a pool of connections. */
export interface PooledEngine<Connection> extends LenderParts<Connection> {
  /** Sessions take several reads together. */
  readonly isPipelined?: boolean
  /** `timeout` is in milliseconds; 0 waits for as long as it takes. */
  session(connection: Connection, timeout: number): ConnectionSession
  /** The time limit of one statement, and the statement that sets it on a connection. */
  readonly statementTimeout: number
  limit(timeout: number): string
  /** A connection whose server could not serve any more is not used again, nor are others that are like it. */
  leave?(connection: Connection): void
  readonly begin: string
  /** The last statements of each transaction. */
  beforeCommit?(session: Session, connection: Connection): Promise<void>
  /** The statements that begin a transaction whose reads all see the same. */
  readonly beginSnapshot: readonly string[]
  classify(error: unknown): Failure | undefined
}

/** Work on a connection. */
type Work<Connection, T> = (session: ConnectionSession, connection: Connection) => T | Promise<T>

/** Reads take a connection for one statement; writes keep theirs until the commit. */
export function pooled<Connection>(parts: PooledEngine<Connection>) {
  const { classify } = parts
  const { withConnection, isCrowded, pool, close } = lending(parts)
  const slow = new SlowReads(parts.pool.max, parts.acquireTimeout)
  // Work in a snapshot may wait for other connections, of which there have to be some.
  const kept = new SlowReads(parts.pool.max, parts.acquireTimeout)

  const borrow = <T>(work: Work<Connection, T>): Promise<T> =>
    withConnection(connection => work(parts.session(connection, parts.statementTimeout), connection))

  /** The last statement on a connection. It does not matter on a dead one, which is left all the same. */
  const ending = async (session: Session, connection: Connection, sql: string): Promise<void> => {
    try {
      await session.run(sql, [])
    } catch (error) {
      if (classify(error)?.kind === 'unavailable') parts.leave?.(connection)
    }
  }

  /** A change of the layout takes as long as its table is large, and waiting for one's turn as long as the others take. */
  const unhurried = <T>(work: Work<Connection, T>): Promise<T> =>
    withConnection(async connection => {
      const session = parts.session(connection, 0)
      if (parts.statementTimeout === 0) return work(session, connection)
      await session.run(parts.limit(0), [])
      try {
        return await work(session, connection)
      } finally {
        await ending(session, connection, parts.limit(parts.statementTimeout))
      }
    })

  async function snapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const once: Work<Connection, T> = async (session, connection) => {
      for (const sql of parts.beginSnapshot) await session.run(sql, [])
      try {
        return await work(session)
      } finally {
        await ending(session, connection, 'rollback')
      }
    }
    return kept.run(parts.beginSnapshot, () => borrow(once))
  }

  const inTransaction =
    <T>(work: (session: Session) => Promise<T>, isOneByOne = false): Work<Connection, T> =>
    async (session, connection) => {
      if (session.begin) session.begin(parts.begin, isOneByOne)
      else await session.run(parts.begin, [])
      const { classify, beforeCommit } = parts
      const last = beforeCommit && (() => beforeCommit(session, connection))
      return transactOnce(session, work, classify, last)
    }

  const repeated = <T>(run: (isOneByOne: boolean) => Promise<T>, { mayLose }: { mayLose: boolean }): Promise<T> =>
    repeat(run, mayLose, classify)

  /** Asks these texts outside of transactions. */
  const ask = <T>(texts: readonly string[], asked: (session: ConnectionSession) => T | Promise<T>): Promise<T> =>
    repeated(() => slow.run(texts, () => borrow(session => slow.timed(texts, () => asked(session)))), { mayLose: true })

  const reader: Session = {
    all: (sql, values) => ask([sql], session => session.all(sql, values)),
    // The change may have been stored before its server was lost.
    run: (sql, values) => repeated(() => borrow(session => session.run(sql, values)), { mayLose: false }),
    ...(parts.isPipelined && {
      get batch() {
        return readBatch(statements =>
          ask(
            statements.map(({ sql }) => sql),
            askedOn(statements),
          ),
        )
      },
    }),
  }
  return {
    reader,
    isCrowded,
    pool,
    alter: (statements: readonly string[]): Promise<void> =>
      unhurried(async session => {
        for (const sql of statements) await session.run(sql, [])
      }),
    async ping(): Promise<void> {
      await reader.all('select 1', [])
    },
    close,
    transaction: <T>(work: (session: Session) => Promise<T>): Promise<T> =>
      repeated(isOneByOne => borrow(inTransaction(work, isOneByOne)), { mayLose: true }),
    snapshot,
    borrow,
    unhurried,
    altering: <T>(work: (session: Session) => Promise<T>): Promise<T> => unhurried(inTransaction(work)),
  }
}

/** Reads that are asked in one piece, outside of transactions. */
function readBatch(ask: (statements: readonly SessionStatement[]) => Promise<readonly (readonly RawRow[])[]>): Batch {
  const waiting: SessionStatement[] = []
  return collecting(
    true,
    statement => waiting.push(statement),
    async () => {
      const asked = waiting.splice(0)
      if (asked.length === 0) return
      try {
        const found = await ask(asked)
        for (const [index, { resolve }] of asked.entries()) resolve?.(found[index] as readonly RawRow[], 0)
      } catch (error) {
        for (const { reject } of asked) reject?.(error)
        throw error
      }
    },
  )
}

const askedOn =
  (statements: readonly SessionStatement[]) =>
  async ({ batch }: ConnectionSession): Promise<readonly (readonly RawRow[])[]> => {
    const found = statements.map(({ sql, values }) => batch.all(sql, values))
    await batch.send()
    return Promise.all(found)
  }

/** Lends connections of the pool, each for one piece of work. */
function lending<Connection>(parts: PooledEngine<Connection>) {
  const { classify } = parts
  const lender = new Lender<Connection>(parts)

  async function acquire(): Promise<Connection> {
    try {
      return await lender.acquire()
    } catch (cause) {
      throw unavailable('The database cannot be reached right now, try again', cause)
    }
  }

  async function withConnection<T>(work: (connection: Connection) => T | Promise<T>): Promise<T> {
    const connection = await acquire()
    let isWell = false
    try {
      const result = await work(connection)
      isWell = true
      return result
    } catch (error) {
      const reason = error instanceof UnavailableError ? error.cause : error
      if (classify(reason)?.kind === 'unavailable') parts.leave?.(connection)
      throw error
    } finally {
      lender.release(connection, isWell)
    }
  }

  return {
    withConnection,
    isCrowded: () => lender.state.waiting >= parts.pool.max,
    pool: () => lender.state,
    close: () => lender.close(),
  }
}

type Classifier = PooledEngine<unknown>['classify']

/** Retries work that the database has rolled back, and once more where its server was lost: nothing of it is stored. */
async function repeat<T>(run: (isOneByOne: boolean) => Promise<T>, mayLose: boolean, classify: Classifier): Promise<T> {
  const deadline = performance.now() + maxWait
  let isLost = !mayLose
  let isOneByOne = false
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run(isOneByOne)
    } catch (error) {
      const kind = kindOf(error, classify)
      if (kind === 'unavailable' && !isLost) isLost = true
      else if (kind !== 'retry') throw error
      else if (!isOneByOne && error instanceof OneByOne) isOneByOne = true
      else if (performance.now() < deadline) await backOff(attempt)
      else throw unavailable('Too much write contention; try again', error)
    }
  }
}

const kindOf = (error: unknown, classify: Classifier) => (Overtaken.is(error) ? 'retry' : classify(error)?.kind)

async function transactOnce<T>(
  session: ConnectionSession,
  work: (session: Session) => Promise<T>,
  classify: Classifier,
  beforeCommit: (() => Promise<void>) | undefined,
): Promise<T> {
  const strict = new StrictSession(session, classify)
  try {
    const value = await work(strict)
    if (beforeCommit) await strict.batch.send()
    strict.assertOpen()
    await beforeCommit?.()
    await commit(session, classify)
    return value
  } catch (error) {
    // After any error the transaction is gone as a whole; that of a dead connection is gone with it.
    await Promise.resolve(session.run('rollback', [])).catch(() => undefined)
    strict.assertOpen()
    throw error
  }
}

/**
 * If the server is lost meanwhile, the outcome of the transaction is unknown: only the caller can decide to try again. A limit
 * of time may come behind a commit that is asked in one piece with other statements.
 */
async function commit(session: ConnectionSession, classify: Classifier): Promise<void> {
  const { isCollecting } = session
  try {
    await session.run('commit', [])
  } catch (error) {
    const reason = OneByOne.reason(error)
    const kind = classify(reason)?.kind
    if (kind === 'unavailable' || (isCollecting && kind === 'timeout'))
      throw unavailable('The database was lost before it said whether this is stored', reason)
    throw error
  }
}

const unavailable = (message: string, cause: unknown): Error => Object.assign(new UnavailableError(message), { cause })
