import { type Ask, type Field, ForbiddenError, InvalidParameter, type QueryNode, where } from '../../core/index.js'

export type TrashParams = {
  readonly trash: 'with' | 'only' | undefined
}

/** The actions on a type that show its trash, and that remove entries from it for good. */
export const seeTrash = 'trash'
export const purge = 'purge'

/** Leaves out the trash from all parts of a query; the entries that it asks for can be in the trash. */
export function hideTrash(query: QueryNode, ask: Ask<TrashParams>): QueryNode {
  const { trash } = ask.params
  if (trash === undefined || query.use !== 'root') return where(query, { deletedAt: { $null: true } }, ask)
  const { uid, kind, fields } = query.type
  const needed = ask.action === 'delete' ? purge : seeTrash
  if (!ask.can(needed, uid))
    throw new ForbiddenError(
      `trash: The trash of ${uid} requires the permission "${needed}" on it; leave the parameter out, or have the permission granted`,
      { parameter: 'trash' },
    )
  if (kind === 'singleType') {
    if (trash === 'with')
      throw new InvalidParameter(['trash'], 'takes "only" on a single type: the entry that was deleted last')
    const field = fields.get('deletedAt') as Field
    const last = { ...query, order: [{ field, descending: true, through: [] }] }
    return where(last, { deletedAt: { $notNull: true } }, ask)
  }
  return trash === 'with' ? query : where(query, { deletedAt: { $notNull: true } }, ask)
}
