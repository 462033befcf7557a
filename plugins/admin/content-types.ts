import type { Definition, TypeOutline } from '../../core/index.js'

export const accountUid = 'admin::user'
export const roleUid = 'admin::role'
export const permissionUid = 'admin::permission'
export const stampUid = 'plugin::admin.stamp'

/** The role that may everything, by its code and not by rows. */
export const superAdminCode = 'strapi-super-admin'

const source = 'plugin admin'

/** Roles and permissions of editors are in the tables of Strapi 4, so that both can read them. */
export const contentTypes: readonly Definition[] = [
  {
    uid: roleUid,
    source,
    schema: {
      kind: 'collectionType',
      collectionName: 'admin_roles',
      info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
      attributes: {
        name: { type: 'string', minLength: 1, required: true, unique: true },
        code: { type: 'string', minLength: 1, required: true, unique: true },
        description: { type: 'string' },
        users: { type: 'relation', relation: 'manyToMany', target: accountUid, mappedBy: 'roles' },
        permissions: { type: 'relation', relation: 'oneToMany', target: permissionUid, mappedBy: 'role' },
      },
    },
  },
  {
    uid: permissionUid,
    source,
    uidColumns: ['subject'],
    schema: {
      kind: 'collectionType',
      collectionName: 'admin_permissions',
      info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
      attributes: {
        action: { type: 'string', minLength: 1, required: true },
        actionParameters: { type: 'json', default: {} },
        subject: { type: 'string' },
        properties: { type: 'json', default: {} },
        conditions: { type: 'json', default: [] },
        role: { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'permissions' },
      },
    },
  },
  {
    // A table of our own: Strapi's columns for such codes hold the codes themselves.
    uid: stampUid,
    source,
    schema: {
      kind: 'collectionType',
      collectionName: 'stele_admin_stamps',
      info: { singularName: 'admin-stamp', pluralName: 'admin-stamps', displayName: 'Link of an editor' },
      attributes: {
        purpose: { type: 'string', required: true },
        account: { type: 'integer', required: true, index: true },
        hash: { type: 'string', required: true, unique: true, column: { unique: true }, private: true },
        expires: { type: 'datetime', required: true },
      },
    },
  },
]

/** The server has the accounts as the makers of entries; their roles are the plugin's. */
export const isAccountType = ({ uid }: Pick<TypeOutline, 'uid'>): boolean => uid === accountUid

/** The types whose rows say what editors may do. */
export const isOwnType = ({ uid }: Pick<TypeOutline, 'uid'>): boolean =>
  uid === accountUid || uid === roleUid || uid === permissionUid

export const accountAttributes = {
  roles: { type: 'relation', relation: 'manyToMany', target: roleUid, inversedBy: 'users', private: true },
}
