import { definePlugin } from '../../core/index.js'
import { bearerOf } from '../../core/plugin-kit.js'
import { checks } from './checks.js'
import { permissionCommands } from './commands/permissions.js'
import { roleCommands } from './commands/roles.js'
import { userCommands } from './commands/users.js'
import { connectRoutes, loginCodeType } from './connect/index.js'
import { contentTypes, plainFormat } from './content-types.js'
import { addresses, hooks, watched } from './hooks.js'
import { seedRoles } from './roles.js'
import { authRoutes } from './routes/auth.js'
import { roleRoutes } from './routes/roles.js'
import { userRoutes } from './routes/users.js'
import { UsersPermissions } from './service.js'
import { sessionRoutes, sessionType } from './sessions/index.js'
import { settingsSchema, storedSettings } from './settings.js'
import { attempts } from './throttle/index.js'

export type { NewAccount } from './accounts.js'
export * as bodies from './bodies.js'
export { refusable, tell } from './commands/answers.js'
export { serverUrl } from './letters.js'
export { createMailer, type Mail, type Mailer, withOlder } from './mail/index.js'
export { isPassword } from './passwords.js'
export type { ActionRequest, Replacement } from './replaced.js'
export * as accountRequests from './requests.js'
export { createRole, deleteRole, setGrants, typeOfName } from './roles.js'
export { renewConfirmation } from './routes/confirmation.js'
export { accountOf, type UsersPermissions } from './service.js'
export { attempts, createThrottle, type Throttle, throttleSettings } from './throttle/index.js'
export type { Claimed } from './tokens.js'

/** Accounts and what they may do: signing in, roles with their permissions, in the tables and words of Strapi 4. */
export const usersPermissions = definePlugin({
  name: 'users-permissions',
  describe: 'accounts, signing in, roles and what they may do',
  config: settingsSchema,
  standardIn: { strapi4: '@strapi/plugin-users-permissions' },
  appliesTo: ({ uid }) => watched.includes(uid),
  contentTypes: [...contentTypes, sessionType, loginCodeType],
  register: host => UsersPermissions.start(host),
  reload: { files: ['permissions'], prepare: (config, service) => service.reload(config) },
  authenticate: (request, service) => service.callerOf(bearerOf(request)),
  hooks,
  routes: [...authRoutes, ...sessionRoutes, ...connectRoutes, ...userRoutes, ...roleRoutes],
  formats: {
    [plainFormat]: {
      entry: 'plain',
      one: entry => entry,
      many: entries => entries,
      shape: { one: entry => entry, many: entry => ({ type: 'array', items: entry }) },
    },
  },
  commands: [...userCommands, ...roleCommands, ...permissionCommands],
  checks: [{ start: app => UsersPermissions.checkStart(app) }, ...checks],
  shares: {
    stored: storedSettings,
    locks: [addresses],
    counts: ({ ratelimit }) => (ratelimit.enabled && ratelimit.store === 'database' ? [attempts] : []),
  },
  once: [{ name: 'the first roles', since: '0.1.0', run: (session, { host }) => seedRoles(host, session) }],
  transfer: {
    accounts: [...contentTypes, sessionType].map(({ uid }) => uid),
    stays: [loginCodeType.uid],
  },
})
