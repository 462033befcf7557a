import { definePlugin } from '../../core/index.js'
import { bulkRoutes } from './routes.js'

/** Adds requests with many writes of one type. */
export const bulk = definePlugin({
  name: 'bulk',
  describe: 'POST /articles/bulk: up to 1000 writes in one request, all of them or each for itself',
  register: host => host,
  routes: [bulkRoutes],
})
