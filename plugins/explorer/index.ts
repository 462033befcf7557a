import { definePlugin, optional } from '../../core/index.js'
import { graphql } from '../graphql/index.js'
import { i18n } from '../i18n/index.js'
import { startExplorer } from './explorer.js'
import { routesFor } from './routes.js'
import { schema } from './settings.js'
import { timingAction } from './timing.js'

/** A page that builds and sends requests, made from the app's description, and a page at the root that leads there. */
export const explorer = definePlugin({
  name: 'explorer',
  describe: 'a page that builds and sends requests',
  uses: [optional(i18n), optional(graphql)],
  config: schema,
  register: startExplorer,
  routes: routesFor,
  actions: [timingAction],
  observe: { headers: ({ timing }) => timing },
})
