import type { ComponentType } from 'preact'
import { visit } from '../shell/address.js'
import { lazy } from '../shell/lazy.js'
import { Nowhere } from '../shell/nowhere.js'
import { addressOfSection } from '../shell/routes.js'
import { openSections, type Section } from '../shell/sections.js'
import { t } from '../text.js'
import { LeaveQuestion } from './unsaved.js'
import './settings.css'

/** A section of the settings; `id` is what its address has behind its name. */
export interface SectionProps {
  readonly id: string | undefined
}

const views: Readonly<Record<Section, ComponentType<SectionProps>>> = {
  accounts: lazy(() => import('./accounts/accounts.js').then(part => part.Accounts)),
  roles: lazy(() => import('./roles/roles.js').then(part => part.Roles)),
  tokens: lazy(() => import('./tokens/tokens.js').then(part => part.Tokens)),
  webhooks: lazy(() => import('./webhooks/webhooks.js').then(part => part.Webhooks)),
  languages: lazy(() => import('./languages/languages.js').then(part => part.Languages)),
  'api-roles': lazy(() => import('./api-roles/api-roles.js').then(part => part.ApiRoles)),
  activity: lazy(() => import('./activity/activity.js').then(part => part.Activity)),
  profile: lazy(() => import('./profile/profile.js').then(part => part.Profile)),
}

/** The frame of the settings: links to the sections that the account may open, and one of them. */
export function Settings({ section, id }: { section: string | undefined; id: string | undefined }) {
  const open = openSections.value
  const current = section === undefined ? open[0] : open.find(name => name === section)
  const View = current && views[current]
  return (
    <>
      <nav class="sections" aria-label={t('settings.sections')}>
        <ul>
          {open.map(name => (
            <li key={name}>
              <a href={addressOfSection(name)} aria-current={name === current ? 'page' : undefined}>
                {t(`settings.${name}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <LeaveQuestion />
      {View ? <View key={`${current} ${visit.value}`} id={id} /> : <Nowhere />}
    </>
  )
}
