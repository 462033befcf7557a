import { LRUCache } from 'lru-cache'
import { TransactionChanges } from '../../cache/transaction-changes.js'
import { type Changed, type Heard, OneByOne, Overtaken, type RawRow, type Statement } from '../engine.js'
import { NamingValues } from '../named.js'
import { InTurn } from '../server/in-turn.js'
import type { ConnectionSession } from '../server/pooled.js'
import { Unresponsive, underWatchdog, type WatchedConnection } from '../server/watchdog.js'
import { fitInOne, inOne } from './blocks.js'
import { type Callback, type Connection, type Header, maxStatements, type Prepared } from './connection.js'
import type { OwnWrites } from './own-writes.js'

/** Errors with which a server undoes a transaction, or may: a deadlock, a lock wait, a row that has changed. */
const undoing: readonly unknown[] = [1213, 1205, 1020]
/** Those of a statement that took too long. */
const overdue: readonly unknown[] = [1969, 3024]
/** Those after which the same statements one by one would be no better, in a transaction. */
const final: readonly unknown[] = [...undoing, ...overdue]
/** Reads that took too long in one piece: one by one, each of them has the time that all of them had. */
const slow = new LRUCache<string, true>({ max: 1000 })
/** What a server says of statements that it does not prepare. */
const unprepared = 1295
/** Errors of the network have numbers, too. */
const isOfServer = (errno: unknown): boolean => Number(errno) >= 1000
/** What a server says of a packet that it does not take. */
const tooLarge = 1153
/** What a server says of a statement that was ended from another connection. */
const interrupted = 1317
/** The flag of a server's reply that says that a transaction is open. */
const inTransaction = 1
/** Statements that wait for the next one, at most: a server prepares each series of them as one text. */
const mostLeft = 8
/** Statements that are known here to be prepared: fewer than the driver keeps, so that it has closed none of them. */
const mostKept = maxStatements - 50
const prepared = new WeakMap<Connection, Map<string, Prepared>>()
const unchanged: Changed = { changes: 0, id: 0 }
const ended = () => undefined
const commit: Statement = { sql: 'commit', values: [] }

