import type { RouteCall } from '../../../core/index.js'
import type { UsersPermissions } from '../service.js'

/** The part of a request that signing in and the like depend on: a protocol beside REST puts its arguments into `body`. */
export type AccountCall = Pick<RouteCall<UsersPermissions>, 'ctx' | 'caller' | 'body' | 'service'>

/** The part of a request that writes of accounts depend on, in the name of the caller. */
export type UserCall = Pick<RouteCall<UsersPermissions>, 'caller' | 'content' | 'body' | 'service'>

/** The part of a request that writes of roles depend on. */
export type RoleCall = Pick<RouteCall<UsersPermissions>, 'caller' | 'body' | 'service'>
