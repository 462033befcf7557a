import { type RouteCall, UnauthorizedError } from '../../../core/index.js'
import { EditorCaller } from '../../admin/index.js'

/** The plugin whose permissions are about layouts, as Strapi 4 names it. */
export const content = 'plugin::content-manager'

/** The editor who asks; others are refused. */
export function editorOf({ caller }: Pick<RouteCall, 'caller'>): EditorCaller {
  if (caller instanceof EditorCaller) return caller
  throw new UnauthorizedError().because('the console is for accounts of editors')
}
