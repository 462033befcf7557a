import { type Ask, ForbiddenError, type QueryNode, where } from '../../core/index.js'

export type Reading = {
  readonly trash: 'with' | 'only' | undefined
}

/** The actions on a type that show its trash, and that remove entries from it for good. */
export const seeTrash = 'trash'
export const purge = 'purge'

/** Leaves out what is in the trash wherever a query could meet it; the entries that it asks for can be those of the trash. */
export function hideTrash(query: QueryNode, ask: Ask<Reading>): QueryNode {
  const { trash } = ask.params
  if (trash === undefined || query.use !== 'root') return where(query, { deletedAt: { $null: true } }, ask)
  const { uid } = query.type
  const needed = ask.action === 'delete' ? purge : seeTrash
  if (!ask.can(needed, uid))
    throw new ForbiddenError(
      `trash: The trash of ${uid} requires the permission "${needed}" on it; leave the parameter out, or have the permission granted`,
      { parameter: 'trash' },
    )
  return trash === 'with' ? query : where(query, { deletedAt: { $notNull: true } }, ask)
}
