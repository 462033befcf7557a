import { TransactionChanges } from '../../cache/transaction-changes.js'
import { collecting, type SessionStatement, toldElsewhere } from '../batch.js'
import { type Batch, type ChangeResult, Overtaken, type RawRow, type Statement } from '../engine.js'
import { NamingValues } from '../named.js'
import { InTurn } from '../server/in-turn.js'
import type { OpenedConnection } from '../server/opened.js'
import type { OwnCommits } from '../server/own-commits.js'
import type { ConnectionSession } from '../server/strict-session.js'
import { underWatchdog, withWatchdog } from '../server/watchdog.js'
import { type Answer, allSentAs, knownAs, RepeatedQuery, type RepeatedStatement } from './asked-again.js'
import { type Connection, type NamedStatements, type PreparedStatement, prepare, type Result } from './connection.js'

const undone =
  'the transaction was undone: one of its statements had failed, and the code that caught the error went on; on PostgreSQL nothing ' +
  'of a transaction is kept after an error'

const isFailed = '25P02'

/** The errors of a prepared statement that the server does not have, and of one whose columns have become others. */
const unknownName = '26000'
const otherColumns = '0A000'

/** A connection of the pool, with its prepared statements. */
export type PooledConnection = OpenedConnection<Connection> & { readonly statements: NamedStatements }

const isStale = (error: unknown): boolean =>
  [unknownName, otherColumns].includes((error as { code?: string }).code ?? '')

/** A statement of a piece. */
interface Part extends SessionStatement {
  /** It begins the transaction of those behind it. */
  readonly begins?: boolean
  /** It is prepared, although it has no values. */
  readonly isNamed?: true
}

/** The end of each transaction, in one round trip: its id, if it has changed anything, and its commit. */
const ending: readonly Part[] = [
  { sql: 'select pg_current_xact_id_if_assigned()::text', values: [], isNamed: true },
  { sql: 'commit', values: [], isNamed: true },
]

