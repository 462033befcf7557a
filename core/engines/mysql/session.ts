import { LRUCache } from 'lru-cache'
import { TransactionChanges } from '../../cache/transaction-changes.js'
import { collecting, type SessionStatement, toldElsewhere } from '../batch.js'
import { type Batch, type ChangeResult, OneByOne, Overtaken, type RawRow, type Statement } from '../engine.js'
import { NamingValues } from '../named.js'
import { InTurn } from '../server/in-turn.js'
import type { ConnectionSession } from '../server/strict-session.js'
import { Unresponsive, underWatchdog, type WatchedConnection } from '../server/watchdog.js'
import { fitInOne, inOne } from './blocks.js'
import { type Callback, type Connection, type Header, maxStatements, type PreparedStatement } from './connection.js'
import type { OwnWrites } from './own-writes.js'

/** Errors with which a server undoes a transaction, or may: a deadlock, a lock wait, a row that has changed. */
const undoing: readonly unknown[] = [1213, 1205, 1020]
/** Errors of a statement that took too long. */
const overdue: readonly unknown[] = [1969, 3024]
/** Errors of a transaction that the same statements would meet one by one as well. */
const final: readonly unknown[] = [...undoing, ...overdue]
/** Reads that took too long in one piece: one by one, each of them has the time that all of them had. */
const slow = new LRUCache<string, true>({ max: 1000 })
/** The error of a statement that the server does not prepare. */
const unprepared = 1295
/** Errors of the network have numbers, too. */
const isOfServer = (errno: unknown): boolean => Number(errno) >= 1000
/** The error of a packet that the server does not take. */
const tooLarge = 1153
/** The error of a statement that was ended from another connection. */
const interrupted = 1317
/** The flag of a server's reply that says that a transaction is open. */
const inTransaction = 1
/** Statements that are collected, at most: a server prepares each series of them as one text. */
const mostCollected = 8
/** Statements that are known here to be prepared: fewer than the driver keeps, so that it has closed none of them. */
const mostKept = maxStatements - 50
const prepared = new WeakMap<Connection, Map<string, PreparedStatement>>()
const unchanged: ChangeResult = { changes: 0, id: 0 }
const commit: Statement = { sql: 'commit', values: [] }

interface Uses {
  readonly statementTimeout: number
  readonly watched: WatchedConnection
  readonly own: OwnWrites
}

/** One use of a connection: a statement, or a transaction. */
export class ServerSession implements ConnectionSession {
  readonly #connection: Connection
  readonly #uses: Uses
  readonly #written = new TransactionChanges()
  /** The transaction begins with its first statement, where several are asked as one. */
  readonly begin?: Required<ConnectionSession>['begin']
  #batch: Batch | undefined
  #collected: SessionStatement[] = []
  #isInside = false
  /** Nothing of the transaction has been asked. */
  #isUnasked = false
  #isOneByOne: boolean
  #isOpen = false
  readonly #turns = new InTurn()
  /** The error that has ended the transaction before its time; `#isGone` says that nothing of it is left. */
  #ended: unknown
  #isGone = false

