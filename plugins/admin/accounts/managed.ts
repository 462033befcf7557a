import { ForbiddenError, NotFoundError, type Route, type RouteCall } from '../../../core/index.js'
import { readId } from '../../../core/plugin-kit.js'
import { EditorCaller } from '../rights/caller.js'
import { noSession } from '../sessions/callers.js'
import { own } from '../sessions/shapes.js'

type Right = 'read' | 'create' | 'update' | 'delete'

/**
 * Routes for editors with a permission of the panel, such as `admin::users.read`. They look themselves whether there is an editor
 * who may: no role of the site and no token can have such a permission.
 */
export const managing =
  <Service>(uid: string) =>
  (
    method: Route['method'],
    path: string,
    right: Right,
    run: (call: RouteCall<Service>, editor: EditorCaller) => unknown,
  ) => {
    const looked = (call: RouteCall<Service>): unknown => {
      const { caller } = call
      if (!(caller instanceof EditorCaller)) throw noSession()
      if (!caller.can(right, uid)) throw new ForbiddenError()
      return run(call, caller)
    }
    return { ...own, method, path, run: looked }
  }

/** The id in the path of a route. */
export function idOf({ params }: Pick<RouteCall, 'params'>): number {
  const id = readId(params.id)
  if (id === undefined) throw new NotFoundError()
  return id
}
