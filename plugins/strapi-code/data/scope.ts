import { AsyncLocalStorage } from 'node:async_hooks'
import { type Session, type Store, UnavailableError } from '../../../core/index.js'
import type { Fn, Loose } from '../types.js'

type Step = () => unknown

/** The end of a transaction that is not code's own. */
const ended = async (): Promise<void> => undefined

/** What undoes a transaction whose end is in the hands of code. */
class Undone extends Error {}

/** A transaction that lasts until code ends it: the work of the store's own waits meanwhile. */
export class OpenTransaction {
  readonly session: Session
  readonly #end: (undo: boolean) => void
  readonly #done: Promise<void>
  outcome: 'open' | 'committed' | 'undone' = 'open'

  private constructor(session: Session, end: (undo: boolean) => void, done: Promise<void>) {
    this.session = session
    this.#end = end
    this.#done = done
  }

  /** What code has done in it cannot be done again, so a transaction that the database gives up is not repeated. */
  static begin(store: Pick<Store, 'transaction'>): Promise<OpenTransaction> {
    return new Promise((resolve, reject) => {
      let attempts = 0
      const done: Promise<void> = store.transaction(async session => {
        attempts += 1
        if (attempts > 1) throw new UnavailableError('Too much write contention; try again')
        await new Promise<void>((commit, undo) => {
          const end = (isUndone: boolean) => (isUndone ? undo(new Undone()) : commit())
          // The work has a promise only once this function has returned.
          queueMicrotask(() => resolve(new OpenTransaction(session, end, done)))
        })
      })
      done.catch(reject)
    })
  }

  get isOver(): boolean {
    return this.outcome !== 'open'
  }

  async commit(): Promise<void> {
    if (this.isOver) return
    // Nothing more may be asked of it, whatever comes of the commit.
    this.outcome = 'undone'
    this.#end(false)
    await this.#done
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

  constructor(open: OpenTransaction, trx: (open: OpenTransaction) => Promise<Loose>) {
    this.open = open
    this.#trx = () => trx(open)
  }

  get session(): Session {
    return this.open.session
  }

  trx(): Promise<Loose> {
    this.#knex ??= this.#trx()
    return this.#knex
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

  /** Runs what was left for the end, once, whoever has ended it. */
  async #tell(): Promise<void> {
    if (this.#isTold) return
    this.#isTold = true
    for (const step of this.open.outcome === 'committed' ? this.#committed : this.#undone) await step()
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
    return current ? work(current.session) : this.#store.transaction(work)
  }

  /** A nested transaction is the outer one. Without a callback, code ends it by itself. */
  async transaction(callback?: Fn): Promise<Loose> {
    const { current } = this
    if (!callback) return this.#byHand(current)
    if (current) return callback(await this.#given(current, true))
    const scope = new Scope(await OpenTransaction.begin(this.#store), this.#trx)
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
    return this.#storage.run(new Scope(open, this.#trx), work)
  }

  /** Runs code outside of any transaction. */
  outside<T>(work: () => T): T {
    return this.#storage.run(undefined, work)
  }

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
    const scope = new Scope(await OpenTransaction.begin(this.#store), this.#trx)
    const trx = await scope.trx()
    return { commit: scope.commit, rollback: scope.rollback, get: () => trx }
  }
}
