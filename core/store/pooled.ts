import type { Knex } from 'knex'
import { RequestError, UnavailableError } from '../errors.js'
import { backOff, type Failure, Overtaken, type Session } from './engine.js'

/** How often a write is run again that the database threw out for the sake of another. */
const attempts = 8

/** The parts of an engine that talks to a database server through knex's connection pool. */
export interface Pooled<Connection> {
  readonly knex: Knex
  session(connection: Connection): Session
  readonly begin: string
  /** What begins a transaction whose reads all see the same. */
  readonly beginSnapshot: readonly string[]
  classify(error: unknown): Failure | undefined
}

/** Reads take a connection for one statement; writes keep theirs until the commit. */
export function pooled<Connection>(parts: Pooled<Connection>) {
  const { knex, session, classify } = parts

  async function acquire(): Promise<Connection> {
    try {
      return (await knex.client.acquireConnection()) as Connection
    } catch (cause) {
      throw Object.assign(new UnavailableError('The database cannot be reached right now, try again'), { cause })
    }
  }

  async function borrow<T>(work: (session: Session) => T | Promise<T>): Promise<T> {
    const connection = await acquire()
    try {
      return await work(session(connection))
    } finally {
      knex.client.releaseConnection(connection)
    }
  }

  /** A read may be repeated: the connection may have died while it lay in the pool. */
  async function read<T>(work: (session: Session) => T | Promise<T>): Promise<T> {
    try {
      return await borrow(work)
    } catch (error) {
      if (classify(error)?.kind !== 'unavailable' || error instanceof RequestError) throw error
      return borrow(work)
    }
  }

  async function once<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return borrow(async session => {
      await session.run(parts.begin, [])
      try {
        const value = await work(session)
        await session.run('commit', [])
        return value
      } catch (error) {
        // After any error the transaction is gone as a whole; what a dead connection had is gone with it.
        await Promise.resolve(session.run('rollback', [])).catch(() => undefined)
        throw error
      }
    })
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
    all: (sql, values) => read(session => session.all(sql, values)),
    run: (sql, values) => borrow(session => session.run(sql, values)),
  }
  return {
    reader,
    alter: (statements: readonly string[]): Promise<void> =>
      borrow(async session => {
        for (const sql of statements) await session.run(sql, [])
      }),
    async ping(): Promise<void> {
      await reader.all('select 1', [])
    },
    close: (): Promise<void> => knex.destroy(),
    async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await once(work)
        } catch (error) {
          if (!(error instanceof Overtaken) && classify(error)?.kind !== 'retry') throw error
          if (attempt >= attempts)
            throw Object.assign(new UnavailableError('Other writes keep this one from finishing, try again'), {
              cause: error,
            })
          await backOff(attempt)
        }
      }
    },
    snapshot,
    borrow,
    altering: once,
  }
}
