/** The work of the routes, for protocols beside REST: each does and refuses what its route does. */

export { register, signIn } from './routes/auth.js'
export type { AccountCall, RoleCall, UserCall } from './routes/calls.js'
export { confirmAddress } from './routes/confirmation.js'
export { changePassword, forgotPassword, resetPassword } from './routes/passwords.js'
export { createRoleAsSent, removeRole, updateRole } from './routes/roles.js'
export { createUser, updateUser } from './routes/users.js'
