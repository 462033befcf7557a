import { AsyncLocalStorage } from 'node:async_hooks'
import { type Session, type Store, UnavailableError } from '../../../core/index.js'
import type { Fn, Loose } from '../types.js'

/** Milliseconds that a callback may take, such as one that fills a new database; what code has to end itself may be forgotten. */
const longest = 300_000

type Step = () => unknown

/** The end of a transaction that is not code's own. */
const ended = async (): Promise<void> => undefined

/** An error that undoes a transaction whose end is in the hands of code. */
class Undone extends Error {}

/** A transaction that lasts until code ends it: the work of the store's own waits meanwhile. */
export class OpenTransaction {
  readonly session: Session
  readonly #end: (undo: boolean) => void
  readonly #done: Promise<void>
  outcome: 'open' | 'ending' | 'committed' | 'undone' = 'open'

  private constructor(session: Session, end: (undo: boolean) => void, done: Promise<void>) {
    this.session = session
    this.#end = end
    this.#done = done
  }

  /** Code's work in it cannot be done again, so a transaction that the database gives up is not repeated. */
  static begin(store: Pick<Store, 'transaction'>, longest?: number): Promise<OpenTransaction> {
    return new Promise((resolve, reject) => {
      let attempts = 0
      const work = async (session: Session) => {
        attempts += 1
        if (attempts > 1) throw new UnavailableError('Too much write contention; try again')
        await new Promise<void>((commit, undo) => {
          const end = (isUndone: boolean) => (isUndone ? undo(new Undone()) : commit())
          // The work has a promise only once this function has returned.
          queueMicrotask(() => resolve(new OpenTransaction(session, end, done)))
        })
      }
      const done: Promise<void> = store.transaction(work, longest)
      done.catch(reject)
    })
  }

  get isOver(): boolean {
    return this.outcome !== 'open'
  }

  async commit(): Promise<void> {
    if (this.isOver) return
    this.outcome = 'ending'
    this.#end(false)
    try {
      await this.#done
    } catch (error) {
      this.outcome = 'undone'
      throw error
    }
    this.outcome = 'committed'
  }

  async rollback(): Promise<void> {
    if (this.isOver) return
    this.outcome = 'undone'
    this.#end(true)
    await this.#done.catch(error => {
      if (!(error instanceof Undone)) throw error
    })
  }
}

/** The transaction in which code runs: all its reads and writes belong to it. */
export class Scope {
  readonly open: OpenTransaction
  /** The same transaction as knex has it; made when code asks for it. */
  readonly #trx: () => Promise<Loose>
  readonly #committed: Step[] = []
  readonly #undone: Step[] = []
  #knex: Promise<Loose> | undefined
  #isTold = false
  #turn: Promise<unknown> = Promise.resolve()
  #writes = 0

  readonly #outside: <T>(work: () => T) => T

  constructor(open: OpenTransaction, trx: (open: OpenTransaction) => Promise<Loose>, outside: <T>(work: () => T) => T) {
    this.open = open
    this.#outside = outside
    this.#trx = () => trx(open)
  }

  get session(): Session {
    return this.open.session
  }

  trx(): Promise<Loose> {
    this.#knex ??= this.#trx()
    return this.#knex
  }

  /** One write after the other, each undone alone: code may catch its error, and go on. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#writes += 1
    const name = `code_${this.#writes}`
    const done = this.#turn.then(() => undone(this.session, name, work))
    this.#turn = done.catch(() => undefined)
    return done
  }

  readonly onCommit = (step: Step): void => void this.#committed.push(step)
  readonly onRollback = (step: Step): void => void this.#undone.push(step)

  readonly commit = async (): Promise<void> => {
    try {
      await this.open.commit()
    } finally {
      await this.#tell()
    }
  }

  readonly rollback = async (): Promise<void> => {
    await this.open.rollback()
    await this.#tell()
  }

  /** Runs what was left for the end, once, in whichever way it has ended. */
  async #tell(): Promise<void> {
    if (this.#isTold) return
    this.#isTold = true
    const steps = this.open.outcome === 'committed' ? this.#committed : this.#undone
    await this.#outside(async () => {
      for (const step of steps) await step()
    })
  }
}

