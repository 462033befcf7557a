import { isTransaction, type Session } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import { RequestError } from '../errors.js'
import { type Ask, type Caller, isPromise, type Write } from '../query/ask.js'
import { withSets } from '../query/caller.js'
import type { ContentType } from '../schema/types.js'
import { mayLink } from '../write/attributes.js'
import { type CheckedInput, checkInput, hasSecrets } from '../write/checked-input.js'
import { type Sealed, seal } from '../write/seal.js'
import { systemCaller } from './entries.js'
import { type Locking, locking } from './expected.js'
import type { ContentParts } from './parts.js'
import { explained, outOfReach } from './refusals.js'
import type { Around, Asked, BesideOf, Done, Putting, Running, Shaped } from './request.js'
import type { Runs } from './runs.js'
import { limited, StatementLimit } from './several/limited.js'

/** Stores entries: the steps of a write, whether a request or code asks for it. */
export class Writes {
  readonly #parts: ContentParts
  readonly #runs: Runs
  readonly #beside: BesideOf

  constructor(parts: ContentParts, runs: Runs, beside: BesideOf) {
    this.#parts = parts
    this.#runs = runs
    this.#beside = beside
  }

  /** The life of a write: hooks shape it, the schema checks it, one transaction stores it and reads the response. */
  async store<T>(asked: Running, write: Write, caller: Caller, around: Around<T>): Promise<T> {
    const { engine } = this.#parts
    const { ask } = asked
    const { within, requestId, among, transaction = work => transact(engine, work) } = around
    const { beforeWrite } = this.#parts.hooks(ask.type)
    const outer = within && isTransaction(within) ? within : undefined
    const about = { caller, now: new Date(this.#parts.time()), requestId, among }
    const session = outer ?? engine.reader
    const ruled = caller.sets ? withSets(write, ask, caller, about.now) : write
    const shaped = beforeWrite ? await beforeWrite(ruled, this.#runs.call(ask, about, session)) : ruled
    const prepared = await this.#prepare(shaped, ask)
    const isWhole = outer === undefined && around.transaction === undefined
    const work = (own: Session) => this.#work(own, { ask, shaped, prepared, about, around, isWhole })
    try {
      return await (outer ? work(outer) : transaction(work))
    } catch (error) {
      throw this.explain(ask.type, error, undefined, outer !== undefined)
    }
  }

  /** What a write does in its transaction. */
  async #work<T>(own: Session, write: Shaped<T>): Promise<T> {
    const { ask, shaped, prepared, about, around } = write
    const { tally, before: begin, expects, read, most } = around
    const { type } = ask
    const { id } = shaped
    const { inTransaction, afterWrite, afterCommit } = this.#parts.hooks(type)
    const counted = tally ? tally.counts(own) : own
    const session = most === undefined ? counted : limited(counted, new StatementLimit(most))
    if (begin) await begin(session)
    const place = { parts: this.#parts, runs: this.#runs, session, caller: about.caller }
    const { locked, looked }: Locking = id === undefined ? {} : await locking(write, id, place)
    const before = locked?.before
    expects?.(locked?.changed ?? null)
    let final = shaped
    if (inTransaction) {
      const create = this.#beside(about, session)
      final = await inTransaction(shaped, this.#runs.call(ask, about, session, { before, create }))
    }
    const draft = final === shaped && prepared ? prepared.sealed : await this.#draft(final, ask, prepared)
    const { caller, now } = about
    const putting = { caller, now, session, write: final, changed: locked?.changed, looked }
    const written = draft ? await this.#put(draft, ask, putting) : (id as number)
    // What is deleted is read before it goes.
    const gone = draft ? undefined : await read(session, written)
    if (!draft) await this.#parts.writer.remove(session, type, written, final.set)
    if (afterWrite || afterCommit) await this.#afterwards(ask, written, { about, session, before, write: final })
    const response = gone ?? (await read(this.#ending(session, write), written))
    await session.settled?.()
    return response
  }

  /** The hooks after the write: those in its transaction, and the others once it is stored. */
  #afterwards(ask: Ask, id: number, { about, session, before, write }: Done): void | PromiseLike<void> {
    const { afterWrite, afterCommit, needsSettled } = this.#parts.hooks(ask.type)
    const known = { before, write }
    // An id that is there before the copy costs half of one that is put onto it.
    const row = { id, ...write.data }
    row.id = id
    const call = (own: Session) => this.#runs.call(ask, about, own, known)
    const run = () => afterWrite?.(row, call(session))
    const leave = () => {
      if (!afterCommit) return
      session.afterCommit?.(() => this.#tell(ask.type, () => afterCommit(row, call(this.#parts.engine.reader))))
    }
    const ran = needsSettled && session.settled ? session.settled().then(run) : run()
    return isPromise(ran) ? ran.then(leave) : leave()
  }

  /** The session for the read of the response: the transaction ends with it, where it has nothing else in it and nothing can fail behind it. */
  #ending<T>(session: Session, { isWhole, around: { readsOnce } }: Shaped<T>): Session {
    const { last } = session
    if (!last || !isWhole || !readsOnce) return session
    return { all: last, run: (sql, values) => session.run(sql, values) }
  }

  /** A hook after the write: its error undoes nothing. */
  async #tell({ uid }: ContentType, hook: () => void | Promise<void>): Promise<void> {
    try {
      await hook()
    } catch (error) {
      this.#parts.log.error({ err: error, type: uid }, 'a hook failed after the write was stored')
    }
  }

  /** Checks and seals what can be before the transaction; a hook inside it may still add what is missing. */
  async #prepare(write: Write, ask: Ask): Promise<Sealed | undefined> {
    try {
      const raw = this.check(write, ask)
      return raw && { raw, sealed: hasSecrets(raw) ? await seal(raw) : raw }
    } catch (error) {
      if (!this.#parts.hooks(ask.type).inTransaction || !(error instanceof RequestError)) throw error
      return undefined
    }
  }

  /** What is stored; undefined for a delete. */
  async #draft(write: Write, ask: Ask, known: Sealed | undefined): Promise<CheckedInput | undefined> {
    const raw = this.check(write, ask)
    return raw && hasSecrets(raw) ? seal(raw, known) : raw
  }

  check(
    { action, data, incomplete = false, set = {} }: Write,
    ask: Ask,
    makes = this.#parts.dialect.madeUids,
  ): CheckedInput | undefined {
    const { engine, dialect, registry } = this.#parts
    if (action === 'delete') return undefined
    return checkInput(ask.type, data, {
      mode: action,
      incomplete,
      set,
      dialect,
      makes,
      limits: engine.facts.limits,
      mayLink: link => mayLink(link, ask),
      isAsked: dialect.strictBodies && ask.scope !== systemCaller.scope,
      isCode: ask.can === systemCaller.can,
      // What leads to a type that is not served stays as it is.
      mayFind: uid => registry.types.has(uid) && ask.can('find', uid),
    })
  }

  /** Stores what a write comes to, within the caller's rules. */
  async #put(draft: CheckedInput, ask: Ask, about: Putting): Promise<number> {
    const { writer } = this.#parts
    const { session, caller, write, changed, looked } = about
    // No two states of an entry have the same time, so that the time tells one from another.
    const now = new Date(Math.max(about.now.getTime(), (changed ?? 0) + 1))
    const sight = caller.rows && this.#runs.sight(ask, caller)
    const context = { now, sight, looked: looked?.() }
    const id = write.id ?? (await writer.create(session, draft, context))
    if (write.id !== undefined) await writer.update(session, draft, id, context)
    if (this.#runs.hasRules(ask, caller)) await this.#stay(ask, id, about)
    return id
  }

  /** What a write leaves must be within the caller's rules as well: nothing is written out of one's own reach. */
  async #stay(ask: Ask, id: number, { session, caller, write: { data } }: Putting): Promise<void> {
    if (await this.#runs.isRuled(ask, id, session, caller)) return
    throw outOfReach(ask, data)
  }

  /** What the database refused, in words that are meant for the client. */
  explain(type: ContentType, error: unknown, read?: Asked, inner = false): unknown {
    return explained(error, { type, parts: this.#parts, read, inner })
  }
}
