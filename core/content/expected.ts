import type { Session } from '../engines/engine.js'
import { inOnePiece } from '../engines/together.js'
import { FormatError, NotFoundError, PreconditionFailedError, ValidationError } from '../errors.js'
import type { Ask, Caller, Write } from '../query/ask.js'
import type { ContentType } from '../schema/types.js'
import { parseInstant } from '../schema/values.js'
import type { Looked } from '../write/writer.js'
import type { ContentParts } from './parts.js'
import type { Locked, Shaped } from './request.js'
import type { Runs } from './runs.js'

/** Takes the time at which the entry that is about to be written, and is locked, was changed last; throws where that is not expected. */
export type Expectation = (changed: number | null) => void

/** What an `If-Match` header expects of an entry: one of the times at which it was changed last, or that it is there. */
export function expectation(sent: string, type: ContentType): Expectation {
  if (sent.trim() === '*') return () => undefined
  const times = sent.split(',').map(timeOf)
  return changed => {
    if (changed === null || !times.includes(changed)) throw notAsExpected(type, changed)
  }
}

function timeOf(sent: string): number {
  const one = sent.trim()
  const shown = one.slice(0, 100) || '""'
  if (one.startsWith('W/')) throw refused(`${shown} is weak, and weak tags match nothing`)
  try {
    return parseInstant(one.replace(/^"(.*)"$/, '$1'))
  } catch (reason) {
    throw reason instanceof FormatError ? refused(`${shown} is no time`) : reason
  }
}

const refused = (why: string): ValidationError =>
  new ValidationError(`If-Match: ${why}; it takes the updatedAt of the entry in quotes, or *`, { header: 'If-Match' })

function notAsExpected({ fields }: ContentType, changed: number | null): PreconditionFailedError {
  if (changed === null || fields.get('updatedAt')?.readable !== true)
    return new PreconditionFailedError('The entry has been changed; read it again')
  const updatedAt = new Date(changed).toISOString()
  return new PreconditionFailedError(`The entry has been changed: its updatedAt is now ${updatedAt}`, { updatedAt })
}

/** Where an entry is about to be written, and for whom. */
interface Place {
  readonly parts: Pick<ContentParts, 'writer' | 'hooks'>
  readonly runs: Pick<Runs, 'hasRules' | 'isRuled' | 'row'>
  readonly session: Session
  readonly caller: Caller
}

/** The entry that is written, and what its update has looked for: what is wrong with that is said when it is asked for. */
export interface Locking {
  readonly locked?: Locked
  readonly looked?: () => Looked
}

/** Locks an entry. What its update looks for is asked in the same piece, where nothing changes the input any more. */
export async function locking<T>({ ask, shaped, prepared }: Shaped<T>, id: number, place: Place): Promise<Locking> {
  const { session, caller, parts } = place
  const isSure = session.together && !caller.rows && !parts.hooks(ask.type).inTransaction
  if (!isSure || !prepared) return { locked: await lockedEntry(ask, shaped, place) }
  return inOnePiece(session, async own => {
    const locked = lockedEntry(ask, shaped, { ...place, session: own })
    const looked = outcome(parts.writer.lookFor(own, prepared.sealed, id))
    return { locked: await locked, looked: await looked }
  })
}

/** What has become of some work, for when that is asked. */
const outcome = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    value => () => value,
    reason => () => {
      throw reason
    },
  )

/**
 * The entry must exist, and the caller's rules must let it be changed. Resolves to when that was done last, and to its
 * row, where a hook asks for that: from now on no other transaction can change it.
 */
async function lockedEntry(ask: Ask, { id = 0, gone }: Write, place: Place): Promise<Locked> {
  const { type } = ask
  const { parts, runs, session, caller } = place
  const { needsBefore } = parts.hooks(type)
  const lock = (own: Session) => parts.writer.lock(own, type, id, gone)
  const row = (own: Session) => runs.row(type, id, own)
  const isOne = needsBefore && session.together && !runs.hasRules(ask, caller)
  const both = isOne ? await inOnePiece(session, own => Promise.all([lock(own), row(own)])) : undefined
  const changed = both ? both[0] : await lock(session)
  if (changed === undefined) throw new NotFoundError().because(`there is no entry ${id} of ${type.uid}`)
  if (await runs.isRuled(ask, id, session, caller))
    return { changed, ...(needsBefore && { before: both ? both[1] : await row(session) }) }
  const outside = `entry ${id} of ${type.uid} is outside the row rule of the caller for ${ask.permission ?? ask.action}`
  throw new NotFoundError().because(outside)
}
