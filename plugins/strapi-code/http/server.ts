import type { Server } from 'node:http'
import { withAbsent } from '../not-carried.js'
import type { Bag, Loose } from '../types.js'
import type { Globals } from './globals.js'
import type { CodeRoutes } from './routes.js'

/** `strapi.server`, as far as code of projects uses it. */
export function serverFacade(server: () => Server | undefined, globals: Globals, routes: CodeRoutes): Loose {
  const facade: Bag = {
    get httpServer() {
      return server()
    },
    use: (...middlewares: Loose[]) => {
      for (const one of middlewares) globals.use(one)
      return facade
    },
    listRoutes: () => routes.list(),
    mount: () => facade,
    initRouting: () => facade,
    initMiddlewares: () => facade,
  }
  return withAbsent('strapi.server', facade)
}
