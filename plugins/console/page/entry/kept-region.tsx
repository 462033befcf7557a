import { language, t } from '../text.js'
import type { Keeping } from './keeping.js'

/** Offers changes that the browser has kept. */
export function KeptRegion({ keeping }: { keeping: Keeping }) {
  const draft = keeping.offered.value
  if (!draft) return null
  const isTyped = keeping.store.changes.value > 0
  const at = new Date(draft.at)
  const isToday = at.toDateString() === new Date().toDateString()
  const time = at.toLocaleString(language, { ...(!isToday && { dateStyle: 'medium' }), timeStyle: 'short' })
  return (
    <section class="kept" aria-label={t('kept')}>
      <p>
        {t('kept.text', { time })} {isTyped && t('kept.first')}
      </p>
      <button type="button" class="button" disabled={isTyped} onClick={() => void keeping.restore()}>
        {t('kept.restore')}
      </button>
      <button type="button" class="text-button" onClick={() => void keeping.decline()}>
        {t('kept.discard')}
      </button>
    </section>
  )
}
