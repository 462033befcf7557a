import type { RouteCall } from '../../../core/index.js'
import type { SeenChange } from './change.js'

/** A subscription that may begin. */
export interface Subscribed {
  /** The type whose changes it follows. */
  readonly uid: string
  /** The response to a change; undefined where the caller is told nothing. Throws where it may not follow the type any more. */
  respond(change: SeenChange, call: RouteCall): Promise<string | undefined>
}
