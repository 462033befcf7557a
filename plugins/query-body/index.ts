import { definePlugin } from '../../core/index.js'
import { queryRoutes } from './routes.js'

/** Queries in a body: for clients that cannot write them into a URL, and for those that are longer than one. */
export const queryBody = definePlugin({
  name: 'query-body',
  describe: 'queries as a JSON body: QUERY /articles and POST /articles/query',
  standardIn: { strapi4: true },
  routes: [queryRoutes],
})
