import { addressOfEntry } from '../shell/routes.js'
import { kinds } from '../shell/session.js'
import { t } from '../text.js'
import type { LinkGroup } from './links.js'

/** Entries that lead to an entry, by type and attribute, with links. */
export function LinkGroups({ groups, label }: { groups: readonly LinkGroup[]; label?: string }) {
  if (groups.length === 0) return <p class="quiet">{t('side.noLinks')}</p>
  return (
    <ul class="links-here" aria-label={label}>
      {groups.map(({ uid, attribute, total, isMore, entries }) => {
        const type = kinds.value?.type(uid)
        return (
          <li key={`${uid} ${attribute}`}>
            <p>
              {type?.name ?? uid} › {attribute}{' '}
              <span class="note">({isMore ? t('side.over', { count: total }) : total})</span>
            </p>
            <ul>
              {entries.map(({ id, title, locale }) => {
                const text = title === null || title === undefined || title === '' ? `#${id}` : String(title)
                return (
                  <li key={id}>
                    {type ? (
                      <a href={addressOfEntry(type, id)} dir="auto">
                        {text}
                      </a>
                    ) : (
                      text
                    )}
                    {typeof locale === 'string' && <span class="quiet"> {locale.toUpperCase()}</span>}
                  </li>
                )
              })}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}
