import type { PlacedMiddleware } from '../../../core/index.js'
import { markConsole } from '../../admin/index.js'
import type { Console } from '../service.js'

/** The path below which the page asks the API: the cookie of a session is sent there, and nowhere else. */
const apiPath = '/console/api'

/**
 * Requests below `/console/api` are requests to the API, made by an editor: the plugin `admin` knows the session, and refuses a
 * request without one.
 */
export const apiMiddleware: PlacedMiddleware<Console> = {
  before: 'routing',
  below: apiPath,
  run:
    ({ host }) =>
    async (ctx, next) => {
      markConsole(ctx)
      ctx.path = host.app.api.prefix + ctx.path.slice(apiPath.length) || '/'
      const keepPrivate = () => ctx.set('Cache-Control', 'private, no-store')
      keepPrivate()
      await next()
      // A route with headers of its own may have set another one.
      if (!ctx.headerSent) keepPrivate()
    },
}
