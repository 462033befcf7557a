import { givenFor } from '../../../model/roles/drafts.js'
import type { RolePart } from '../../../model/roles/types.js'
import { type TextKey, t } from '../../text.js'
import { makers } from './details.js'
import type { RoleStore } from './store.js'

/** The permissions of a role besides entries: files and the settings. */
export function PartsTable({ store }: { store: RoleStore }) {
  const shown = store.role.parts.filter(({ actions }) =>
    actions.some(({ action }) => {
      const about = { action, subject: null }
      return store.of(about) !== undefined || store.isOpen(about)
    }),
  )
  if (shown.length === 0) return null
  return (
    <section class="role-part" aria-label={t('roles.parts')}>
      <h2>{t('roles.parts')}</h2>
      {shown.map(part => (
        <fieldset key={part.name} class="role-row">
          <legend>{titleOf(part)}</legend>
          {part.actions.map(action => (
            <ActionBox key={action.action} store={store} label={labelOf(part, action.action)} {...action} />
          ))}
        </fieldset>
      ))}
    </section>
  )
}

const names: Readonly<Record<string, TextKey>> = {
  ...{ media: 'roles.media', accounts: 'settings.accounts', roles: 'settings.roles', tokens: 'settings.tokens' },
  ...{ webhooks: 'settings.webhooks', languages: 'settings.languages', 'api-roles': 'settings.api-roles' },
  ...{ layouts: 'roles.layouts', activity: 'settings.activity' },
}

const words: Readonly<Record<string, TextKey>> = {
  ...{ create: 'roles.right.create', read: 'roles.right.read', update: 'roles.right.update' },
  ...{ delete: 'roles.right.delete', regenerate: 'tokens.regenerate' },
  'assets.create': 'roles.upload',
  'assets.update': 'roles.changeFiles',
  'collection-types.configure-view': 'roles.layouts.lists',
  'single-types.configure-view': 'roles.layouts.singles',
  'components.configure-layout': 'roles.layouts.components',
}

/** Parts of plugins without words here have the name of the plugin. */
function titleOf({ name }: RolePart): string {
  const key = names[name]
  return key ? t(key) : t('roles.plugin', { name: name.replace(/^plugin::/, '') })
}

/** The last words of an action: `read`, `assets.create`. That of another plugin is shown as it is named. */
function labelOf({ name }: RolePart, action: string): string {
  if (!Object.hasOwn(names, name)) return action.slice(name.length + 1)
  const end = Object.keys(words)
    .filter(word => action.endsWith(`.${word}`))
    .sort((a, b) => b.length - a.length)[0]
  const key = end === undefined ? undefined : words[end]
  return key ? t(key) : action
}

function ActionBox({
  store,
  action,
  label,
  isLimited,
}: { store: RoleStore; label: string } & RolePart['actions'][number]) {
  const about = { action, subject: null }
  const draft = store.of(about)
  const isOpen = store.isOpen(about)
  const given = givenFor(store.role, about)?.where
  if (!draft && !isOpen) return null
  return (
    <span class="role-action">
      <label class="check">
        <input
          type="checkbox"
          checked={draft !== undefined}
          disabled={!isOpen}
          onChange={event => (event.currentTarget.checked ? store.give(about) : store.change(about, undefined))}
        />
        {label}
      </label>
      {isLimited &&
        draft &&
        makers.map(maker => {
          const others = draft.where.filter(one => one !== maker)
          const has = draft.where.includes(maker)
          const isNeeded = has && others.length === 0 && given !== null
          return (
            <label key={maker} class="check quiet">
              <input
                type="checkbox"
                aria-label={`${label}: ${t(`roles.where.${maker}`)}`}
                checked={has}
                disabled={!isOpen || isNeeded || (!has && given !== null && !given?.includes(maker))}
                onChange={event =>
                  store.change(about, { where: event.currentTarget.checked ? [...others, maker] : others })
                }
              />
              {t(`roles.where.${maker}`)}
            </label>
          )
        })}
      {draft?.otherConditions.map(name => (
        <span key={name} class="quiet">
          {t('roles.condition.other', { name })}
        </span>
      ))}
    </span>
  )
}
