import type { Knex } from 'knex'
import { UnavailableError } from '../errors.js'
import { backOff, type Failure, Overtaken, type Session } from './engine.js'
import { Watched } from './watched.js'

/** Milliseconds for which work is run again that the database threw out for the sake of other work. */
const patience = 10_000

/** The parts of an engine that talks to a database server through knex's connection pool. */
export interface Pooled<Connection> {
  readonly knex: Knex
  /** How many there are at most. */
  readonly connections: number
  /** `timeout` is in milliseconds; 0 waits for as long as it takes. */
  session(connection: Connection, timeout: number): Session
  /** What one statement may take, and the statement that tells a connection so. */
  readonly statementTimeout: number
  limit(timeout: number): string
  /** A connection whose server could not serve any more is not used again, nor are others that are like it. */
  leave?(connection: Connection): void
  readonly begin: string
  /** What begins a transaction whose reads all see the same. */
  readonly beginSnapshot: readonly string[]
  classify(error: unknown): Failure | undefined
}

/** Reads take a connection for one statement; writes keep theirs until the commit. */
export function pooled<Connection>(parts: Pooled<Connection>) {
  const { knex, classify } = parts

  /** How many wait for a connection. */
  let waiting = 0

  async function acquire(): Promise<Connection> {
    waiting += 1
    try {
      return (await knex.client.acquireConnection()) as Connection
    } catch (cause) {
      throw Object.assign(new UnavailableError('The database cannot be reached right now, try again'), { cause })
    } finally {
      waiting -= 1
    }
  }

  async function withConnection<T>(work: (connection: Connection) => T | Promise<T>): Promise<T> {
    const connection = await acquire()
    try {
      return await work(connection)
    } catch (error) {
      const reason = error instanceof UnavailableError ? error.cause : error
      if (classify(reason)?.kind === 'unavailable') parts.leave?.(connection)
      throw error
    } finally {
      knex.client.releaseConnection(connection)
    }
  }

  const borrow = <T>(work: (session: Session) => T | Promise<T>): Promise<T> =>
    withConnection(connection => work(parts.session(connection, parts.statementTimeout)))

  /** A change of the layout takes as long as its table is large, and waiting for one's turn as long as the others take. */
  const unhurried = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    withConnection(async connection => {
      const session = parts.session(connection, 0)
      if (parts.statementTimeout === 0) return work(session)
      await session.run(parts.limit(0), [])
      try {
        return await work(session)
      } finally {
        // What a dead connection was told last matters to nobody.
        await Promise.resolve(session.run(parts.limit(parts.statementTimeout), [])).catch(() => undefined)
      }
    })

  /** Runs work again that the database threw out, and once more where its server was lost: nothing of it is stored. */
  async function repeated<T>(run: () => Promise<T>, { mayLose }: { mayLose: boolean }): Promise<T> {
    const deadline = performance.now() + patience
    let isLost = !mayLose
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await run()
      } catch (error) {
        const kind = error instanceof Overtaken ? 'retry' : classify(error)?.kind
        if (kind === 'unavailable' && !isLost) isLost = true
        else if (kind !== 'retry') throw error
        else if (performance.now() < deadline) await backOff(attempt)
        else
          throw Object.assign(new UnavailableError('Other writes keep this one from finishing, try again'), {
            cause: error,
          })
      }
    }
  }

  async function once<T>(work: (session: Session) => Promise<T>, lend: typeof unhurried): Promise<T> {
    return lend(async session => {
      await session.run(parts.begin, [])
      const watched = new Watched(session, classify)
      try {
        const value = await work(watched)
        watched.mustStand()
        await commit(session)
        return value
      } catch (error) {
        // After any error the transaction is gone as a whole; what a dead connection had is gone with it.
        await Promise.resolve(session.run('rollback', [])).catch(() => undefined)
        watched.mustStand()
        throw error
      }
    })
  }

  /** Where the server is lost meanwhile nobody knows what became of the transaction: only who asked may try again. */
  async function commit(session: Session): Promise<void> {
    try {
      await session.run('commit', [])
    } catch (error) {
      if (classify(error)?.kind !== 'unavailable') throw error
      throw Object.assign(new UnavailableError('The database was lost before it said whether this is stored'), {
        cause: error,
      })
    }
  }

  async function snapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return borrow(async session => {
      for (const sql of parts.beginSnapshot) await session.run(sql, [])
      try {
        return await work(session)
      } finally {
        await Promise.resolve(session.run('rollback', [])).catch(() => undefined)
      }
    })
  }

  const reader: Session = {
    all: (sql, values) => repeated(() => borrow(session => session.all(sql, values)), { mayLose: true }),
    // What it did before its server was lost may be stored.
    run: (sql, values) => repeated(() => borrow(session => session.run(sql, values)), { mayLose: false }),
  }
  return {
    reader,
    isCrowded: () => waiting >= parts.connections,
    alter: (statements: readonly string[]): Promise<void> =>
      unhurried(async session => {
        for (const sql of statements) await session.run(sql, [])
      }),
    async ping(): Promise<void> {
      await reader.all('select 1', [])
    },
    close: (): Promise<void> => knex.destroy(),
    transaction: <T>(work: (session: Session) => Promise<T>): Promise<T> =>
      repeated(() => once(work, borrow), { mayLose: true }),
    snapshot,
    borrow,
    unhurried,
    altering: <T>(work: (session: Session) => Promise<T>): Promise<T> => once(work, unhurried),
  }
}
