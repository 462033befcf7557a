import { definePlugin, optional } from '../../core/index.js'
import { admin } from '../admin/index.js'
import { draftAndPublish } from '../draft-and-publish/index.js'
import { i18n } from '../i18n/index.js'
import { logoIn } from './brand/brand.js'
import { baseOf } from './description/base.js'
import { groupsOf } from './description/groups.js'
import { previewsOf } from './description/previews.js'
import { editorsCheck } from './extensions/doctor.js'
import { partOfApp } from './extensions/sources.js'
import { declaredLayouts } from './layouts/declared.js'
import { layoutKeys, layoutsLock } from './layouts/layouts.js'
import { apiMiddleware } from './routes/api-path.js'
import { brandRoutes } from './routes/brand.js'
import { dataRoutes } from './routes/data.js'
import { extensionRoutes } from './routes/extensions.js'
import { kitRoutes } from './routes/kit.js'
import { consoleRoutes } from './routes/page.js'
import { redirectRoutes } from './routes/redirects.js'
import { schemaRoutes } from './routes/schema.js'
import { words } from './schema-words.js'
import { startConsole } from './service.js'
import { settingsSchema } from './settings.js'
import { viewRoutes } from './views/routes.js'
import { sharedViewsKey, viewsLock } from './views/views.js'

/** The type of the accounts of editors. */
const accountUid = 'admin::user'

/** The page where editors write content, and what it asks for beside the API. */
export const contentConsole = definePlugin({
  name: 'console',
  describe: 'a page where editors write content',
  // Attributes stand in the order in which plugins start, which is to be the same as without this one.
  uses: [admin, optional(draftAndPublish), optional(i18n)],
  config: settingsSchema,
  words,
  // The extensions of the app are checked as those of plugins.
  forApp: ({ app }) => {
    const part = partOfApp(app)
    return part && { console: part }
  },
  // The table in which Strapi 4 keeps the layouts.
  shares: { stored: {}, locks: [layoutsLock, viewsLock] },
  // Views of an account that is deleted go with it, whatever deletes it.
  appliesTo: ({ uid }) => uid === accountUid,
  register: startConsole,
  hooks: {
    async afterWrite({ id }, { action, session }, { views }) {
      if (action === 'delete') await views.forget(id, session)
    },
  },
  middleware: [apiMiddleware],
  routes: [
    ...dataRoutes,
    ...viewRoutes,
    ...schemaRoutes,
    ...extensionRoutes,
    ...kitRoutes,
    ...brandRoutes,
    ...redirectRoutes,
    ...consoleRoutes,
  ],
  checks: [
    editorsCheck,
    {
      start: ({ app, types, outline, config }) => {
        const base = baseOf(outline)
        declaredLayouts(app.console, base, types)
        groupsOf(config.groups, base.types)
        previewsOf(config.preview, base.types)
        logoIn(app.appDir, config.brand)
      },
    },
  ],
  // Views of one account stay, as accounts may have other ids elsewhere.
  transfer: { settings: registry => [...layoutKeys(registry), sharedViewsKey] },
})
