import type { Server } from 'node:http'
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
    routes: () => {
      throw new Error(
        'strapi.server.routes() adds routes while the server runs, which this server does not; declare them in src/api/<name>/routes',
      )
    },
    listRoutes: () => routes.list(),
    mount: () => facade,
    initRouting: () => facade,
    initMiddlewares: () => facade,
  }
  facade.router = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : facade.routes) })
  return facade
}
