import type { AppOutline } from '../../../core/index.js'
import { actionsIn, fileActions, neededFor, settingsActions } from '../rights/actions.js'
import { consolePath } from '../sessions/cross-site.js'

/** An action without a subject which does something here. */
interface SettingAction {
  readonly action: string
  /** It can be given for own entries, or those of the same role. */
  readonly isLimited: boolean
}

export interface SettingPart {
  readonly name: string
  /** The plugin without which it means nothing. */
  readonly plugin?: string
  readonly actions: readonly SettingAction[]
}

const plain = (...actions: readonly string[]): readonly SettingAction[] =>
  actions.map(action => ({ action, isLimited: false }))
const four = (name: string) => plain(...['create', 'read', 'update', 'delete'].map(end => `${name}.${end}`))

/** The parts of the console besides entries, with the actions that open them. */
const settingParts: readonly SettingPart[] = [
  {
    ...{ name: 'media', plugin: 'upload' },
    actions: [
      ...plain(fileActions.create),
      ...[fileActions.read, fileActions.update].map(action => ({ action, isLimited: true })),
    ],
  },
  { name: 'accounts', actions: four('admin::users') },
  { name: 'roles', actions: four('admin::roles') },
  {
    ...{ name: 'tokens', plugin: 'api-tokens' },
    actions: [...four('admin::api-tokens'), ...plain('admin::api-tokens.regenerate')],
  },
  { name: 'webhooks', plugin: 'events', actions: four('admin::webhooks') },
  {
    ...{ name: 'languages', plugin: 'i18n' },
    actions: plain(...['create', 'update', 'delete'].map(end => `plugin::i18n.locale.${end}`)),
  },
  { name: 'api-roles', plugin: 'users-permissions', actions: four('plugin::users-permissions.roles') },
  {
    ...{ name: 'layouts', plugin: 'console' },
    actions: plain(
      ...['collection-types.configure-view', 'single-types.configure-view', 'components.configure-layout'].map(
        end => `plugin::content-manager.${end}`,
      ),
    ),
  },
  { name: 'activity', plugin: 'audit', actions: plain('admin::audit-logs.read') },
]

type Outline = Pick<AppOutline, 'app' | 'types' | 'plugins' | 'actions' | 'usualRoutes'>

/** The parts that mean something in an app, and one for each plugin that brings permissions of its own. */
export function partsOf(outline: Outline): readonly SettingPart[] {
  const enabled = new Set(outline.plugins.map(({ name }) => name))
  const brought = actionsIn(outline).filter(action => !settingsActions.includes(action) && isReached(action, outline))
  const names = [...new Set(brought.map(ownerOf))]
  return [
    ...settingParts.filter(({ plugin }) => plugin === undefined || enabled.has(plugin)),
    ...names.map(name => ({ name, actions: plain(...brought.filter(action => ownerOf(action) === name)) })),
  ]
}

/** True unless all routes that ask for an action are outside of what editors reach. */
function isReached(action: string, { app, usualRoutes }: Outline): boolean {
  const asking = usualRoutes.filter(
    route => route.action && route.uid !== undefined && neededFor(route.action, route.uid)?.includes(action),
  )
  const within = [app.api.prefix, consolePath].map(path => `${path}/`)
  return asking.length === 0 || asking.some(({ path }) => within.some(start => path.startsWith(start)))
}

/** `plugin::likes` of `plugin::likes.report.read`. */
const ownerOf = (action: string): string => action.slice(0, action.indexOf('.'))