/** Statements that are collected, at most. */
const mostCollected = 30
const nothing: Answer = { rows: [], count: 0 }
const unchanged: ChangeResult = { changes: 0, id: 0 }
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
  #collected: Part[] = []
  #batch: Batch | undefined
  /** The statement that begins the transaction, until it is asked with the first of the others. */
  #begin: Part | undefined
  #hasBegun = false
  /** Others wait for a transaction that begins, and for statements that are asked one by one. */
  readonly #turns = new InTurn()
  /** The reason that there is no transaction, and the error of a statement of the batch. */
  #unbegun: unknown
  #failure: unknown

  constructor(connection: PooledConnection, statementTimeout: number, own: OwnCommits<number>) {
    this.#connection = connection
    this.#statementTimeout = statementTimeout
    this.#own = own
  }

  get batch(): Batch {
    this.#batch ??= collecting(
      true,
      statement => {
        this.#collected.push(statement)
        if (this.#collected.length > mostCollected) void toldElsewhere(this.#send())
      },
      () => this.#send(),
    )
    return this.#batch
  }

  get isCollecting(): boolean {
    return this.#collected.length > 0
  }

  async all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
    return (await this.#ask({ sql, values })).rows
  }

  async run(sql: string, values: readonly unknown[]): Promise<ChangeResult> {
    if (sql === 'commit') return this.#commit()
    if (sql === 'rollback') return this.#rollback()
    if (sql.startsWith('rollback to ')) this.#forgive()
    const { rows, count } = await this.#ask({ sql, values })
    return { changes: count, id: Number(rows[0]?.[0] ?? 0) }
  }

  /** Begins a transaction with the next statement. */
  begin(sql: string): void {
    this.#hasBegun = true
    this.#begin = { sql, values: [], begins: true, isNamed: true }
  }

  /** Nothing of the batch counts any more. */
  #forgive(): void {
    for (const { reject } of this.#collected) reject?.(new Error('the statement was undone before it was asked'))
    this.#collected = []
    this.#failure = undefined
  }

  async #send(): Promise<void> {
    // A transaction that has failed refuses further statements with an error that would hide the first one.
    const hasFailed = this.#hasBegun && this.#connection.getTransactionStatus() === 'E' && !this.#turns.idle
    if (this.#collected.length > 0 && !hasFailed) await (this.#hasBegun ? this.#askPart() : this.#askReads())
    else await this.#turns.idle
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Outside of a transaction whichever of them fails is found out one by one. */
  async #askReads(): Promise<void> {
    const reads = this.#take()
    const again = this.#again(reads)
    if (again)
      try {
        tell(reads, await this.#askAgain(again))
        return
      } catch (error) {
        traced(error)
        if (!isStale(error)) throw failed(reads, [], error)
      }
    await this.#askEach(reads)
  }

  async #ask(statement: Statement): Promise<Answer> {
    const isAlone = !this.#begin && this.#collected.length === 0 && !this.#turns.idle && !this.#unbegun
    return isAlone ? this.#askOne(statement) : ((await this.#askPart(statement)).at(-1) ?? nothing)
  }

  #take(): readonly Part[] {
    const collected = this.#begin ? [this.#begin, ...this.#collected] : this.#collected
    this.#begin = undefined
    this.#collected = []
    return collected
  }

  /** Asks the collected statements, and more behind them. */
  #askPart(...more: readonly Part[]): Promise<readonly Answer[]> {
    const parts = [...this.#take(), ...more]
    return this.#turns.run(() => this.#askInOrder(parts))
  }

  /** In one piece, once all of them are known here. */
  async #askInOrder(parts: readonly Part[]): Promise<readonly Answer[]> {
    if (this.#unbegun) throw failed(parts, [], this.#unbegun)
    const again = this.#again(parts)
    if (!again) return this.#askEach(parts)
    for (const part of parts) this.#written.note(part)
    const answers: Answer[] = []
    try {
      await this.#askAgain(again, answers)
    } catch (error) {
      traced(error)
      const part = parts[answers.length]
      throw this.#failed(parts, answers, part && this.#isForgotten(part.sql, error) ? unprepared(error) : error)
    }
    tell(parts, answers)
    return answers
  }

  async #askEach(parts: readonly Part[]): Promise<readonly Answer[]> {
    const answers: Answer[] = []
    for (const part of parts)
      try {
        answers.push(await this.#askOne(part, isNamed(part)))
      } catch (error) {
        throw this.#failed(parts, answers, error)
      }
    tell(parts, answers)
    return answers
  }

  #failed(parts: readonly Part[], answers: readonly Answer[], error: unknown): unknown {
    const part = parts[answers.length]
    if (part?.begins) this.#unbegun = error
    if (part?.reject) this.#failure ??= error
    return failed(parts, answers, error)
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

  /** True if the statement can be asked again, because the one that the server had prepared was of no use any more. */
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
  #again(statements: readonly Statement[]): readonly RepeatedStatement[] | undefined {
    const again: RepeatedStatement[] = []
    for (const { sql, values } of statements) {
      if (values instanceof NamingValues) return undefined
      const known = this.#connection.statements.known(sql)
      const sent = known && allSentAs(values)
      if (!known || !sent) return undefined
      again.push({ known, values: sent })
    }
    return again
  }

  /** `answers` has the results before an error. */
  #askAgain(statements: readonly RepeatedStatement[], answers: Answer[] = []): Promise<readonly Answer[]> {
    const connection = this.#connection
    return underWatchdog<readonly Answer[]>(
      settle => connection.query(new RepeatedQuery(statements, answers, settle)),
      this.#statementTimeout,
      connection.watched,
      statements.length,
    )
  }

  async #askDriver({ sql, values }: Statement, isNamed: boolean): Promise<Answer> {
    const { statements } = this.#connection
    const { text, name }: PreparedStatement = isNamed ? prepare(sql) : { text: sql }
    const named = name === undefined ? undefined : statements.named(name)
    const query = { text, values, rowMode: 'array', ...(named !== undefined && { name: named }) }
    // Several statements in one text have no rows here.
    const { rows = [], rowCount, fields, command } = await this.#query<Partial<Result>>(query)
    if (values instanceof NamingValues)
      values.columns = (fields ?? []).map(({ name: column = '', dataTypeID }) => ({ name: column, type: dataTypeID }))
    if (named !== undefined && fields) statements.learn(sql, knownAs(named, fields))
    return { rows, count: rowCount ?? 0, isRollback: command === 'ROLLBACK' }
  }

  #query<T = Result>(query: Record<string, unknown>): Promise<T> {
    return withWatchdog(this.#connection.query<T>(query), this.#statementTimeout, this.#connection.watched)
  }

  /** Ends the transaction behind the collected statements. One of which nothing was asked is none. */
  async #commit(): Promise<ChangeResult> {
    await this.#turns.idle
    if (this.#unbegun ?? this.#failure) throw this.#unbegun ?? this.#failure
    if (this.#begin && this.#collected.length === 0) this.#begin = undefined
    else await this.#end()
    return unchanged
  }

  async #rollback(): Promise<ChangeResult> {
    const isUnasked = this.#begin !== undefined
    this.#begin = undefined
    this.#forgive()
    await this.#turns.idle
    if (!isUnasked && !this.#unbegun) await this.#askOne({ sql: 'rollback', values: [] })
    return unchanged
  }

  async #end(): Promise<void> {
    const answered = this.#askPart(...ending)
    const acknowledged = answered.then(answers => {
      const [asked = nothing, committed = nothing] = answers.slice(-ending.length)
      // It answers so, without an error, where a statement had failed before.
      if (committed.isRollback) throw new Error(undone)
      const id = asked.rows[0]?.[0]
      if (id !== null) this.#own.add(Number(id), this.#written.take())
    })
    this.#own.sent(acknowledged)
    try {
      await acknowledged
    } catch (error) {
      throw (error as { code?: string }).code === isFailed ? new Error(undone, { cause: error }) : error
    }
  }
}

/** A statement that is collected will be asked again. */
const isNamed = ({ isNamed, resolve, values }: Part): boolean =>
  isNamed === true || resolve !== undefined || values.length > 0

/** Tells the callers that have collected statements their results. */
function tell(parts: readonly Part[], answers: readonly Answer[]): void {
  for (let index = 0; index < answers.length; index += 1) {
    const { rows, count } = answers[index] as Answer
    parts[index]?.resolve?.(rows, count)
  }
}

/** The same where one has failed: those behind it have not run. */
function failed(parts: readonly Part[], answers: readonly Answer[], error: unknown): unknown {
  tell(parts, answers)
  for (const { reject } of parts.slice(answers.length)) reject?.(error)
  return error
}
