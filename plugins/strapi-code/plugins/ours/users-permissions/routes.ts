import type { Route } from '../../../../../core/index.js'
import { usersPermissions } from '../../../../users-permissions/index.js'
import type { Bag, Loose } from '../../../types.js'
import type { FacadeRoute } from '../facade.js'

/** A route of Strapi's plugin; `ours` are paths here, where they are others. */
type Row = readonly [method: string, path: string, handler: string, ours: readonly string[], limited?: 'limited']

const rows: readonly Row[] = [
  ['GET', '/connect/(.*)', 'auth.connect', ['/connect/:provider', '/connect/:provider/callback'], 'limited'],
  ['POST', '/auth/local', 'auth.callback', ['/auth/local'], 'limited'],
  ['POST', '/auth/local/register', 'auth.register', ['/auth/local/register'], 'limited'],
  ['GET', '/auth/:provider/callback', 'auth.callback', ['/auth/:provider/callback']],
  ['POST', '/auth/forgot-password', 'auth.forgotPassword', ['/auth/forgot-password'], 'limited'],
  ['POST', '/auth/reset-password', 'auth.resetPassword', ['/auth/reset-password'], 'limited'],
  ['GET', '/auth/email-confirmation', 'auth.emailConfirmation', ['/auth/email-confirmation']],
  ['POST', '/auth/send-email-confirmation', 'auth.sendEmailConfirmation', ['/auth/send-email-confirmation']],
  ['POST', '/auth/change-password', 'auth.changePassword', ['/auth/change-password'], 'limited'],
  ['GET', '/users/count', 'user.count', ['/users/count']],
  ['GET', '/users', 'user.find', ['/users']],
  ['GET', '/users/me', 'user.me', ['/users/me']],
  ['GET', '/users/:id', 'user.findOne', ['/users/:id']],
  ['POST', '/users', 'user.create', ['/users']],
  ['PUT', '/users/:id', 'user.update', ['/users/:id']],
  ['DELETE', '/users/:id', 'user.destroy', ['/users/:id']],
]

const rolesBelow = '/users-permissions'

/** Roles and permissions stand below the name of the plugin. */
const roleRows: readonly Row[] = [
  ['GET', '/roles/:id', 'role.findOne', [`${rolesBelow}/roles/:id`]],
  ['GET', '/roles', 'role.find', [`${rolesBelow}/roles`]],
  ['POST', '/roles', 'role.createRole', [`${rolesBelow}/roles`]],
  ['PUT', '/roles/:role', 'role.updateRole', [`${rolesBelow}/roles/:id`]],
  ['DELETE', '/roles/:role', 'role.deleteRole', [`${rolesBelow}/roles/:id`]],
  ['GET', '/permissions', 'permissions.getPermissions', [`${rolesBelow}/permissions`]],
]

/** The list of routes that extensions add to, in the order of Strapi's plugin. */
export function facadeRoutes(): FacadeRoute[] {
  const all = (usersPermissions as Loose).routes as readonly Route<Loose>[]
  const find = (method: string, path: string): Route<Loose> => {
    const found = all.find(route => route.method === method && route.path === path)
    if (!found) throw new Error(`users-permissions has no route ${method} ${path}`)
    return found
  }
  const routeOf = ([method, path, handler, ours, limited]: Row, more: Bag): FacadeRoute => ({
    method,
    path,
    handler,
    ...more,
    ...(limited && { middlewares: ['plugin::users-permissions.rateLimit'] }),
    ours: ours.map(own => find(method, own)),
  })
  return [...rows.map(row => routeOf(row, { prefix: '' })), ...roleRows.map(row => routeOf(row, {}))]
}
