import { emailRoutes } from '../plugins/ours/email.js'
import type { FacadeRoute } from '../plugins/ours/facade.js'
import { localeRoutes } from '../plugins/ours/i18n.js'
import { uploadRoutes } from '../plugins/ours/upload.js'
import { facadeRoutes } from '../plugins/ours/users-permissions/routes.js'
import { changedIn } from './changed.js'
import type { CodeOnDisk } from './project.js'
import { nothing, ofPlugin, type Refusing, routeOf } from './refusing.js'
import { routesIn } from './route-files.js'

/** Routes that extensions add to plugins, and those of the server whose action they replace, what it calls, or guard. */
export function refusedByExtensions(code: CodeOnDisk): Refusing[] {
  return code.sources.flatMap(source => {
    const { place } = source
    const [, name] = /^src\/extensions\/([^/]+)\/strapi-server\.\w+$/.exec(place) ?? []
    if (name === undefined || !code.hasPlugin(name)) return []
    // The function may leave the work to other files.
    const all = code.sources.filter(one => one.place.startsWith(`src/extensions/${name}/`))
    const isChanged = changedIn([...all, ...code.loadedBy(source)])
    const changed = routesOfServer(name).filter(({ handler }) => isChanged(handler))
    return [
      ...all.flatMap(one => routesIn(code, one)).map(route => ofPlugin(route, `/${name}`)),
      ...changed.flatMap(({ ours }) =>
        ours.map(({ method, path }) => routeOf({ method, path, actsAs: nothing, isRead: true }, place)),
      ),
    ]
  })
}

/** The routes of this server that an extension of a plugin may change. */
const routesOfServer = (plugin: string): readonly FacadeRoute[] =>
  Object.hasOwn(extensible, plugin) ? (extensible[plugin]?.() ?? []) : []

const extensible: Readonly<Record<string, () => readonly FacadeRoute[]>> = {
  'users-permissions': facadeRoutes,
  upload: uploadRoutes,
  i18n: localeRoutes,
  email: emailRoutes,
}