interface Asked extends Statement {
  readonly heard?: Heard | undefined
}

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
  /** The transaction begins with its first statement, and statements of which nothing is made wait for the next one. */
  readonly begin?: Required<ConnectionSession>['begin']
  readonly settled?: () => Promise<void>
  readonly last?: Required<ConnectionSession>['last']
  readonly together?: Required<ConnectionSession>['together']
  /** What is asked together with the next statement; undefined where each is asked by itself. */
  #left: Asked[] | undefined
  /** Nothing of the transaction has been asked. */
  #isUnasked = false
  #isOneByOne = false
  #isOpen = false
  readonly #turns = new InTurn()
  /** What has ended the transaction before its time, and whether nothing of it is left. */
  #ended: unknown
  #isGone = false

  constructor(connection: Connection, uses: Uses) {
    this.#connection = connection
    this.#uses = uses
    if (!connection.takesBlocks) return
    this.begin = (sql, isOneByOne) => {
      const begin = { sql, values: [] }
      this.#left = isOneByOne ? [] : [begin]
      this.#isUnasked = !isOneByOne
      this.#isOneByOne = isOneByOne
      if (isOneByOne) this.#inTurn([begin]).catch(ended)
    }
    this.settled = () => this.#settle()
    this.last = (sql, values) => this.#end({ sql, values })
    this.together = statements => this.#askTogether(statements)
  }

  async all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
    const statement = { sql, values }
    const left = this.#take()
    if (left.length === 0) return (await this.#inTurn([statement])) as RawRow[]
    const all = [...left, statement]
    const block = values instanceof NamingValues ? undefined : inOne(all)
    if (block) return ((await this.#inTurn(all, block)) as [RawRow[]])[0]
    this.#inTurn(left).catch(ended)
    return (await this.#inTurn([statement])) as RawRow[]
  }

  run(sql: string, values: readonly unknown[], heard?: Heard): Changed | Promise<Changed> {
    const statement = { sql, values, heard }
    const left = this.#left
    return heard && left && fitInOne([statement]) ? this.#leave(left, statement) : this.#change(statement)
  }

  async #change(statement: Asked): Promise<Changed> {
    const { sql } = statement
    const left = this.#take()
    const isNothing = sql === 'rollback' || (sql === 'commit' && left.length < 2)
    if (this.#isUnasked && isNothing) return unchanged
    if (left.length > 0 && sql !== 'rollback') this.#inTurn(left).catch(ended)
    return changedOf(await this.#inTurn([statement]))
  }

  /**
   * Reads that are asked in one piece, with what was left before them. Where that fails, it is found out one by one which it
   * was: here, or when the transaction runs again.
   */
  async #askTogether(statements: readonly Statement[]): Promise<readonly (readonly RawRow[])[]> {
    const left = this.#take()
    const all = [...left, ...statements]
    const block = inOne(all)
    if (block && !slow.has(block.sql))
      try {
        return ((await this.#inTurn(all, block)) as (readonly RawRow[])[]).slice(0, -1)
      } catch (error) {
        const { errno } = OneByOne.reason(error) as { errno?: unknown }
        if (overdue.includes(errno)) slow.set(block.sql, true)
        if (this.#left || !isOfServer(errno)) throw error
      }
    else if (left.length > 0) this.#inTurn(left).catch(ended)
    const found: (readonly RawRow[])[] = []
    for (const { sql, values } of statements) found.push(await this.all(sql, values))
    return found
  }

  /** The read and the commit in one block. An error that may have come after the commit is that of a lost one. */
  async #end(statement: Statement): Promise<readonly RawRow[]> {
    const left = this.#take()
    const all = [...left, statement, commit]
    const block = inOne(all)
    try {
      if (block) return ((await this.#inTurn(all, block)) as [RawRow[]])[0]
      if (left.length > 0) this.#inTurn(left).catch(ended)
      const found = (await this.#inTurn([statement])) as RawRow[]
      await this.#inTurn([commit])
      return found
    } catch (error) {
      const { errno } = OneByOne.reason(error) as { errno?: unknown }
      if (errno !== interrupted) throw error
      throw new Unresponsive('the last statements of a transaction were interrupted', { cause: error })
    }
  }

  /** An error of what is left is that of what is asked next, or of the commit. */
  #leave(left: Asked[], statement: Asked): Changed {
    if (this.#isOneByOne) this.#inTurn([statement]).catch(ended)
    else if (left.length > mostLeft || !fitInOne([...left, statement])) {
      this.#inTurn(left).catch(ended)
      this.#left = [statement]
    } else left.push(statement)
    return unchanged
  }

  async #settle(): Promise<void> {
    const isBegin = this.#isUnasked && this.#left?.length === 1
    if (this.#left?.length && !isBegin) await this.#inTurn(this.#take())
    await this.#turns.idle
    if (this.#ended !== undefined) throw this.#ended
  }

  #take(): readonly Asked[] {
    const left = this.#left ?? []
    if (left.length > 0) this.#left = []
    return left
  }

  /**
   * In a transaction one after the other: the driver would send what waits although the server has undone the transaction, and
   * it would run outside of it, and be stored.
   */
  #inTurn(statements: readonly Asked[], block = blockOf(statements)): Promise<unknown> {
    if (!this.#left && !this.#isOpen && this.#ended === undefined) return this.#ask(statements, block)
    return this.#turns.run(() => this.#ask(statements, block))
  }

  async #ask(statements: readonly Asked[], { sql, values }: Statement): Promise<unknown> {
    if (sql.startsWith('rollback to ') && !this.#isGone) this.#ended = undefined
    if (this.#ended !== undefined && sql !== 'rollback') throw this.#ended
    this.#isUnasked = false
    const isInside = this.#left !== undefined || this.#isOpen
    try {
      const result = await this.#watch({ sql, values }, statements)
      let { affectedRows = 0 } = headerOf(result)
      for (const { heard } of statements) {
        if (!heard) continue
        heard(undefined, affectedRows)
        // Of several statements only the sum is told.
        affectedRows = 0
      }
      return result
    } catch (error) {
      const failed = this.#failed(statements, error)
      this.#isGone ||= error instanceof Overtaken || undoing.includes((error as { errno?: unknown }).errno)
      if (isInside && (failed.isEnd || this.#isGone)) this.#ended = failed.reason
      throw failed.reason
    }
  }

  /** What becomes of an error, and whether nothing more may be asked: it may reach code that has asked for something else, and goes on. */
  #failed(statements: readonly Asked[], error: unknown): { reason: unknown; isEnd: boolean } {
    const [{ heard }] = statements as [Asked]
    const { errno } = error as { errno?: unknown }
    if (errno === unprepared) this.#connection.takesBlocks = false
    const isMany = statements.length > 1
    const isEnd = isMany || heard !== undefined || !this.#isOpen
    if (!isMany) return { reason: heard?.(error, 0) ?? error, isEnd }
    const isFinal = !isOfServer(errno) || final.includes(errno)
    return { reason: isFinal ? error : new OneByOne('one of several statements has failed', { cause: error }), isEnd }
  }

  /** Notes what a transaction writes until it is stored. What is followed ends also where the server does not reply. */
  #watch({ sql, values }: Statement, parts: readonly Statement[]): Promise<unknown> {
    const { statementTimeout, watched, own } = this.#uses
    const answered = underWatchdog(settle => this.#send(sql, values, settle), statementTimeout, watched, parts.length)
    if (!this.#connection.isFollowed) return answered
    const isCommit = parts.at(-1)?.sql === commit.sql
    if (sql === 'rollback') this.#written.take()
    else for (const part of parts) this.#written.note(part)
    // What a statement with values does in a transaction is stored by another one.
    if (isCommit) own.follow(answered.then(headerOf), this.#written, isCommit)
    else if (!this.#isOpen || values.length === 0) own.follow(answered as Promise<Header>, this.#written, isCommit)
    return answered
  }

  #send(sql: string, values: readonly unknown[], done: Callback): void {
    const told: Callback = (error, result, fields) => {
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
    // A server that gets more ends the connection, and what it says of that may be lost with it.
    if (isLarger(values, connection.mostBytes)) {
      done(
        Object.assign(new Error('the values are larger than a packet of the server'), { errno: tooLarge }),
        undefined,
      )
      return
    }
    const kept = prepared.get(connection) ?? new Map<string, Prepared>()
    prepared.set(connection, kept)
    const known = kept.get(sql)
    if (known) {
      known.execute(values, done)
      return
    }
    connection.prepare(sql, (error, statement) => {
      if (error) return done(error, undefined)
      // What is run here again and again looks unused to the driver, which closes what it has not given away for long.
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string)
      kept.set(sql, statement)
      if (!connection.isCluster || !this.#isOpen) return statement.execute(values, done)
      this.#send('do 0', [], error => {
        if (error) done(error, undefined)
        else if (this.#isOpen) statement.execute(values, done)
        else done(new Overtaken('a write of another node has thrown the transaction out'), undefined)
      })
    })
  }
}

/** Whether these values take more bytes than that; counted only where they may, as that takes longer than to look. */
function isLarger(values: readonly unknown[], most = Number.POSITIVE_INFINITY): boolean {
  let units = 0
  for (const value of values) if (typeof value === 'string') units += value.length
  // One unit of a text takes three bytes at most.
  if (units * 3 <= most) return false
  let bytes = 0
  for (const value of values) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  return bytes > most
}

/** What is left for later fits in one block. */
function blockOf(statements: readonly Asked[]): Statement {
  const block = statements.length > 1 ? inOne(statements) : statements[0]
  if (!block) throw new Error('these statements cannot be asked as one')
  return block
}

/** Of several statements, what is said in the end. */
const headerOf = (result: unknown): Partial<Header> =>
  ((Array.isArray(result) ? result.at(-1) : result) as Partial<Header> | undefined) ?? {}

function changedOf(result: unknown): Changed {
  const { affectedRows = 0, insertId } = headerOf(result)
  return { changes: affectedRows, id: Number(insertId) }
}
