import type { IncomingHttpHeaders } from 'node:http'
import type { Changed, RawRow, Session, Statement } from '../engines/session.js'
import type { Caller } from '../query/ask.js'

/** Counts of one request while it is served: for the log, for plugins that observe, and for headers that tell clients. */
export class Tally {
  readonly begun = performance.now()
  statements = 0
  rows = 0
  /** The time of its statements, added up: statements at the same time count each. */
  statementMs = 0
  /** The time at which the last of them ended. */
  stated: number | undefined
  /** The time to read and check its query, and to write its statements, where it had no plan yet. */
  parseMs = 0
  planMs = 0
  bytes: number | undefined
  /** The headers that the client has sent. */
  readonly headers: IncomingHttpHeaders
  cached: 'hit' | 'miss' | undefined
  caller: Caller | undefined
  /** The plugin that knew the caller. */
  by: string | undefined
  error: unknown
  /** The last statement that failed. */
  failed: { readonly sql: string; readonly error: unknown } | undefined

  constructor(headers: IncomingHttpHeaders) {
    this.headers = headers
  }

  /** A plan was made just now: from `begun` on its query was read and checked, from `parsed` on its statements were written. */
  planned(begun: number, parsed: number): void {
    this.parseMs += parsed - begun
    this.planMs += performance.now() - parsed
  }

  /** A session whose statements are counted. */
  counts(session: Session): Session {
    const counting = new CountingSession(session, this)
    return session.together || session.settled ? countedPieces(session, counting, this) : counting
  }
}

class CountingSession implements Session {
  readonly #session: Session
  readonly #tally: Tally
  readonly afterCommit?: Session['afterCommit'] & {}
  readonly atEnd?: Session['atEnd'] & {}

  constructor(session: Session, tally: Tally) {
    this.#session = session
    this.#tally = tally
    if (session.afterCommit) this.afterCommit = session.afterCommit
    const { atEnd } = session
    if (atEnd)
      this.atEnd = (sql, values, heard) => {
        tally.statements += 1
        atEnd(sql, values, (error, changes) => {
          tally.rows += changes
          if (error) tally.failed = { sql, error }
          return heard(error, changes)
        })
      }
  }

  all(sql: string, values: readonly unknown[]): readonly RawRow[] | Promise<readonly RawRow[]> {
    this.#tally.statements += 1
    const begun = performance.now()
    try {
      const rows = this.#session.all(sql, values)
      return rows instanceof Promise ? this.#later(rows, sql, begun, rowsIn) : this.#end(begun, rows, rows.length)
    } catch (error) {
      throw this.#failed(sql, error)
    }
  }

  run(sql: string, values: readonly unknown[]): Changed | Promise<Changed> {
    this.#tally.statements += 1
    const begun = performance.now()
    try {
      const changed = this.#session.run(sql, values)
      if (changed instanceof Promise) return this.#later(changed, sql, begun, changesOf)
      return this.#end(begun, changed, changed.changes)
    } catch (error) {
      throw this.#failed(sql, error)
    }
  }

  #end<T>(begun: number, result: T, rows: number): T {
    const tally = this.#tally
    tally.rows += rows
    tally.stated = performance.now()
    tally.statementMs += tally.stated - begun
    return result
  }

  #later<T>(result: Promise<T>, sql: string, begun: number, rowsOf: (result: T) => number): Promise<T> {
    return result.then(
      done => this.#end(begun, done, rowsOf(done)),
      error => Promise.reject(this.#failed(sql, error)),
    )
  }

  #failed(sql: string, error: unknown): unknown {
    this.#tally.failed = { sql, error }
    return error
  }
}

const rowsIn = ({ length }: readonly RawRow[]) => length
const changesOf = ({ changes }: Changed) => changes

/** Counts statements that are asked in one piece: each of them, and their time once. */
function countedPieces(session: Session, counting: Session, tally: Tally): Session {
  const { together, last, settled, afterCommit } = session
  /** A statement whose error became that of the next one. */
  let failed: Tally['failed']
  const blamed = async <T>(work: T | Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (failed) tally.failed = failed
      throw error
    }
  }
  return {
    all: (sql, values) => (settled ? blamed(counting.all(sql, values)) : counting.all(sql, values)),
    run(sql, values, heard) {
      if (!heard || !settled) return settled ? blamed(counting.run(sql, values)) : counting.run(sql, values)
      tally.statements += 1
      const ran = session.run(sql, values, (error, changes) => {
        tally.rows += changes
        if (error) failed = { sql, error }
        return heard(error, changes)
      })
      // A statement that leaves with the next one cannot fail before, and waiting for it would cost every write a turn.
      return ran instanceof Promise ? blamed(ran) : ran
    },
    ...(together && { together: asked => blamed(timed(asked, () => together(asked), tally)) }),
    ...(last && {
      last: async (sql, values) => {
        const ask = async () => [await last(sql, values)]
        const [rows = []] = await blamed(timed([{ sql, values }], ask, tally))
        return rows
      },
    }),
    ...(settled && { settled: () => blamed(settled()) }),
    ...(afterCommit && { afterCommit }),
  }
}

type Ask = () => ReturnType<Required<Session>['together']>

async function timed(asked: readonly Statement[], ask: Ask, tally: Tally): ReturnType<Ask> {
  tally.statements += asked.length
  const begun = performance.now()
  try {
    const found = await ask()
    for (const rows of found) tally.rows += rows.length
    tally.stated = performance.now()
    tally.statementMs += tally.stated - begun
    return found
  } catch (error) {
    tally.failed = { sql: asked.map(({ sql }) => sql).join('; '), error }
    throw error
  }
}

/** A plugin may know the permissions of visitors; it does not know their names. */
export const isVisitor = (caller: Tally['caller']): boolean =>
  caller !== undefined && caller.actor === undefined && caller.id === undefined

/** The name of a caller in the log: `user 3`, `token 5`, `visitor`. */
export function callerName(caller: Tally['caller'], by: string | undefined): string {
  if (!caller) return 'unknown'
  if (isVisitor(caller)) return 'visitor'
  const { actor, id } = caller
  return actor ?? (by === undefined ? String(id) : `${by} ${id}`)
}
