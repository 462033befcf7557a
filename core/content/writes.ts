import { toldElsewhere } from '../engines/batch.js'
import { isTransaction, type Session, type TransactionSession } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import { RequestError } from '../errors.js'
import type { Transact } from '../idempotency/retries.js'
import type { Ask, Caller, Write } from '../query/ask.js'
import { withSets } from '../query/caller.js'
import { mayLink } from '../write/attributes.js'
import { checkInput, hasSecrets } from '../write/checked-input.js'
import type { CheckedInput } from '../write/input.js'
import { withKeptParts } from '../write/kept-parts.js'
import { type SealedInput, seal } from '../write/seal.js'
import { systemCaller } from './code-queries.js'
import type { Writing } from './hooks/hooks.js'
import { LaterWork } from './hooks/later-work.js'
import type { CallContext, HookRunner } from './hooks/runner.js'
import type { Expectation } from './if-match.js'
import { type LockedEntry, lockEntry } from './lock.js'
import type { ContentParts } from './parts.js'
import { explained, outOfReach } from './refusals.js'
import type { Access } from './rights/access.js'
import { limited, StatementLimit } from './several/limited.js'
import type { Tally } from './tally.js'

/** The circumstances of a write. */
export interface WriteOptions<T> extends Pick<CallContext, 'requestId' | 'among'> {
  /** Reads the result of the write. */
  readonly read: (session: Session, id: number) => Promise<T>
  /** The result is read by one statement, and nothing can fail behind it: the transaction may end with it. */
  readonly readsOnce?: boolean | undefined
  /** The transaction that it is a part of. */
  readonly within?: Session | undefined
  /** Runs its own transaction, where there is more to it than the write. */
  readonly transaction?: Transact<T>
  /** Runs first in its transaction. */
  readonly begin?: Begin | undefined
  /** Refuses an entry that the write is not for: the locked one, or the new one. */
  readonly holds?: ((session: Session, id: number) => Promise<void>) | undefined
  /** The state that the entry must have, once it is locked. */
  readonly expects?: Expectation | undefined
  /** The most statements that it may have; without it there is no limit. */
  readonly most?: number | undefined
  /** The counts of its statements. */
  readonly tally?: Tally | undefined
}

/** Runs first in the transaction of a write. */
export type Begin = (session: Session) => Promise<void>

/** Creates entries beside the one that is written, for its caller and in its transaction. */
export type CreateBeside = (context: CallContext, session: Session) => Writing['create']

/** A write that is ready for its transaction. */
interface ReadyWrite<T> {
  readonly ask: Ask
  readonly write: Write
  /** Absent for a delete, and for input that only a hook in the transaction completes. */
  readonly prepared: SealedInput | undefined
  readonly context: CallContext
  readonly options: WriteOptions<T>
  /** Its transaction has nothing else in it. */
  readonly isWhole: boolean
}

/** The response of a write; a promise is kept when its transaction is stored. */
interface Stored<T> {
  readonly response: T | Promise<T>
}

/** A write in its transaction: its entry is locked, and no hook can change it any more. */
interface FinalWrite {
  readonly ask: Ask
  readonly write: Write
  readonly context: CallContext
  readonly session: TransactionSession
  readonly locked: LockedEntry | undefined
  readonly later: LaterWork
}

/** Stores entries: the steps of a write, whether a request or code asks for it. */
export class Writes {
  readonly #parts: ContentParts
  readonly #access: Access
  readonly #hooks: HookRunner
  readonly #createBeside: CreateBeside

  constructor(parts: ContentParts, access: Access, hooks: HookRunner, createBeside: CreateBeside) {
    this.#parts = parts
    this.#access = access
    this.#hooks = hooks
    this.#createBeside = createBeside
  }

