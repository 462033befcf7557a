import type { Call, Write } from '../../core/index.js'
import { actorOf } from '../../core/plugin-kit.js'
import type { Service } from './service.js'

/** Stores the state that a write is about to replace, in its transaction, once the entry is locked. */
export async function recording(write: Write, call: Call, { entries, table }: Service): Promise<Write> {
  const { id, action, gone } = write
  // A deleted entry was stored when it was deleted, and has not changed since.
  if (action === 'create' || id === undefined || gone) return write
  const { type, session, caller, now, permission = action } = call
  const data = await entries(type.uid, session).copy(id)
  if (data)
    await table.add(session, { uid: type.uid, entry: id }, data, {
      at: now,
      by: actorOf(caller),
      action: action === 'delete' ? action : permission,
    })
  return write
}
