import type { Session, TransactionSession } from '../../engines/engine.js'
import type { Ask, Caller, Entry, Row, Write } from '../../query/ask.js'
import type { Raw } from '../../query/raw.js'
import type { QueryNode } from '../../query/tree.js'
import type { Meta } from '../format.js'
import type { Among } from '../several/among.js'

/** The facts that hooks are told while a plan runs. */
export interface Call<P = Readonly<Record<string, unknown>>> extends Ask<P> {
  readonly caller: Caller
  readonly now: Date
  /** The id of its request; undefined if code asks. */
  readonly requestId?: string | undefined
  /** Its place among several writes of one request. */
  readonly among?: Among | undefined
  /** Reads and writes of a hook go through the session of the request: inside its transaction, if it has one. */
  readonly session: Session
  /** Tells whether an entry of the type exists within the caller's rules, so that the action could be done to it. */
  readonly reaches: (id: number) => Promise<boolean>
}

/** A write whose transaction is open. */
interface Storing<P> extends Call<P> {
  readonly session: TransactionSession
  /**
   * Leaves work for when the write is safe. It runs after the commit, once, in the order in which it was left; an error is
   * logged and undoes nothing. The session of the write has ended by then.
   */
  readonly afterCommit: (work: () => void | Promise<void>) => void
}

/** The facts inside the transaction of a write. */
export interface Writing<P = Readonly<Record<string, unknown>>> extends Storing<P> {
  /**
   * Creates an entry of another type as a part of the write, as the request would: with the caller's permission to create,
   * row rules and checks, and with all hooks. Resolves to its id.
   */
  readonly create: (uid: string, data: Readonly<Record<string, unknown>>) => Promise<number>
}

/** The facts when a write is done, with the write as hooks have left it. */
export interface Written<P = Readonly<Record<string, unknown>>> extends Storing<P> {
  readonly write: Write
}

/** The row that is changed or deleted, for a hook that asks for it. */
export interface Before {
  /**
   * The row as it was: all columns, private ones included, except secrets. It is read in the transaction while the row is
   * locked. Undefined for a create.
   */
  readonly before: Row | undefined
}

/**
 * The facts of a response whose meta is made. The response may be cached until a row changes, for all callers of the scope: so
 * neither the caller nor the time is known, and reads go through this session.
 */
export interface ResponseAsk<P = Readonly<Record<string, unknown>>> extends Ask<P> {
  /** The response is a list. */
  readonly many: boolean
  /** The entry, where one was asked for by its id or has been written. */
  readonly id: number | undefined
  readonly session: Session
}

/** The place of a hook in the form of an object: `last` is after those of all other plugins. */
export interface Standing {
  readonly last?: true
}

/** A hook that needs to say nothing but that. */
export type LastHook<Run> = Run | { readonly last: true; readonly run: Run }

/**
 * A hook that shapes queries. The second form declares that it reads no value of filters and not which page is asked for:
 * queries that differ in these alone then share its result.
 */
export type QueryHook<Subject, About, Service> =
  | LastHook<(subject: Subject, ask: About, service: Service) => Subject>
  | ({
      readonly readsValues: false
      readonly run: (subject: Subject, ask: About, service: Service) => Subject
    } & Standing)

/** A hook in the transaction of a write; the second form has the row read as it was before the write. */
export type WriteHook<Subject, About, Service, Result> =
  | ((subject: Subject, call: About, service: Service) => Result | Promise<Result>)
  | ({
      readonly run: (subject: Subject, call: About & Before, service: Service) => Result | Promise<Result>
    } & (({ readonly before: true } & Standing) | { readonly last: true }))

/** The stops of a request, in the order it meets them. A stop without hooks does not exist. */
export interface Hooks<P, Service> {
  /** Sees the query as it was sent; gives the one that is read. */
  parseQuery: QueryHook<Raw, Ask, Service>
  /** Narrows every node of a query: the root, and all that is populated, filtered and sorted by. */
  beforeFind: QueryHook<QueryNode, Ask<P>, Service>
  /** Sees the rows of a type as one batch, wherever in the response they stand. */
  afterFind: LastHook<(rows: Entry[], call: Call<P>, service: Service) => void | Promise<void>>
  /** Gives an entry its last form, at once: there may be thousands. */
  serialize: LastHook<(entry: Entry, ask: Ask<P>, service: Service) => undefined>
  /** Adds to the `meta` of a response: gives what is merged into it. Sees what is in it so far, `pagination` in lists. */
  meta: LastHook<(meta: Meta, about: ResponseAsk<P>, service: Service) => Meta | Promise<Meta>>
  /** Sees and shapes what will be written, before the transaction and before it is checked. */
  beforeWrite: LastHook<(write: Write, call: Call<P>, service: Service) => Write | Promise<Write>>
  /**
   * The same inside the transaction, before the first statement that changes the entry, which is locked. It runs again
   * when the database has the transaction repeated. The action and the id are settled.
   */
  inTransaction: WriteHook<Write, Writing<P>, Service, Write>
  /**
   * Runs inside the transaction; an error undoes the write. The row is what was written, with its id. The last statements of
   * the write may still be collected, and are asked before what the hook asks.
   */
  afterWrite: WriteHook<Row, Written<P>, Service, void>
}

/** The hooks of one type, folded: at most one function a stop, its service bound. */
export interface FoldedHooks {
  parseQuery?(raw: Raw, ask: Ask): Raw
  beforeFind?(query: QueryNode, ask: Ask): QueryNode
  afterFind?(rows: Entry[], call: Call): void | Promise<void>
  serialize?(entry: Entry, ask: Ask): void
  meta?(meta: Meta, about: ResponseAsk): Meta | Promise<Meta>
  beforeWrite?(write: Write, call: Call): Write | Promise<Write>
  inTransaction?(write: Write, call: Writing & Before): Write | Promise<Write>
  afterWrite?(row: Row, call: Written & Before): void | Promise<void>
  /** One of those that shape queries may read values: each text has a plan of its own. */
  readonly readsValues?: true
  /** One of them asks for the row as it was before a write. */
  needsBefore?: boolean
}
