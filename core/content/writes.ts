import { ForbiddenError, NotFoundError, RequestError, UnavailableError } from '../errors.js'
import type { Ask, Caller, Write, Written } from '../hooks.js'
import { tooSlow } from '../query/weight.js'
import type { ContentType, Link } from '../schema/types.js'
import type { Failure, Session } from '../store/engine.js'
import { transact } from '../store/transaction.js'
import { readDraft } from '../write/draft.js'
import type { Sight } from '../write/targets.js'
import { seal } from '../write/writer.js'
import type { Asked } from './asked.js'
import type { ContentParts } from './parts.js'
import type { Running, Runs } from './runs.js'

/** What a write stands in. */
interface Around {
  /** The transaction that it is a part of. */
  readonly within?: Session | undefined
  /** What its transaction begins with. */
  readonly before?: ((session: Session) => Promise<void>) | undefined
}

/** Stores entries: what a write goes through, whoever asked for it. */
export class Writes {
  readonly #parts: ContentParts
  readonly #runs: Runs

  constructor(parts: ContentParts, runs: Runs) {
    this.#parts = parts
    this.#runs = runs
  }

  /** The life of a write: hooks shape it, the schema checks it, one transaction stores it and reads the answer. */
  async store<T>(
    asked: Running,
    write: Write,
    caller: Caller,
    read: (session: Session, id: number) => Promise<T>,
    { within, before }: Around = {},
  ): Promise<T> {
    const { engine, writer, dialect, log } = this.#parts
    const { type } = asked.ask
    const hooks = this.#parts.hooks(type)
    const now = new Date()
    const outer = within?.afterCommit ? within : undefined
    const callIn = (session: Session) => this.#runs.call(asked.ask, caller, session, now)
    const shaped = hooks.beforeWrite ? await hooks.beforeWrite(write, callIn(outer ?? engine.reader)) : write
    const { action, id } = shaped
    const draft =
      action === 'delete'
        ? undefined
        : await seal(
            readDraft(type, shaped.data, {
              mode: action,
              incomplete: shaped.incomplete ?? false,
              set: shaped.set ?? {},
              engine: engine.name,
              dialect,
              mayLink: link => mayLink(link, asked.ask),
              mayFind: uid => asked.ask.can('find', uid),
            }),
          )
    const sight: Sight | undefined = caller.rows && ((...some) => this.#runs.seen(asked.ask, caller, ...some))
    const work = async (session: Session): Promise<T> => {
      await before?.(session)
      const call: Written = { ...callIn(session), write: shaped }
      if (id !== undefined) await this.#lock(asked.ask, type, id, session, caller)
      const written = draft ? (id ?? (await writer.create(session, draft, now, sight))) : (id as number)
      if (draft && id !== undefined) await writer.update(session, draft, id, now, sight)
      if (draft) await this.#stay(asked.ask, written, session, caller)
      const row = { ...shaped.data, id: written }
      // What is deleted is read before it goes.
      const gone = draft ? undefined : await read(session, written)
      if (!draft) await writer.remove(session, type, written)
      await hooks.afterWrite?.(row, call)
      const { afterCommit } = hooks
      if (afterCommit)
        session.afterCommit?.(() =>
          afterCommit(row, { ...callIn(engine.reader), write: shaped }).catch(error =>
            log.error({ err: error, type: type.uid }, 'a hook failed after the write was stored'),
          ),
        )
      return gone ?? (await read(session, written))
    }
    try {
      return await (outer ? work(outer) : transact(engine, work))
    } catch (error) {
      throw this.explain(type, error, undefined, outer !== undefined)
    }
  }

  /** The entry must exist, and the caller's rules must let it be changed. */
  async #lock(ask: Ask, type: ContentType, id: number, session: Session, caller: Caller): Promise<void> {
    const found = await this.#parts.writer.lock(session, type, id)
    if (found === undefined || !(await this.#runs.isRuled(ask, id, session, caller))) throw new NotFoundError()
  }

  /** What a write leaves must be within the caller's rules as well: nothing is written out of one's own reach. */
  async #stay(ask: Ask, id: number, session: Session, caller: Caller): Promise<void> {
    if (!(await this.#runs.isRuled(ask, id, session, caller))) throw new ForbiddenError()
  }

  /** What the database refused, in words that are meant for the client. */
  explain(type: ContentType, error: unknown, read?: Asked, inner = false): unknown {
    if (error instanceof RequestError) return error
    const { engine, statementTimeout } = this.#parts
    const failure = engine.classify(error)
    // A database server may have been busy with others; without one, it was the query that took so long.
    if (failure?.kind === 'timeout' && read && (read.prepared.plan.isHeavy || engine.inTime))
      return tooSlow(statementTimeout)
    // Whoever opened the transaction must see that it can be tried again.
    if (!failure || (inner && !mendable.includes(failure.kind))) return error
    return this.#parts.writer.explain(type, failure) ?? Object.assign(new UnavailableError(), { cause: error })
  }
}

/** The client can mend it. */
const mendable: readonly Failure['kind'][] = ['unique', 'value', 'large']

function mayLink(link: Link, { can }: Ask): boolean {
  return link.open === true || link.targets === undefined || link.targets.some(uid => can('find', uid))
}
