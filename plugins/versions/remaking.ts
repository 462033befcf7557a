import { NotFoundError, type Row, type Written } from '../../core/index.js'
import type { Service } from './service.js'
import type { Data } from './table.js'

/** Marks the data of a write that makes a deleted entry anew, with its former id. Requests cannot send it. */
const former = Symbol('former')

export const remade = (data: Data, entry: number): Data => ({ ...data, [former]: entry })

/**
 * Gives the new entry the versions of the deleted one, in the transaction of the create: it is made anew once, and over no other
 * entry, which a single type may have by now.
 */
export async function moving(row: Row, { write, type, session }: Written, { table }: Service): Promise<void> {
  const entry = (write.data as { readonly [former]?: number })[former]
  if (entry === undefined) return
  if (write.action !== 'create' || !(await table.move(session, { uid: type.uid, entry }, row.id)))
    throw new NotFoundError().because(`entry ${entry} of ${type.uid} has been made anew by now`)
}
