import { TransactionChanges } from '../../cache/transaction-changes.js'
import { type Changed, type Heard, Overtaken, type RawRow, type Statement } from '../engine.js'
import { NamingValues } from '../named.js'
import { InTurn } from '../server/in-turn.js'
import type { Opened } from '../server/opened.js'
import type { OwnCommits } from '../server/own-commits.js'
import type { ConnectionSession } from '../server/pooled.js'
import { underWatchdog, withWatchdog } from '../server/watchdog.js'
import { type Again, type Answer, AskedAgain, allSentAs, knownAs } from './asked-again.js'
import { type Connection, type NamedStatements, type Prepared, prepare, type Result } from './connection.js'

const undone =
  'the transaction was undone: one of its statements had failed, and the code that caught the error went on; on PostgreSQL nothing ' +
  'of a transaction is kept after an error'

const isFailed = '25P02'

/** What the server says of a prepared statement that it does not have, and of one whose columns have become others. */
const unknownName = '26000'
const otherColumns = '0A000'

/** A connection of the pool, and what it has prepared. */
export type PooledConnection = Opened<Connection> & { readonly statements: NamedStatements }

const isStale = (error: unknown): boolean =>
  [unknownName, otherColumns].includes((error as { code?: string }).code ?? '')

/** A statement that waits for the next one. */
interface Left extends Statement {
  readonly heard?: Heard | undefined
  /** It begins the transaction of those behind it. */
  readonly begins?: boolean
  /** It is prepared, although it has no values. */
  readonly isNamed?: boolean
}

/** What ends each transaction, in one round trip: its id, if it has changed anything, and its commit. */
const ending: readonly Left[] = [
  { sql: 'select pg_current_xact_id_if_assigned()::text', values: [], isNamed: true },
  { sql: 'commit', values: [], isNamed: true },
]

/** Statements that wait for the next one, at most. */
const mostLeft = 30
const nothing: Answer = { rows: [], count: 0 }
const unchanged: Changed = { changes: 0, id: 0 }
/** The driver's own errors say where they were asked, too. */
const traced = (error: unknown) => {
  if (error instanceof Error) Error.captureStackTrace(error)
}
const unprepared = (cause: unknown) => new Overtaken('a prepared statement was of no use any more', { cause })

/** One use of a connection: a statement, or a transaction. */
export class ServerSession implements ConnectionSession {
  readonly #connection: PooledConnection
  readonly #statementTimeout: number
  readonly #own: OwnCommits<number>
  readonly #written = new TransactionChanges()
  #left: Left[] = []
  #hasBegun = false
  /** Others wait for a transaction that begins, and for statements that are asked one by one. */
  readonly #turns = new InTurn()
  /** Why there is no transaction. */
  #unbegun: unknown

  constructor(connection: PooledConnection, statementTimeout: number, own: OwnCommits<number>) {
    this.#connection = connection
    this.#statementTimeout = statementTimeout
    this.#own = own
  }

  async all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
    return (await this.#ask({ sql, values })).rows
  }

  run(sql: string, values: readonly unknown[], heard?: Heard): Changed | Promise<Changed> {
    if (sql === 'commit') return this.#commit()
    if (sql === 'rollback') return this.#rollback()
    return heard && this.#hasBegun ? this.#leave({ sql, values, heard }) : this.#change({ sql, values })
  }

