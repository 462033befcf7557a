import type { IncomingHttpHeaders } from 'node:http'
import { toldElsewhere } from '../engines/batch.js'
import type { Batch, ChangeResult, RawRow, Session } from '../engines/session.js'
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
  operation: { readonly kind: string; readonly name: string } | undefined
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
  counts<Own extends Session>(session: Own): Own {
    return new CountingSession(session, this) as Session as Own
  }
}

class CountingSession implements Session {
  readonly #session: Session
  readonly #tally: Tally
  readonly afterCommit?: Session['afterCommit'] & {}
  readonly isSnapshot?: true
  #batch: Batch | undefined

  constructor(session: Session, tally: Tally) {
    this.#session = session
    this.#tally = tally
    if (session.isSnapshot) this.isSnapshot = true
    if (session.afterCommit) this.afterCommit = session.afterCommit
  }

  get batch(): Batch | undefined {
    if (this.#batch) return this.#batch
    const { batch } = this.#session
    this.#batch = batch && this.#counts(batch)
    return this.#batch
  }

  /** Each statement of a piece is counted, and their time once; changes that are collected take none of their own. */
  #counts(batch: Batch): Batch {
    const tally = this.#tally
    let begun: number | undefined
    const counted = <T>(sql: string, asked: Promise<T>, done: (result: T) => void): Promise<T> => {
      tally.statements += 1
      const told = asked.then(
        result => {
          done(result)
          return result
        },
        error => Promise.reject(this.#failed(sql, error)),
      )
      return toldElsewhere(told)
    }
    return {
      ...batch,
      all(sql, values) {
        begun ??= performance.now()
        return counted(sql, batch.all(sql, values), rows => {
          tally.rows += rows.length
          if (begun === undefined) return
          tally.stated = performance.now()
          tally.statementMs += tally.stated - begun
          begun = undefined
        })
      },
      run: (sql, values) =>
        counted(sql, batch.run(sql, values), ({ changes }) => {
          tally.rows += changes
        }),
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

  run(sql: string, values: readonly unknown[]): ChangeResult | Promise<ChangeResult> {
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

  /** The error of a collected statement is also that of the one which is asked behind it. */
  #failed(sql: string, error: unknown): unknown {
    if (this.#tally.failed?.error !== error) this.#tally.failed = { sql, error }
    return error
  }
}

const rowsIn = ({ length }: readonly RawRow[]) => length
const changesOf = ({ changes }: ChangeResult) => changes

/** A plugin may know what visitors may do; who they are it does not know. */
export const isVisitor = (caller: Pick<Caller, 'actor' | 'id'> | undefined): boolean =>
  caller !== undefined && caller.actor === undefined && caller.id === undefined

/** The name of a caller in the log: `user 3`, `token 5`, `visitor`. */
export function callerName(caller: Tally['caller'], by: string | undefined): string {
  if (!caller) return 'unknown'
  if (isVisitor(caller)) return 'visitor'
  const { actor, id } = caller
  return actor ?? (by === undefined ? String(id) : `${by} ${id}`)
}
