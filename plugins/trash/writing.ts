import { type Before, type Call, InvalidParameter, type Row, type Write, type Written } from '../../core/index.js'
import { isEmptying } from './emptying.js'
import { type Aside, freeParts, partsOf } from './parts.js'
import type { TrashParams } from './reading.js'
import { isRestoring, linksOf, reclaim, tellLost } from './restoring.js'
import type { Service, TrashType } from './service.js'

/** The note kept with an entry in the trash. */
export interface Note {
  /** The data of a write that gives its components their unique values again. */
  readonly parts?: Aside
  /** The targets of its exclusive relations, which others may take meanwhile. */
  readonly links?: Readonly<Record<string, unknown>>
}

/** Deleting keeps the row, and lets it count as deleted; restoring takes that back. */
export function shapeWrite(write: Write, call: Call<TrashParams>): Write {
  const { caller, now, params } = call
  if (write.action === 'update' && isRestoring(write))
    return { ...write, gone: true, set: { ...write.set, deletedAt: null, trashKey: 0, trashNote: null } }
  if (write.action !== 'delete') return write
  if (params.trash === 'with')
    throw new InvalidParameter(
      ['trash'],
      'takes "only" where an entry is deleted: it is removed from the trash for good',
    )
  // The permission was looked at with the query.
  if (params.trash === 'only' || isEmptying(caller)) return { ...write, gone: true }
  return { ...write, set: { ...write.set, deletedAt: now.toISOString(), trashKey: write.id } }
}

const isTrashing = ({ action, gone, set }: Write): boolean =>
  action === 'delete' && !gone && set?.deletedAt !== undefined

/** Checks an entry's own values, when no other write can change it any more. */
export const completeWrite = {
  before: true as const,
  async run(write: Write, call: Call & Before, service: Service): Promise<Write> {
    const { type, session, before } = call
    const kept = service.kept.get(type.uid) as TrashType
    if (isTrashing(write)) {
      const id = write.id as number
      const note: Note = {
        ...(kept.parts && { parts: await partsOf(id, kept, session, service) }),
        ...(kept.exclusive.length > 0 && { links: await linksOf(id, kept, session, service) }),
      }
      return { ...write, set: { ...write.set, trashNote: note } }
    }
    if (write.action !== 'update' || !isRestoring(write)) return write
    return reclaim(write, type, before as Row)
  },
}

/** The values of its components are free once the entry is in the trash, as its own are. */
export async function finishWrite(row: Row, call: Written, service: Service): Promise<void> {
  const { write, type, session } = call
  const kept = service.kept.get(type.uid) as TrashType
  if (isTrashing(write)) await freeParts(kept, write.set?.trashNote as Note, session, service)
  else if (write.action === 'update' && isRestoring(write)) await tellLost(row.id, write, call, service)
}
