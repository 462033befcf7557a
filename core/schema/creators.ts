import type { Definition, Link } from './types.js'

/** The panel's users: the target of `createdBy` and `updatedBy`, never an endpoint of its own. */
export const creatorType: Definition = {
  uid: 'admin::user',
  source: 'admin::user',
  schema: {
    kind: 'collectionType',
    collectionName: 'admin_users',
    info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
    attributes: {
      firstname: { type: 'string' },
      lastname: { type: 'string' },
      username: { type: 'string' },
      email: { type: 'email', private: true },
      password: { type: 'password', private: true },
      resetPasswordToken: { type: 'string', private: true },
      registrationToken: { type: 'string', private: true },
      isActive: { type: 'boolean', private: true },
      blocked: { type: 'boolean', private: true },
      preferedLanguage: { type: 'string' },
    },
  },
}

/**
 * The links to the creator of an entry and to the account that changed it last: readable only if the schema says so, written by
 * no request.
 */
export function creators(
  type: { table: string; options: { populateCreatorFields?: boolean } },
  plain: boolean,
): Omit<Link, 'types'>[] {
  const link = (name: string, column: string): Omit<Link, 'types'> => ({
    name,
    table: type.table,
    attribute: { type: 'relation', relation: 'oneToOne', target: creatorType.uid },
    many: false,
    ...(plain ? { shape: 'inline', only: ['firstname', 'lastname'] } : { shape: 'data' }),
    targets: [creatorType.uid],
    owning: true,
    open: true,
    storage: { via: 'column', column },
    readable: type.options.populateCreatorFields === true,
    writable: false,
  })
  return [link('createdBy', 'created_by_id'), link('updatedBy', 'updated_by_id')]
}
