import type { ListState } from '../../model/list/view.js'
import type { TypeMeta } from '../../model/meta.js'
import { meta } from '../shell/session.js'

/** The actions on chosen entries. */
export type BatchAction = 'publish' | 'unpublish' | 'update' | 'delete' | 'restore' | 'purge'

/** The actions that destroy: they are asked for before. */
export const isFinal = (action: BatchAction): boolean => action === 'delete' || action === 'purge'

/** The buttons of the toolbar: actions that begin at once, and others that open a dialog. */
export type ChosenTool = BatchAction | 'export'

export const isBatch = (tool: ChosenTool): tool is BatchAction => tool !== 'export'

/** The tools that the account may use on entries of a type in a state, in their order. */
export function toolsOf({ can, layout, options }: TypeMeta, state: ListState): readonly ChosenTool[] {
  if (state === 'trash') {
    // The server lets Super Admins alone remove for good what is in the trash.
    const isPurging = can.delete && meta.value?.account.isSuperAdmin
    return [...(can.delete ? (['restore'] as const) : []), ...(isPurging ? (['purge'] as const) : [])]
  }
  if (!layout.settings.bulkable) return []
  return [
    ...(options.drafts && can.publish ? (['publish', 'unpublish'] as const) : []),
    ...(can.update ? (['update'] as const) : []),
    'export',
    ...(can.delete ? (['delete'] as const) : []),
  ]
}
