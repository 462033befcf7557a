import type { AppOutline, Caller } from '../../core/index.js'
import { configuring } from './model/configuring.js'

/** The parts of the settings, each with the permissions of which one opens it, and the plugin that it is about. */
const parts: readonly Part[] = [
  {
    ...{ name: 'accounts', opens: [['read', 'admin::users']] },
    offers: offered('admin::users', ['create', 'update', 'delete']),
  },
  {
    ...{ name: 'roles', opens: [['read', 'admin::roles']] },
    offers: offered('admin::roles', ['create', 'update', 'delete']),
  },
  {
    ...{ name: 'tokens', plugin: 'api-tokens', opens: [['list', 'plugin::api-tokens']] },
    offers: offered('plugin::api-tokens', ['create', 'update', 'revoke', 'regenerate']),
  },
  {
    ...{ name: 'webhooks', plugin: 'events', opens: [['list', 'plugin::events.webhook']] },
    offers: offered('plugin::events.webhook', ['create', 'update', 'delete']),
  },
  {
    name: 'languages',
    plugin: 'i18n',
    opens: ['createLocale', 'updateLocale', 'deleteLocale'].map(action => [action, 'plugin::i18n.locales']),
    offers: offered('plugin::i18n.locales', ['createLocale', 'updateLocale', 'deleteLocale']),
  },
  {
    ...{ name: 'api-roles', plugin: 'users-permissions', opens: [['findOne', 'plugin::users-permissions.role']] },
    offers: offered('plugin::users-permissions.role', ['createRole', 'updateRole', 'deleteRole']),
  },
  {
    name: 'layouts',
    opens: Object.values(configuring).map(action => [action, 'plugin::content-manager']),
    offers: offered('plugin::content-manager', Object.values(configuring)),
  },
  { name: 'activity', plugin: 'audit', opens: [['list', 'plugin::audit.record']] },
  { name: 'profile', opens: [] },
]

interface Part {
  readonly name: string
  readonly plugin?: string
  readonly opens: readonly (readonly string[])[]
  /** Actions besides, each with the permission that it needs. */
  readonly offers?: readonly (readonly [string, string])[]
}

function offered(uid: string, actions: readonly string[]): readonly (readonly [string, string])[] {
  return actions.map(action => [action, uid] as const)
}

/** The parts of the settings that an editor may open. */
export const settingsFor = ({ can }: Pick<Caller, 'can'>, { plugins }: Pick<AppOutline, 'plugins'>): string[] =>
  parts
    .filter(({ plugin }) => plugin === undefined || plugins.some(({ name }) => name === plugin))
    .filter(({ opens }) => opens.length === 0 || opens.some(([action = '', uid = '']) => can(action, uid)))
    .map(({ name }) => name)

/** Actions that an editor may do in the sections of the settings, by the names of these. */
export const sectionRightsFor = ({ can }: Pick<Caller, 'can'>, opened: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    parts.flatMap(({ name, offers = [] }) => {
      const may = offers.filter(([action, uid]) => can(action, uid)).map(([action]) => action)
      return opened.includes(name) && may.length > 0 ? [[name, may]] : []
    }),
  )
