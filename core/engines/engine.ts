import type { Knex } from 'knex'
import type { Model, ModelClass } from 'objection'
import type { Versions } from '../cache/versions.js'
import type { EngineName } from '../config/engines.js'
import type { RequestLoad } from '../loop/commit-spacing.js'
import type { Representation } from '../schema/representation.js'
import type { Ddl } from './ddl.js'
import type { Facts } from './facts.js'
import type { TextSearch } from './search.js'
import type { Positions } from './server/positions.js'
import type { Batch, BatchSession, ChangeResult, RawRow, Session, Statement, TransactionSession } from './session.js'
import type { Values } from './values.js'
import type { Words } from './words.js'

export type { Batch, BatchSession, ChangeResult, RawRow, Session, Statement, TransactionSession }

/** True for the session of a transaction: its statements are part of that, one after the other. */
export const isTransaction = (session: Session): session is TransactionSession => session.afterCommit !== undefined

/** True for the session of a transaction or a snapshot: on one connection, it sees other rows than those that are stored now. */
export const isApart = (session: Session): boolean => isTransaction(session) || session.isSnapshot === true

/** A column, table or index as the database has it. */
export interface Layout {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly indexes: ReadonlySet<string>
  /** Tables that take no part in transactions, where a database can have such. */
  readonly loose?: readonly string[]
}

/** One kind of database. The rest of the store is the same for all of them. */
export interface Engine extends Values {
  /** For messages and archives; code asks `facts` for its properties. */
  readonly name: EngineName
  readonly facts: Facts
  readonly ddl: Ddl
  /** The SQL of reads. */
  readonly words: Words
  /** The indexes of the words of texts. */
  readonly search: TextSearch
  /** Builds statements; they run through sessions. */
  readonly knex: Knex
  /** Reads outside a transaction. */
  readonly reader: Session
  /** A session for one response whose reads may be a little behind the last writes; only where there are replicas. */
  relaxed?(): Session
  /** The position in its log, in its own words; only where replicas can follow it. */
  positions?(): Promise<Positions>
  /** Notes for an operator while requests are served. */
  notes?(): Promise<readonly string[]>
  /** Runs the work in one transaction and again where the database asks for it. Nothing is answered before the commit. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>
  /**
   * Runs reads that all see the database as it was when the first of them ran; writers go on meanwhile, except in memory. Where
   * a read takes too long for the connection it is on, all of them run again from the beginning.
   */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>
  readonly versions: Versions
  /** A text that is the same for all texts which a column takes for equal; absent where each is equal to itself alone. */
  equalsOf?(session: Session, table: string, column: string, text: string): Promise<string>
  /** Adds the `count` of a row to that of its name, which is inserted if it is missing, in one statement; resolves to the sum. */
  add(session: Session, table: string, row: NamedRow): Promise<number>
  /** Finds out in which languages it can sort: from then on `words` writes such orders. Gives the test of a tag. */
  languages(): Promise<(tag: string) => boolean>
  introspect(): Promise<Layout>
  /** Keeps other processes from changing the layout at the same time. */
  locked<T>(work: () => Promise<T>): Promise<T>
  /** Runs statements that change the layout. */
  alter(statements: readonly string[]): Promise<void>
  /** One connection for changes of the layout that belong together: one transaction, where the layout takes part in them. */
  altering<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** As many wait for a connection as there are: more would not be served any sooner. Absent if statements never wait for one. */
  isCrowded?(): boolean
  /** The connections to the database; absent where there is no pool. */
  pool?(): PoolState
  /** The state of the replicas; absent without any. */
  replicas?(): ReplicaState
  /** Takes the load of requests, where the distance between commits depends on it. */
  setLoad?(load: RequestLoad): void
  /** Prepares for an import, which writes every page once. */
  beforeImport?(): Promise<void>
  /** Resolves if the database responds; for readiness. */
  ping(): Promise<void>
  /** The kind of failure of a driver's error. */
  classify(error: unknown): Failure | undefined
  close(): Promise<void>
}

/** A row with a unique name, and its other columns. */
export type NamedRow = { readonly name: string } & Readonly<Record<string, string | number>>

/** The number of replicas that are read from, that of all, and the greatest delay of each as far as it is known. */
export interface ReplicaState {
  readonly used: number
  readonly all: number
  readonly lags: readonly { readonly name: string; readonly seconds: number }[]
}

/** Connections that are in use and idle, requests for one that wait, and how many connections there are at most. */
export interface PoolState {
  readonly used: number
  readonly idle: number
  readonly waiting: number
  readonly most: number
}

export type Failure =
  | { readonly kind: 'unique'; readonly column?: string }
  | { readonly kind: 'retry' }
  /** A row that another one leads to is gone. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'value' }
  /** More in one statement or transaction than the database takes. */
  | { readonly kind: 'large' }

/** Another write came between: only the whole transaction, run again, can be right. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
  static readonly #noted = new WeakSet<object>()

  /** Notes that an error of the database means this. */
  static note(error: unknown): void {
    if (typeof error === 'object' && error !== null) Overtaken.#noted.add(error)
  }

  static is(error: unknown): boolean {
    return error instanceof Overtaken || (typeof error === 'object' && error !== null && Overtaken.#noted.has(error))
  }
}

/** Several statements that were asked in one piece have to be asked one by one: that shows which of them is wrong. */
export class OneByOne extends Overtaken {
  /** The driver's error behind a `OneByOne`, or the error itself. */
  static reason(error: unknown): unknown {
    return error instanceof OneByOne ? (error.cause ?? error) : error
  }
}

/** Waits a little, longer with every attempt, and never twice the same. */
export const backOff = (attempt: number): Promise<void> =>
  new Promise(done => setTimeout(done, Math.random() * Math.min(20 * 2 ** attempt, 500)))

/** The database as plugins may use it. */
export interface Store {
  readonly engine: EngineName
  readonly facts: Facts
  /** The query builder, for statements of one's own: `session.all` runs them. */
  readonly knex: Knex
  /** The objection model of a content type. */
  readonly model: (uid: string) => ModelClass<Model>
  readonly reader: Session
  /** A value as statements bind it, and back: engines keep dates and booleans in their own ways. */
  readonly encode: (as: Representation, value: unknown) => unknown
  readonly decode: (as: Representation, value: unknown) => unknown
  /** Work in one transaction, and again where the database asks for it. One that is open for longer is undone: 30 seconds unless it is said. */
  readonly transaction: <T>(work: (session: TransactionSession) => Promise<T>, longest?: number) => Promise<T>
}

/** A function of the connection that fails: the list is longer than one statement should write. */
export const tooMany = 'too_many'
