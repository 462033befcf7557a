import { language, t } from '../text.js'
import type { Keeping } from './keeping.js'

/** Offers changes that the browser has kept. */
export function KeptRegion({ keeping }: { keeping: Keeping }) {
  const draft = keeping.offered.value
  if (!draft) return null
  const at = new Date(draft.at)
  const isToday = at.toDateString() === new Date().toDateString()
  const time = at.toLocaleString(language, { ...(!isToday && { dateStyle: 'medium' }), timeStyle: 'short' })
  return (
    <section class="kept" aria-label={t('kept')}>
      <p>{t('kept.text', { time })}</p>
      <button type="button" class="button" onClick={() => keeping.restore()}>
        {t('kept.restore')}
      </button>
      <button type="button" class="text-button" onClick={() => void keeping.discard()}>
        {t('kept.discard')}
      </button>
    </section>
  )
}