  async #change(statement: Statement): Promise<Changed> {
    const { rows, count } = await this.#ask(statement)
    return { changes: count, id: Number(rows[0]?.[0] ?? 0) }
  }

  /** Begins a transaction with the next statement. */
  begin(sql: string): void {
    this.#hasBegun = true
    this.#left.push({ sql, values: [], begins: true, isNamed: true })
  }

  #leave(statement: Left): Changed | Promise<Changed> {
    this.#left.push(statement)
    return this.#left.length > mostLeft ? this.settled().then(() => unchanged) : unchanged
  }

  readonly settled = async (): Promise<void> => {
    if (this.#left.some(({ begins }) => !begins)) await this.#askLeft([])
  }

  /** Reads that are asked in one piece, with what was left before them, once all of them are known here. */
  readonly together = async (statements: readonly Statement[]): Promise<readonly (readonly RawRow[])[]> => {
    if (this.#hasBegun) {
      const answers = await this.#askLeft(statements)
      return answers.slice(-statements.length).map(({ rows }) => rows)
    }
    const again = this.#again(statements)
    if (again)
      try {
        return (await this.#askAgain(again)).map(({ rows }) => rows)
      } catch (error) {
        traced(error)
        // Whichever it was, it is found out one by one.
        if (!isStale(error)) throw error
      }
    const found: (readonly RawRow[])[] = []
    for (const statement of statements) found.push((await this.#askOne(statement, true)).rows)
    return found
  }

  async #ask(statement: Statement): Promise<Answer> {
    const isAlone = this.#left.length === 0 && !this.#turns.idle && !this.#unbegun
    return isAlone ? this.#askOne(statement) : ((await this.#askLeft([statement])).at(-1) ?? nothing)
  }

  /** Asks what was left for later, and more behind it. */
  #askLeft(more: readonly Left[]): Promise<readonly Answer[]> {
    const statements = [...this.#left, ...more]
    this.#left = []
    return this.#turns.run(() => this.#askInOrder(statements))
  }

  /** In one piece, once all of them are known here. */
  async #askInOrder(statements: readonly Left[]): Promise<readonly Answer[]> {
    if (this.#unbegun) throw this.#unbegun
    const again = this.#again(statements)
    if (again) return this.#askPiece(statements, again)
    const answers: Answer[] = []
    for (const statement of statements)
      try {
        const answer = await this.#askOne(statement, statement.isNamed)
        answers.push(answer)
        statement.heard?.(undefined, answer.count)
      } catch (error) {
        throw this.#failed(statement, error)
      }
    return answers
  }

  async #askPiece(statements: readonly Left[], again: readonly Again[]): Promise<readonly Answer[]> {
    for (const statement of statements) this.#written.note(statement)
    const answers: Answer[] = []
    const tell = () => {
      for (let index = 0; index < answers.length; index += 1)
        statements[index]?.heard?.(undefined, (answers[index] as Answer).count)
    }
    try {
      await this.#askAgain(again, answers)
    } catch (error) {
      traced(error)
      tell()
      const failed = statements[answers.length]
      if (!failed) throw error
      throw this.#failed(failed, this.#isForgotten(failed.sql, error) ? unprepared(error) : error)
    }
    tell()
    return answers
  }

  #failed({ begins, heard }: Left, error: unknown): unknown {
    if (begins) this.#unbegun = error
    return heard ? heard(error, 0) : error
  }

  async #askOne(statement: Statement, isNamed = statement.values.length > 0): Promise<Answer> {
    const { sql } = statement
    this.#written.note(statement)
    try {
      const again = this.#again([statement])
      if (!again) return await this.#askDriver(statement, isNamed)
      const [answer = nothing] = await this.#askAgain(again)
      return answer
    } catch (error) {
      traced(error)
      if (!isNamed || !this.#isForgotten(sql, error)) throw error
      // After an error nothing more is done in a transaction.
      if (this.#connection.getTransactionStatus() !== 'I') throw unprepared(error)
      return this.#askDriver(statement, isNamed)
    }
  }

  /** Whether the statement can be asked again, because what the server had prepared was of no use any more. */
  #isForgotten(sql: string, error: unknown): boolean {
    const { statements } = this.#connection
    const { code } = error as { code?: string }
    const isKnown = statements.known(sql) !== undefined
    // A server that has lost one of them has lost all.
    if (code === unknownName) statements.forget()
    else if (code === otherColumns && isKnown) statements.forget(sql)
    return isKnown && statements.known(sql) === undefined
  }

  /** The statements as the connection has prepared them, if it has all of them. */
  #again(statements: readonly Statement[]): readonly Again[] | undefined {
    const again: Again[] = []
    for (const { sql, values } of statements) {
      if (values instanceof NamingValues) return undefined
      const known = this.#connection.statements.known(sql)
      const sent = known && allSentAs(values)
      if (!known || !sent) return undefined
      again.push({ known, values: sent })
    }
    return again
  }

  /** `answers` has what was answered before an error. */
  #askAgain(statements: readonly Again[], answers: Answer[] = []): Promise<readonly Answer[]> {
    const connection = this.#connection
    return underWatchdog<readonly Answer[]>(
      settle => connection.query(new AskedAgain(statements, answers, settle)),
      this.#statementTimeout,
      connection.watched,
      statements.length,
    )
  }

  async #askDriver({ sql, values }: Statement, isNamed: boolean): Promise<Answer> {
    const { statements } = this.#connection
    const { text, name }: Prepared = isNamed ? prepare(sql) : { text: sql }
    const named = name === undefined ? undefined : statements.named(name)
    const query = { text, values, rowMode: 'array', ...(named !== undefined && { name: named }) }
    // Several statements in one text have no rows here.
    const { rows = [], rowCount, fields, command } = await this.#send<Partial<Result>>(query)
    if (values instanceof NamingValues)
      values.columns = (fields ?? []).map(({ name: column = '', dataTypeID }) => ({ name: column, type: dataTypeID }))
    if (named !== undefined && fields) statements.learn(sql, knownAs(named, fields))
    return { rows, count: rowCount ?? 0, isRollback: command === 'ROLLBACK' }
  }

  #send<T = Result>(query: Record<string, unknown>): Promise<T> {
    return withWatchdog(this.#connection.query<T>(query), this.#statementTimeout, this.#connection.watched)
  }

  async #commit(): Promise<Changed> {
    await this.settled()
    const isUnasked = this.#left.length > 0
    this.#left = []
    await this.#turns.idle
    if (this.#unbegun) throw this.#unbegun
    if (!isUnasked) await this.#end([])
    return unchanged
  }

  readonly last = async (sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> => {
    const [{ rows }] = (await this.#end([{ sql, values }])) as [Answer]
    return rows
  }

  /** A transaction of which nothing was asked is none. */
  async #rollback(): Promise<Changed> {
    const isUnasked = this.#left.some(({ begins }) => begins)
    this.#left = []
    await this.#turns.idle
    if (!isUnasked && !this.#unbegun) await this.#askOne({ sql: 'rollback', values: [] })
    return unchanged
  }

  /** Ends the transaction behind what was left and some reads: gives their answers. */
  async #end(reads: readonly Left[]): Promise<readonly Answer[]> {
    const answered = this.#askLeft([...reads, ...ending])
    const acknowledged = answered.then(answers => {
      const [asked = nothing, committed = nothing] = answers.slice(-ending.length)
      // It answers so, without an error, where a statement had failed before.
      if (committed.isRollback) throw new Error(undone)
      const id = asked.rows[0]?.[0]
      if (id !== null) this.#own.add(Number(id), this.#written.take())
      return answers.slice(-ending.length - reads.length)
    })
    this.#own.sent(acknowledged)
    try {
      return await acknowledged
    } catch (error) {
      throw (error as { code?: string }).code === isFailed ? new Error(undone, { cause: error }) : error
    }
  }
}
