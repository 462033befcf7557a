import { inOnePiece, takesPieces } from '../engines/batch.js'
import type { Session } from '../engines/engine.js'
import { NotFoundError } from '../errors.js'
import type { Ask, Caller, Row, Write } from '../query/ask.js'
import type { SealedInput } from '../write/seal.js'
import type { UpdateRows } from '../write/writer.js'
import type { ContentParts } from './parts.js'
import type { Access } from './rights/access.js'

/** An entry that no other transaction can change. */
export interface LockedEntry {
  /** The time of its last change; null if that is not known. */
  readonly changed: number | null
  /** The row as it was, where a hook asks for it. */
  readonly before?: Row
  /** The rows that its update looks for; throws the error of that read. */
  readonly looked?: () => UpdateRows
}

/** A write whose entry is locked. */
interface LockedWrite {
  readonly ask: Ask
  readonly write: Write
  readonly prepared: SealedInput | undefined
}

/** The session and the caller of a write. */
interface WriteContext {
  readonly parts: Pick<ContentParts, 'writer' | 'hooks'>
  readonly access: Access
  readonly session: Session
  readonly caller: Caller
}

/** Locks an entry. The rows that its update looks for are read in the same piece, where nothing changes the input any more. */
export async function lockEntry(
  { ask, write, prepared }: LockedWrite,
  id: number,
  place: WriteContext,
): Promise<LockedEntry> {
  const { session, caller, parts } = place
  const isSure = !caller.rows && !parts.hooks(ask.type).inTransaction
  if (!isSure || !prepared || !takesPieces(session)) return lock(ask, write, place)
  return inOnePiece(session, async own => {
    const locked = lock(ask, write, { ...place, session: own })
    const looked = outcome(parts.writer.lookFor(own, prepared.sealed, id))
    return { ...(await locked), looked: await looked }
  })
}

/** The result of some work, for when it is asked for: a failure counts only then. */
const outcome = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    value => () => value,
    reason => () => {
      throw reason
    },
  )

/** The entry must exist, and the caller's rules must let it be changed. */
async function lock(ask: Ask, { id = 0, gone }: Write, place: WriteContext): Promise<LockedEntry> {
  const { type } = ask
  const { parts, access, session, caller } = place
  const { needsBefore } = parts.hooks(type)
  const locking = (own: Session) => parts.writer.lock(own, type, id, gone)
  const row = (own: Session) => access.row(type, id, own)
  const isOne = needsBefore && !access.hasRules(ask, caller)
  const both =
    isOne && takesPieces(session) ? await inOnePiece(session, own => Promise.all([locking(own), row(own)])) : undefined
  const changed = both ? both[0] : await locking(session)
  if (changed === undefined) throw new NotFoundError().because(`there is no entry ${id} of ${type.uid}`)
  if (await access.isRuled(ask, id, session, caller))
    return { changed, ...(needsBefore && { before: both ? both[1] : await row(session) }) }
  const outside = `entry ${id} of ${type.uid} is outside the row rule of the caller for ${ask.permission ?? ask.action}`
  throw new NotFoundError().because(outside)
}
