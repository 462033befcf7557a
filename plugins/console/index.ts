import { definePlugin, optional } from '../../core/index.js'
import { admin } from '../admin/index.js'
import { draftAndPublish } from '../draft-and-publish/index.js'
import { i18n } from '../i18n/index.js'
import { baseOf } from './description/base.js'
import { declaredLayouts } from './layouts/declared.js'
import { layoutKeys, layoutsLock } from './layouts/layouts.js'
import { apiMiddleware } from './routes/api-path.js'
import { dataRoutes } from './routes/data.js'
import { consoleRoutes, storageOf } from './routes/page.js'
import { redirectRoutes } from './routes/redirects.js'
import { startConsole } from './service.js'
import { settingsSchema } from './settings.js'

/** The page where editors write content, and what it asks for beside the API. */
export const contentConsole = definePlugin({
  name: 'console',
  describe: 'a page where editors write content',
  // Attributes stand in the order in which plugins start, which is to be the same as without this one.
  uses: [admin, optional(draftAndPublish), optional(i18n)],
  config: settingsSchema,
  forApp: ({ app, config: { files } }) => ({ routes: consoleRoutes([...files, ...storageOf(app)]) }),
  // The table in which Strapi 4 keeps the layouts.
  shares: { stored: {}, locks: [layoutsLock] },
  register: startConsole,
  middleware: [apiMiddleware],
  routes: [...dataRoutes, ...redirectRoutes],
  checks: [{ start: ({ app, types, outline }) => void declaredLayouts(app.console, baseOf(outline), types) }],
  transfer: { settings: layoutKeys },
})
