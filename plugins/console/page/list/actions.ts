import type { TypeMeta } from '../../model/meta.js'

/** What can be done with chosen entries. */
export type BatchAction = 'publish' | 'unpublish' | 'delete'

/** The actions that the account may do with entries of a type. */
export function actionsOf({ can, layout, options }: TypeMeta): readonly BatchAction[] {
  if (!layout.settings.bulkable) return []
  return [
    ...(options.drafts && can.publish ? (['publish', 'unpublish'] as const) : []),
    ...(can.delete ? (['delete'] as const) : []),
  ]
}

export const canChange = (type: TypeMeta): boolean => actionsOf(type).length > 0