  constructor(connection: Connection, uses: Uses) {
    this.#connection = connection
    this.#uses = uses
    this.#isOneByOne = !connection.takesBlocks
    if (!connection.takesBlocks) return
    this.begin = (sql, isOneByOne) => {
      const begin = { sql, values: [] }
      this.#isInside = true
      this.#isOneByOne = isOneByOne
      this.#isUnasked = !isOneByOne
      if (isOneByOne) void toldElsewhere(this.#inTurn([begin]))
      else this.#collected = [begin]
    }
  }

  get batch(): Batch {
    this.#batch ??= collecting(!this.#isOneByOne, this.#collect, () => this.#send())
    return this.#batch
  }

  get isCollecting(): boolean {
    return this.#collected.length > 0
  }

  async all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
    const statement = { sql, values, reads: true }
    const collected = this.#take()
    const parts = [...collected, statement]
    const isBlock = collected.length > 0 && !(values instanceof NamingValues)
    const block = isBlock ? inOne(parts) : undefined
    if (!block) return (await this.#askBehind(collected, statement)) as RawRow[]
    return rowsOf(await this.#inTurn(parts, block)).at(-1) ?? []
  }

  async run(sql: string, values: readonly unknown[]): Promise<ChangeResult> {
    if (sql === 'commit') return this.#commit()
    const collected = this.#take()
    if (sql !== 'rollback') return changedOf(await this.#askBehind(collected, { sql, values }))
    rejectAll(collected, new Error('the statement was undone before it was asked'))
    return this.#isUnasked ? unchanged : changedOf(await this.#inTurn([{ sql, values }]))
  }

  readonly #collect = (statement: SessionStatement): void => {
    const collected = this.#collected
    if (this.#isOneByOne || !fitInOne([statement])) {
      this.#askSoon(this.#take())
      this.#askSoon([statement])
    } else if (collected.length > mostCollected || !fitInOne([...collected, statement])) {
      this.#askSoon(this.#take())
      this.#collected = [statement]
    } else collected.push(statement)
  }

  /** An error of these is that of the next statement, or of the commit. */
  #askSoon(parts: readonly SessionStatement[]): void {
    if (parts.length > 0) void toldElsewhere(this.#inTurn(parts))
  }

  #askBehind(collected: readonly SessionStatement[], statement: SessionStatement): Promise<unknown> {
    this.#askSoon(collected)
    return this.#inTurn([statement])
  }

  async #send(): Promise<void> {
    const isBegin = this.#isUnasked && this.#collected.length === 1
    if (this.#collected.length > 0 && !isBegin) await this.#askCollected(this.#take())
    await this.#turns.idle
    if (this.#ended !== undefined) throw this.#ended
  }

  /** If the block fails outside of a transaction, the statements are asked one by one to find the one that did. */
  async #askCollected(parts: readonly SessionStatement[]): Promise<void> {
    const block = parts.length > 1 ? inOne(parts) : undefined
    if (block && (this.#isInside || !slow.has(block.sql)))
      try {
        await this.#inTurn(parts, block)
        return
      } catch (error) {
        const { errno } = OneByOne.reason(error) as { errno?: unknown }
        if (overdue.includes(errno)) slow.set(block.sql, true)
        if (this.#isInside || !isOfServer(errno)) throw error
      }
    for (const [index, part] of parts.entries())
      try {
        await this.#inTurn([part])
      } catch (error) {
        throw rejectAll(parts.slice(index + 1), error)
      }
  }

  /** With the collected statements in one block. An error that may have come after the commit is that of a lost one. */
  async #commit(): Promise<ChangeResult> {
    const collected = this.#take()
    if (this.#isUnasked && collected.length < 2) return unchanged
    const parts = [...collected, commit]
    const block = collected.length > 0 ? inOne(parts) : undefined
    if (!block) return changedOf(await this.#askBehind(collected, commit))
    try {
      await this.#inTurn(parts, block)
      return unchanged
    } catch (error) {
      const { errno } = OneByOne.reason(error) as { errno?: unknown }
      if (errno !== interrupted) throw error
      throw new Unresponsive('the last statements of a transaction were interrupted', { cause: error })
    }
  }

  #take(): readonly SessionStatement[] {
    const collected = this.#collected
    if (collected.length > 0) this.#collected = []
    return collected
  }

  /**
   * In a transaction one after the other: the driver would send waiting statements although the server has undone the
   * transaction, and they would run outside of it, and be stored.
   */
  #inTurn(statements: readonly SessionStatement[], block = blockOf(statements)): Promise<unknown> {
    if (!this.#isInside && !this.#isOpen && this.#ended === undefined) return this.#ask(statements, block)
    return this.#turns.run(() => this.#ask(statements, block))
  }

  async #ask(statements: readonly SessionStatement[], { sql, values }: Statement): Promise<unknown> {
    if (sql.startsWith('rollback to ') && !this.#isGone) this.#ended = undefined
    const isInside = this.#isInside || this.#isOpen
    try {
      if (this.#ended !== undefined && sql !== 'rollback') throw this.#ended
      this.#isUnasked = false
      const result = await this.#watch({ sql, values }, statements)
      tell(statements, result)
      return result
    } catch (error) {
      if (error === this.#ended) throw rejectAll(statements, error)
      const failed = this.#failed(statements, error)
      this.#isGone ||= error instanceof Overtaken || undoing.includes((error as { errno?: unknown }).errno)
      if (isInside && (failed.isEnd || this.#isGone)) this.#ended = failed.reason
      // Outside of a transaction they are asked again, each by itself.
      throw isInside || statements.length === 1 ? rejectAll(statements, failed.reason) : failed.reason
    }
  }

  /**
   * The reason to reject with, and `isEnd` if nothing more may be asked: the error may reach code that has asked for something
   * else, and goes on.
   */
  #failed(statements: readonly SessionStatement[], error: unknown): { reason: unknown; isEnd: boolean } {
    const [{ reject }] = statements as [SessionStatement]
    const { errno } = error as { errno?: unknown }
    if (errno === unprepared) this.#connection.takesBlocks = false
    const isMany = statements.length > 1
    const isEnd = isMany || reject !== undefined || !this.#isOpen
    if (!isMany) return { reason: error, isEnd }
    const isFinal = !isOfServer(errno) || final.includes(errno)
    return { reason: isFinal ? error : new OneByOne('one of several statements has failed', { cause: error }), isEnd }
  }

  /** Notes the changes of a transaction until they are stored. A followed statement ends also where the server does not reply. */
  #watch({ sql, values }: Statement, parts: readonly Statement[]): Promise<unknown> {
    const { statementTimeout, watched, own } = this.#uses
    const answered = underWatchdog(settle => this.#query(sql, values, settle), statementTimeout, watched, parts.length)
    if (!this.#connection.isFollowed) return answered
    const isCommit = parts.at(-1)?.sql === commit.sql
    if (sql === 'rollback') this.#written.take()
    else for (const part of parts) this.#written.note(part)
    // In a transaction, the effect of a statement with values is stored by another statement.
    if (isCommit) own.follow(answered.then(headerOf), this.#written, isCommit)
    else if (!this.#isOpen || values.length === 0) own.follow(answered as Promise<Header>, this.#written, isCommit)
    return answered
  }

  #query(sql: string, values: readonly unknown[], done: Callback): void {
    const told: Callback = (error, result, fields) => {
      // The driver sends no event for the end of a connection on which a statement waits.
      if ((error as { readonly fatal?: boolean } | null)?.fatal) this.#connection.isOver = true
      if (values instanceof NamingValues && Array.isArray(fields))
        values.columns = fields.map(({ name, columnType, columnLength }) => ({
          name,
          type: columnType,
          length: columnLength,
        }))
      const { serverStatus } = headerOf(result)
      if (serverStatus !== undefined) this.#isOpen = (serverStatus & inTransaction) !== 0
      done(error, result)
    }
    // Transaction control and the layout have no values and need no preparing.
    if (values.length === 0 && !/^(?:select|begin not atomic)\b/i.test(sql)) this.#connection.query(sql, told)
    else this.#execute(sql, values, told)
  }

  /**
   * A node tells a transaction that a write of another one has rolled back so with the next statement, unless that is being
   * prepared: then nothing is said, and the statement runs outside of the transaction. So after each preparing it is asked.
   */
  #execute(sql: string, values: readonly unknown[], done: Callback): void {
    const connection = this.#connection
    // A server that gets more ends the connection, and its error may be lost with it.
    if (isLarger(values, connection.mostBytes)) {
      done(
        Object.assign(new Error('the values are larger than a packet of the server'), { errno: tooLarge }),
        undefined,
      )
      return
    }
    const kept = prepared.get(connection) ?? new Map<string, PreparedStatement>()
    prepared.set(connection, kept)
    const known = kept.get(sql)
    if (known) {
      known.execute(values, done)
      return
    }
    connection.prepare(sql, (error, statement) => {
      if (error) return done(error, undefined)
      // Statements that are run here again and again look unused to the driver, which closes those that it has not given away for
      // long.
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string)
      kept.set(sql, statement)
      if (!connection.isCluster || !this.#isOpen) return statement.execute(values, done)
      this.#query('do 0', [], error => {
        if (error) done(error, undefined)
        else if (this.#isOpen) statement.execute(values, done)
        else done(new Overtaken('a write of another node has thrown the transaction out'), undefined)
      })
    })
  }
}

/** True if these values take more bytes than `most`; counted only if they may, as that takes longer than to look. */
function isLarger(values: readonly unknown[], most = Number.POSITIVE_INFINITY): boolean {
  let units = 0
  for (const value of values) if (typeof value === 'string') units += value.length
  // One unit of a text takes three bytes at most.
  if (units * 3 <= most) return false
  let bytes = 0
  for (const value of values) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  return bytes > most
}

/** The block of collected statements, which always fit in one. */
function blockOf(statements: readonly SessionStatement[]): Statement {
  const block = statements.length > 1 ? inOne(statements) : statements[0]
  if (!block) throw new Error('these statements cannot be asked as one')
  return block
}

/** Tells the callers that have collected statements their results. */
function tell(statements: readonly SessionStatement[], result: unknown): void {
  const rows = statements.length === 1 ? [result as RawRow[]] : [...rowsOf(result)]
  let { affectedRows = 0 } = headerOf(result)
  for (const { resolve, reads } of statements)
    if (reads) {
      const found = rows.shift()
      resolve?.(found ?? [], 0)
    } else if (resolve) {
      resolve([], affectedRows)
      // Of several statements only the sum is told.
      affectedRows = 0
    }
}

function rejectAll(statements: readonly SessionStatement[], reason: unknown): unknown {
  for (const { reject } of statements) reject?.(reason)
  return reason
}

/** The lists of rows that several statements have given. */
const rowsOf = (result: unknown): readonly RawRow[][] => (Array.isArray(result) ? result.slice(0, -1) : [])

/** The last reply, if there were several statements. */
const headerOf = (result: unknown): Partial<Header> =>
  ((Array.isArray(result) ? result.at(-1) : result) as Partial<Header> | undefined) ?? {}

function changedOf(result: unknown): ChangeResult {
  const { affectedRows = 0, insertId } = headerOf(result)
  return { changes: affectedRows, id: Number(insertId) }
}
