import type { Definition } from '../../core/index.js'

export const userUid = 'plugin::users-permissions.user'
export const roleUid = 'plugin::users-permissions.role'
export const permissionUid = 'plugin::users-permissions.permission'
export const stampUid = 'plugin::users-permissions.stamp'
/** The response format of accounts and roles: plain objects and lists. */
export const plainFormat = 'users-permissions'

const source = 'plugin users-permissions'
/** Fields that every account has: no app lets clients set them when they register. */
export const ownUserFields = [
  ...['id', 'username', 'email', 'provider', 'password', 'resetPasswordToken', 'confirmationToken'],
  ...['confirmed', 'blocked', 'role', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'],
]
const options = { format: plainFormat }

/** Accounts, roles and grants stand in the tables of Strapi 4, so that both can read them. */
export const contentTypes: readonly Definition[] = [
  {
    uid: userUid,
    source,
    schema: {
      kind: 'collectionType',
      collectionName: 'up_users',
      info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
      options,
      attributes: {
        username: { type: 'string', minLength: 3, unique: true, required: true },
        email: { type: 'email', minLength: 6, required: true, index: true },
        provider: { type: 'string' },
        password: { type: 'password', minLength: 6, private: true },
        resetPasswordToken: { type: 'string', private: true },
        confirmationToken: { type: 'string', private: true },
        confirmed: { type: 'boolean', default: false },
        blocked: { type: 'boolean', default: false },
        role: { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'users' },
      },
    },
  },
  {
    uid: roleUid,
    source,
    schema: {
      kind: 'collectionType',
      collectionName: 'up_roles',
      info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
      options,
      attributes: {
        name: { type: 'string', required: true },
        description: { type: 'string' },
        type: { type: 'string', unique: true },
        permissions: { type: 'relation', relation: 'oneToMany', target: permissionUid, mappedBy: 'role' },
        // Filters and sorts may go through it; a hook keeps it out of responses.
        users: { type: 'relation', relation: 'oneToMany', target: userUid, mappedBy: 'role' },
      },
    },
  },
  {
    uid: permissionUid,
    source,
    uidColumns: ['action'],
    schema: {
      kind: 'collectionType',
      collectionName: 'up_permissions',
      info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
      options,
      attributes: {
        action: { type: 'string', required: true },
        role: { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'permissions' },
      },
    },
  },
  {
    // A table of our own: Strapi 4 reads its accounts unchanged. It outlives the account, should an id ever come again.
    uid: stampUid,
    source,
    schema: {
      kind: 'collectionType',
      collectionName: 'stele_user_stamps',
      info: { singularName: 'user-stamp', pluralName: 'user-stamps', displayName: 'User stamp' },
      attributes: {
        user: { type: 'integer', unique: true, required: true, column: { unique: true } },
        since: { type: 'biginteger', required: true },
      },
    },
  },
]