  /** The life of a write: hooks shape it, the schema checks it, one transaction stores it and reads the response. */
  async store<T>(ask: Ask, sent: Write, caller: Caller, options: WriteOptions<T>): Promise<T> {
    const { engine } = this.#parts
    const { within, requestId, among, transaction } = options
    const outer = within && isTransaction(within) ? within : undefined
    const context = { caller, now: new Date(this.#parts.time()), requestId, among }
    const { beforeWrite } = this.#parts.hooks(ask.type)
    const ruled = caller.sets ? withSets(sent, ask, caller, context.now) : sent
    const write = beforeWrite ? await beforeWrite(ruled, this.#hooks.call(ask, context, outer ?? engine.reader)) : ruled
    const prepared = await this.#prepare(write, ask)
    const ready = { ask, write, prepared, context, options }
    const part = async (own: TransactionSession) => (await this.#work(own, { ...ready, isWhole: false })).response
    try {
      if (outer) return await part(outer)
      if (transaction) return await transaction(part)
      return await (await transact(engine, own => this.#work(own, { ...ready, isWhole: true }))).response
    } catch (error) {
      throw explained(error, { type: ask.type, parts: this.#parts, inner: outer !== undefined })
    }
  }

  /** The steps of a write in its transaction. */
  async #work<T>(own: TransactionSession, ready: ReadyWrite<T>): Promise<Stored<T>> {
    const { ask, prepared, context, options } = ready
    const { tally, begin, expects, holds, read, most } = options
    const { type } = ask
    const { id } = ready.write
    const { inTransaction, afterWrite } = this.#parts.hooks(type)
    const counted = tally ? tally.counts(own) : own
    const session = most === undefined ? counted : limited(counted, new StatementLimit(most))
    if (begin) await begin(session)
    const place = { parts: this.#parts, access: this.#access, session, caller: context.caller }
    const locked = id === undefined ? undefined : await lockEntry(ready, id, place)
    expects?.(locked?.changed ?? null)
    if (id !== undefined) await holds?.(session, id)
    const later = new LaterWork(this.#parts.log, type.uid)
    let write = id === undefined ? ready.write : await this.#withKeptParts(ready.write, id, ask, session)
    if (inTransaction) {
      const known = { before: locked?.before, create: this.#createBeside(context, session), afterCommit: later.leave }
      write = await inTransaction(write, this.#hooks.call(ask, context, session, known))
    }
    const draft = write === ready.write && prepared ? prepared.sealed : await this.#draft(write, ask, prepared)
    const final = { ask, write, context, session, locked, later }
    const written = draft ? await this.#put(draft, final) : (id as number)
    if (id === undefined) await holds?.(session, written)
    // The entry that is deleted is read before it goes.
    const gone = draft ? undefined : await read(session, written)
    if (!draft) await this.#parts.writer.remove(session, type, written, write.set)
    try {
      if (afterWrite) await afterWrite(...this.#writtenOf(written, final))
      const stored = gone ? { response: gone } : await this.#read(session, written, ready)
      if (!ready.isWhole) await session.batch.send()
      later.handTo(session)
      return stored
    } catch (error) {
      // An error of a statement that was collected is that of the write, whatever hooks have made of it.
      await session.batch.send()
      throw error
    }
  }

  /** The write of a caller that may write parts of components only, with what it may not write left as it is. */
  async #withKeptParts(write: Write, id: number, { type, namedParts }: Ask, session: Session): Promise<Write> {
    if (!namedParts || write.action !== 'update') return write
    const { knex } = this.#parts.engine
    return { ...write, data: await withKeptParts(write.data, { type, id, named: namedParts }, { session, knex }) }
  }

  /** The arguments of the hooks after the write. */
  #writtenOf(id: number, { ask, write, context, session, locked, later }: FinalWrite) {
    // An id that is there before the copy costs half of one that is put onto it.
    const row = { id, ...write.data }
    row.id = id
    const known = { before: locked?.before, write, afterCommit: later.leave }
    return [row, this.#hooks.call(ask, context, session, known)] as const
  }

  /**
   * Reads the response. The transaction ends with that, where it has nothing else in it and nothing can fail behind it: the
   * read is collected, and leaves in one piece with the commit.
   */
  async #read<T>(session: TransactionSession, id: number, { isWhole, options }: ReadyWrite<T>): Promise<Stored<T>> {
    const { batch } = session
    if (!isWhole || !options.readsOnce || !batch.isPiece) return { response: await options.read(session, id) }
    const collecting = {
      run: (sql: string, values: readonly unknown[]) => session.run(sql, values),
      all: batch.all,
      batch,
    }
    return { response: toldElsewhere(options.read(collecting, id)) }
  }

  /** Checks and seals what can be before the transaction; a hook inside it may still add what is missing. */
  async #prepare(write: Write, ask: Ask): Promise<SealedInput | undefined> {
    try {
      const raw = this.check(write, ask)
      return raw && { raw, sealed: hasSecrets(raw) ? await seal(raw) : raw }
    } catch (error) {
      const isCompleted = this.#parts.hooks(ask.type).inTransaction || (ask.namedParts && write.id !== undefined)
      if (!isCompleted || !(error instanceof RequestError)) throw error
      return undefined
    }
  }

  /** The input that is stored; undefined for a delete. */
  async #draft(write: Write, ask: Ask, known: SealedInput | undefined): Promise<CheckedInput | undefined> {
    const raw = this.check(write, ask)
    return raw && hasSecrets(raw) ? seal(raw, known) : raw
  }

  check(
    { action, data, incomplete = false, set = {}, unchecked, given }: Write,
    ask: Ask,
    makes = this.#parts.dialect.madeUids,
  ): CheckedInput | undefined {
    const { engine, dialect, registry } = this.#parts
    if (action === 'delete') return undefined
    return checkInput(ask.type, data, {
      mode: action,
      incomplete,
      set,
      unchecked: unchecked === true,
      given: given === true,
      dialect,
      makes,
      limits: engine.facts.limits,
      mayLink: link => mayLink(link, ask),
      isAsked: dialect.strictBodies && ask.scope !== systemCaller.scope,
      isCode: ask.can === systemCaller.can,
      // A relation to a type that is not served stays as it is.
      mayFind: uid => registry.types.has(uid) && ask.can('find', uid),
    })
  }

  /** Stores checked input, within the caller's rules: nothing is written out of one's own reach. */
  async #put(draft: CheckedInput, { ask, write, context, session, locked }: FinalWrite): Promise<number> {
    const { writer } = this.#parts
    const { caller } = context
    // No two states of an entry have the same time, so that the time tells one from another.
    const now = new Date(Math.max(context.now.getTime(), (locked?.changed ?? 0) + 1))
    const sight = caller.rows && this.#access.sight(ask, caller)
    const about = { now, sight, looked: locked?.looked?.() }
    const id = write.id ?? (await writer.create(session, draft, about))
    if (write.id !== undefined) await writer.update(session, draft, id, about)
    if (this.#access.hasRules(ask, caller) && !(await this.#access.reaches(ask, id, session, caller)))
      throw outOfReach(ask, write.data)
    return id
  }
}
