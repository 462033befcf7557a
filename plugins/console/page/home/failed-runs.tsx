import { failedRuns, run } from '../list/run.js'
import { addressOfType } from '../shell/routes.js'
import { t } from '../text.js'

/** Work on many entries that failed in part since the page was opened. */
export function FailedRuns() {
  const runs = failedRuns.value
  if (runs.length === 0) return null
  return (
    <section class="home-list" aria-label={t('home.failed')}>
      <h2>{t('home.failed')}</h2>
      <ul>
        {runs.map(ended => (
          <li key={ended.begun}>
            <a href={addressOfType(ended.list.type)}>{ended.list.type.name}</a>
            <span class="quiet">
              {t(`run.${ended.action}`, { count: ended.done })}{' '}
              {ended.failed.length > 0 && t('run.failed', { count: ended.failed.length })} {ended.isCut && t('run.cut')}
            </span>
            <button
              type="button"
              class="text-button"
              onClick={() => {
                run.value = ended
              }}
            >
              {t('home.failed.show')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
