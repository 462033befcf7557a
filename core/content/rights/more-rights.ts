import type { Session } from '../../engines/engine.js'
import { NotFoundError, RequestError } from '../../errors.js'
import { type Ask, type Caller, immediate, type Write } from '../../query/ask.js'
import { type MoreFields, union } from '../../query/more.js'
import { nameable } from '../../write/stray-names.js'
import { outOfReach } from '../refusals.js'
import type { Access } from './access.js'

type Data = Write['data']

/** A write whose data names attributes that its caller may write of some entries only. */
export interface MoreRights {
  /** The write, which may name the attributes that it relies on. */
  readonly ask: Ask
  /** Refuses it unless the entry, which no other transaction can change, is one of those. */
  readonly holds: (session: Session, id: number) => Promise<void>
}

interface Place {
  readonly access: Access
  readonly caller: Caller
  readonly session: Session
}

/** The rights beyond those to all entries that a write needs; undefined if it needs none, or if there are none for its entry. */
export async function moreRights(
  ask: Ask,
  data: Data,
  id: number | undefined,
  { access, caller, session }: Place,
): Promise<MoreRights | undefined> {
  const { moreNamed } = ask
  if (!moreNamed || isNamed(data, ask)) return undefined
  const metBy = (own: Session, entry: number, parts = moreNamed.parts) =>
    access.met(ask, parts, entry, { session: own, caller })
  if (id === undefined) {
    // Only the new entry tells which of them hold.
    const holds = async (own: Session, entry: number) => {
      const met = await metBy(own, entry)
      nameable(data, strict(withParts(ask, met)))
    }
    return { ask: withParts(ask, moreNamed.parts), holds }
  }
  const met = await metBy(session, id)
  if (met.length === 0) return undefined
  const holds = async (own: Session, entry: number) => {
    if ((await metBy(own, entry, met)).length < met.length) throw outOfReach(ask, data)
  }
  return { ask: withParts(ask, met), holds }
}

/** The attributes that a write may name of an entry, with the parts of components; undefined for all. */
export async function namesOf(
  ask: Ask,
  id: number,
  { access, caller, session }: Place,
): Promise<ReadonlySet<string> | undefined> {
  if (!(await access.reaches(ask, id, session, caller))) throw new NotFoundError()
  const names = immediate(caller.fields?.(ask.permission ?? ask.action, ask.type.uid), "a caller's fields")
  if (!names || !ask.moreNamed) return names
  return union(names, await access.met(ask, ask.moreNamed.parts, id, { session, caller }))
}

function withParts({ namedParts: _, ...ask }: Ask, parts: readonly MoreFields[]): Ask {
  return { ...ask, ...ask.moreNamed?.with(parts) }
}

const strict = (ask: Ask): Ask => ({ ...ask, dialect: { ...ask.dialect, strictBodies: true } })

function isNamed(data: Data, ask: Ask): boolean {
  try {
    nameable(data, strict(ask))
    return true
  } catch (error) {
    if (error instanceof RequestError) return false
    throw error
  }
}
