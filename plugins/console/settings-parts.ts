import type { AppOutline, Caller } from '../../core/index.js'

/** The permissions to change layouts, as Strapi 4 names them. */
export const configuring = {
  collectionType: 'collection-types.configure-view',
  singleType: 'single-types.configure-view',
  component: 'components.configure-layout',
} as const

/** The parts of the settings, each with the permissions of which one opens it, and the plugin that it is about. */
const parts: readonly Part[] = [
  { name: 'accounts', opens: [['read', 'admin::users']] },
  { name: 'roles', opens: [['read', 'admin::roles']] },
  { name: 'tokens', plugin: 'api-tokens', opens: [['list', 'plugin::api-tokens']] },
  { name: 'webhooks', plugin: 'events', opens: [['read', 'admin::webhooks']] },
  {
    name: 'languages',
    plugin: 'i18n',
    opens: ['createLocale', 'updateLocale', 'deleteLocale'].map(action => [action, 'plugin::i18n.locales']),
  },
  { name: 'api-roles', plugin: 'users-permissions', opens: [['find', 'plugin::users-permissions.role']] },
  {
    name: 'layouts',
    opens: Object.values(configuring).map(action => [action, 'plugin::content-manager']),
  },
  { name: 'profile', opens: [] },
]

interface Part {
  readonly name: string
  readonly plugin?: string
  readonly opens: readonly (readonly string[])[]
}

/** The parts of the settings that an editor may open. */
export const settingsFor = ({ can }: Pick<Caller, 'can'>, { plugins }: Pick<AppOutline, 'plugins'>): string[] =>
  parts
    .filter(({ plugin }) => plugin === undefined || plugins.some(({ name }) => name === plugin))
    .filter(({ opens }) => opens.length === 0 || opens.some(([action = '', uid = '']) => can(action, uid)))
    .map(({ name }) => name)
