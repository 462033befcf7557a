import type { RouteCall } from '../../core/index.js'

/** A request for an action that comes by another way than the route of the action. */
export interface ActionRequest {
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** An action that code has put in the place of the plugin's own: does it, and returns the body of its response. */
export type Replacement = (asked: ActionRequest, call: RouteCall) => Promise<unknown>
