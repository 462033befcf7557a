import type { AppOutline } from '../../../core/index.js'
import { accountUid } from '../content-types.js'
import { contentAction, type Grants, grantKey } from './permissions.js'

/** The rights to the entries of a type, as the panel of Strapi 4 names them. */
export const rights = ['create', 'read', 'update', 'delete', 'publish'] as const
export type Right = (typeof rights)[number]

const routeActions: Readonly<Record<Right, readonly string[]>> = {
  read: ['find', 'findOne', 'count', 'preview', 'versions', 'trash'],
  create: ['create', 'createLocalization'],
  update: ['update', 'restoreVersion'],
  delete: ['delete', 'destroy', 'restore'],
  publish: ['publish', 'unpublish'],
}

const rightByAction: ReadonlyMap<string, Right> = new Map(
  rights.flatMap(right => routeActions[right].map((action): [string, Right] => [action, right])),
)

/** The right that an action on the entries of a type needs. */
export const rightOf = (action: string): Right | undefined => rightByAction.get(action)

/** The files themselves; their routes ask for actions on another name. */
export const fileUid = 'plugin::upload.file'
export const folderUid = 'plugin::upload.folder'
export const userUid = 'plugin::users-permissions.user'
/** The roles of these accounts: the panel shows their names to who may read or write the role of an account. */
export const userRoleUid = 'plugin::users-permissions.role'

/** The right to read the library of files, and those to add and to change files. */
export const fileActions = {
  read: 'plugin::upload.read',
  create: 'plugin::upload.assets.create',
  update: 'plugin::upload.assets.update',
}

/** Routes of other plugins, each with the panel's actions of which one is needed; every editor may what needs none. */
const routes: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'plugin::upload.content-api': {
    find: [fileActions.read],
    findOne: [fileActions.read],
    upload: [fileActions.create, fileActions.update],
    destroy: [fileActions.update],
  },
  'plugin::upload.library': {
    findFolders: [fileActions.read],
    createFolder: [fileActions.create],
    updateFolder: [fileActions.update],
    deleteFolder: [fileActions.update],
    move: [fileActions.update],
    deleteMany: [fileActions.update],
  },
  [folderUid]: { find: [fileActions.read], findOne: [fileActions.read] },
  'plugin::i18n.locales': {
    listLocales: [],
    createLocale: ['plugin::i18n.locale.create'],
    updateLocale: ['plugin::i18n.locale.update'],
    deleteLocale: ['plugin::i18n.locale.delete'],
  },
  'plugin::i18n.locale': { find: [], findOne: [] },
  [userRoleUid]: {
    find: ['plugin::users-permissions.roles.read'],
    findOne: ['plugin::users-permissions.roles.read'],
    createRole: ['plugin::users-permissions.roles.create'],
    updateRole: ['plugin::users-permissions.roles.update'],
    deleteRole: ['plugin::users-permissions.roles.delete'],
  },
  // Visitors sign in there.
  'plugin::users-permissions.auth': {},
  'plugin::users-permissions.permissions': { getPermissions: ['plugin::users-permissions.roles.read'] },
  'plugin::api-tokens': {
    list: ['admin::api-tokens.read'],
    read: ['admin::api-tokens.read'],
    create: ['admin::api-tokens.create'],
    update: ['admin::api-tokens.update'],
    revoke: ['admin::api-tokens.delete'],
    regenerate: ['admin::api-tokens.regenerate'],
  },
  'plugin::events': { listen: [] },
  'plugin::events.webhook': {
    list: ['admin::webhooks.read'],
    create: ['admin::webhooks.create'],
    update: ['admin::webhooks.update'],
    delete: ['admin::webhooks.delete'],
  },
  'plugin::audit.record': { list: ['admin::audit-logs.read'] },
  // The names of those who wrote an entry.
  [accountUid]: { find: [] },
}

/** The panel's actions of which a route needs one, that is no action on the entries of a type; undefined if none of them opens it. */
export function neededFor(action: string, uid: string): readonly string[] | undefined {
  const own = routes[uid]
  if (!own) return [`${uid}.${action}`]
  return Object.hasOwn(own, action) ? own[action] : undefined
}

/** True if the permissions include one of those that a route needs. */
export function mayUse(grants: Grants, action: string, uid: string): boolean {
  const needed = neededFor(action, uid)
  return needed?.length === 0 || (needed?.some(name => grants.has(grantKey(name, null))) ?? false)
}

/** True if routes of a plugin, and not the generated ones, decide what may be done to entries of a type. */
export const isElsewhere = (uid: string): boolean => Object.hasOwn(routes, uid)

/** The panel's actions without a subject. */
export const settingsActions: readonly string[] = [
  ...Object.values(fileActions),
  ...['plugin::upload.configure-view', 'plugin::upload.assets.download', 'plugin::upload.assets.copy-link'],
  ...['single-types.configure-view', 'collection-types.configure-view', 'components.configure-layout'].map(
    action => `plugin::content-manager.${action}`,
  ),
  ...['plugin::content-type-builder.read', 'plugin::email.settings.read', 'plugin::upload.settings.read'],
  ...each('plugin::users-permissions.roles', ['create', 'read', 'update', 'delete']),
  ...['providers', 'email-templates', 'advanced-settings'].flatMap(part =>
    each(`plugin::users-permissions.${part}`, ['read', 'update']),
  ),
  ...each('plugin::i18n.locale', ['create', 'read', 'update', 'delete']),
  ...['admin::marketplace.read', 'admin::audit-logs.read'],
  ...['admin::webhooks', 'admin::users', 'admin::roles'].flatMap(part =>
    each(part, ['create', 'read', 'update', 'delete']),
  ),
  ...each('admin::api-tokens', ['access', 'create', 'read', 'update', 'regenerate', 'delete']),
  ...each('admin::project-settings', ['read', 'update']),
  ...each('admin::transfer.tokens', ['access', 'create', 'read', 'update', 'regenerate', 'delete']),
]

/** The actions without a subject that roles can be declared with: those of the panel, and those of the routes and plugins of an app. */
export const actionsIn = ({ types, actions }: Pick<AppOutline, 'types' | 'actions'>): readonly string[] => [
  ...new Set([
    ...settingsActions,
    ...actions
      .filter(({ uid }) => !types.types.has(uid) || isElsewhere(uid))
      .flatMap(({ action, uid }) => neededFor(action, uid) ?? []),
  ]),
]

function each(name: string, actions: readonly string[]): string[] {
  return actions.map(action => `${name}.${action}`)
}

/** The panel's action on the entries of a type. */
export const actionOf = (right: Right): string => contentAction(right)
