import { definePlugin } from '../../core/index.js'

/** Runs the code of a Strapi 4 project: its controllers, services, routes, policies, middlewares, lifecycles and plugins. */
export const strapiCode = definePlugin({
  name: 'strapi-code',
  describe: 'the code of a Strapi 4 project: its controllers, services, routes, policies, lifecycles and plugins',
})
