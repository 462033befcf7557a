import { definePlugin, optional } from '../../core/index.js'
import { knowing } from '../../core/plugin-kit.js'
import { attempts, usersPermissions } from '../users-permissions/index.js'
import { accountsLock } from './accounts/accounts.js'
import { accountChecks } from './accounts/checks.js'
import { managementRoutes } from './accounts/management-routes.js'
import { ownDataRoutes } from './accounts/own-data.js'
import { accountRoutes } from './accounts/routes.js'
import { accountCommands } from './commands/accounts.js'
import { roleCommands } from './commands/roles.js'
import { accountAttributes, contentTypes, isAccountType, isOwnType } from './content-types.js'
import { readEditors } from './rights/declared.js'
import { hooks, isTranslated } from './rights/hooks.js'
import { roleRoutes } from './roles/routes.js'
import { Admin } from './service.js'
import { areShared, checkAttempts } from './sessions/attempts.js'
import { knowEditor } from './sessions/callers.js'
import { consolePath, crossSiteGuard } from './sessions/cross-site.js'
import { linkRoutes } from './sessions/link-routes.js'
import { sessionRoutes } from './sessions/routes.js'
import { sessionType } from './sessions/session-type.js'
import { settingsSchema } from './settings.js'

export type { OwnDataReader } from './accounts/own-data.js'
export { settingsActions } from './rights/actions.js'
export { EditorCaller } from './rights/caller.js'
export { isConsole, markConsole } from './sessions/cross-site.js'
export { signInPaths } from './sessions/routes.js'

/** The accounts of people who edit content, with their roles, in the tables of Strapi 4. */
export const admin = definePlugin({
  name: 'admin',
  describe: 'accounts and roles of editors',
  uses: [optional(usersPermissions)],
  config: settingsSchema,
  appliesTo: type => isOwnType(type) || isTranslated(type),
  contentTypes: [...contentTypes, sessionType],
  attributes: type => (isAccountType(type) ? accountAttributes : {}),
  register: host => Admin.start(host),
  authenticate: { before: 'others', run: (ctx, service) => knowEditor(ctx, service) },
  hooks,
  middleware: [{ before: 'cors', below: consolePath, run: ({ host }) => crossSiteGuard(host.app) }],
  routes: [...sessionRoutes, ...linkRoutes, ...accountRoutes, ...ownDataRoutes, ...managementRoutes, ...roleRoutes],
  commands: [...accountCommands, ...roleCommands],
  checks: [
    {
      start: host => {
        const { types, plugins } = host.outline
        return knowing(host, actions => void readEditors(host.app.permissions, { types, plugins, actions }))
      },
    },
    { start: ({ config, app }) => checkAttempts(config, app) },
    ...accountChecks,
  ],
  shares: { locks: [accountsLock], counts: config => (areShared(config) ? [attempts] : []) },
  once: [{ name: 'the first roles', since: '0.1.0', run: (session, { roles }) => roles.seed(session) }],
  transfer: { accounts: contentTypes.map(({ uid }) => uid), stays: [sessionType.uid] },
})