/** Work in a transaction that is undone alone where it fails, with all that it has left for the end. */
async function undone<T>(session: Session, name: string, work: (session: Session) => Promise<T>): Promise<T> {
  const steps: (() => Promise<void>)[] = []
  const batch = atOnce(session)
  const own: Session = {
    all: (sql, values) => session.all(sql, values),
    run: (sql, values) => session.run(sql, values),
    batch,
    afterCommit: step => void steps.push(step),
  }
  await session.run(`savepoint ${name}`, [])
  let value: T
  try {
    value = await work(own)
    await batch.send()
  } catch (error) {
    try {
      await session.run(`rollback to savepoint ${name}`, [])
      await session.run(`release savepoint ${name}`, [])
    } catch {
      // The database has given up the whole transaction: it says so to all that goes on with it.
    }
    throw error
  }
  await session.run(`release savepoint ${name}`, [])
  for (const step of steps) session.afterCommit?.(step)
  return value
}

/** A batch that keeps nothing for later: behind the end of a savepoint, its statements would not be undone with it. */
function atOnce(session: Session): Required<Session>['batch'] {
  const asked: Promise<unknown>[] = []
  const ask = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = (async () => work())()
    asked.push(done)
    // The error is that of `send`.
    done.catch(() => undefined)
    return done
  }
  return {
    isPiece: false,
    all: (sql, values) => ask(() => session.all(sql, values)),
    run: (sql, values) => ask(() => session.run(sql, values)),
    send: async () => void (await Promise.all(asked)),
  }
}

/** The transactions of code: the current one travels with its asynchronous context. */
export class Scopes {
  readonly #store: Store
  readonly #trx: (open: OpenTransaction) => Promise<Loose>
  readonly #storage = new AsyncLocalStorage<Scope | undefined>()

  constructor(store: Store, trx: (open: OpenTransaction) => Promise<Loose>) {
    this.#store = store
    this.#trx = trx
  }

  /** The transaction that code is in, unless it has ended. */
  get current(): Scope | undefined {
    const scope = this.#storage.getStore()
    return scope?.open.isOver ? undefined : scope
  }

  /** Reads go to the transaction that code is in. */
  get reader(): Session {
    return this.current?.session ?? this.#store.reader
  }

  /** Work that writes: a part of the transaction that code is in, or one of its own, which the database may have repeated. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { current } = this
    if (current) return current.write(work)
    // Work that code has left running when its transaction was undone must not be stored without it.
    if (this.#storage.getStore()?.open.outcome === 'undone')
      return Promise.reject(new Error('Transaction query already complete: the transaction was rolled back'))
    return this.#store.transaction(work)
  }

  /** Work that is one piece and that no code takes part in: the database may have it repeated. */
  atomic<T>(work: () => Promise<T>): Promise<T> {
    return this.current ? work() : this.#store.transaction(session => this.within(session, work))
  }

  /** A nested transaction is the outer one. Without a callback, code ends it by itself. */
  async transaction(callback?: Fn): Promise<Loose> {
    const { current } = this
    if (!callback) return this.#byHand(current)
    if (current) return callback(await this.#given(current, true))
    const scope = new Scope(await OpenTransaction.begin(this.#store, longest), this.#trx, this.#leave)
    const given = await this.#given(scope, false)
    let value: Loose
    try {
      value = await this.#storage.run(scope, () => callback(given))
    } catch (error) {
      await scope.rollback()
      throw error
    }
    await scope.commit()
    return value
  }

  /** Runs code in a transaction that is open already: that of a write which code has no part in. */
  within<T>(session: Session, work: () => T): T {
    const open = {
      session,
      outcome: 'open',
      isOver: false,
      commit: ended,
      rollback: ended,
    } as unknown as OpenTransaction
    return this.#storage.run(new Scope(open, this.#trx, this.#leave), work)
  }

  /** Runs code outside of any transaction. */
  outside<T>(work: () => T): T {
    return this.#storage.run(undefined, work)
  }

  readonly #leave = <T>(work: () => T): T => this.outside(work)

  async #given(scope: Scope, isInner: boolean): Promise<Loose> {
    const nothing = async () => undefined
    return {
      trx: await scope.trx(),
      commit: isInner ? nothing : scope.commit,
      rollback: scope.rollback,
      onCommit: scope.onCommit,
      onRollback: scope.onRollback,
    }
  }

  async #byHand(current: Scope | undefined): Promise<Loose> {
    if (current) return { commit: async () => undefined, rollback: current.rollback, get: () => current.trx() }
    const scope = new Scope(await OpenTransaction.begin(this.#store), this.#trx, this.#leave)
    const trx = await scope.trx()
    return { commit: scope.commit, rollback: scope.rollback, get: () => trx }
  }
}
