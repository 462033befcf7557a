import { definePlugin, optional } from '../../core/index.js'
import { usersPermissions } from '../users-permissions/index.js'
import { accountsLock } from './accounts/accounts.js'
import { accountChecks } from './accounts/checks.js'
import { accountRoutes } from './accounts/routes.js'
import { accountCommands } from './commands/accounts.js'
import { roleCommands } from './commands/roles.js'
import { accountAttributes, contentTypes, isAccountType, isOwnType } from './content-types.js'
import { readEditors } from './rights/declared.js'
import { hooks, isTranslated } from './rights/hooks.js'
import { Admin } from './service.js'
import { settingsSchema } from './settings.js'

/** The accounts of people who edit content, with their roles, in the tables of Strapi 4. */
export const admin = definePlugin({
  name: 'admin',
  describe: 'accounts and roles of editors',
  uses: [optional(usersPermissions)],
  config: settingsSchema,
  appliesTo: type => isOwnType(type) || isTranslated(type),
  contentTypes,
  attributes: type => (isAccountType(type) ? accountAttributes : {}),
  register: host => new Admin(host),
  hooks,
  routes: accountRoutes,
  commands: [...accountCommands, ...roleCommands],
  checks: [{ start: ({ app, types }) => void readEditors(app.permissions, types) }, ...accountChecks],
  shares: { locks: [accountsLock] },
  once: [{ name: 'the first roles', since: '0.1.0', run: (session, { roles }) => roles.seed(session) }],
  transfer: { accounts: contentTypes.map(({ uid }) => uid) },
})
