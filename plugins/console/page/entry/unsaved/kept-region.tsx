import type { KeptDraft } from '../../../model/drafts.js'
import { language, t } from '../../text.js'
import type { Keeping } from './keeping.js'

/** Offers changes that the browser has kept. */
export function KeptRegion({ keeping }: { keeping: Keeping }) {
  const drafts = keeping.offered.value
  if (drafts.length === 0) return null
  return (
    <section class="kept" aria-label={t('kept')}>
      {drafts.map(draft => (
        <Offer key={draft.key} keeping={keeping} draft={draft} />
      ))}
    </section>
  )
}

function Offer({ keeping, draft }: { keeping: Keeping; draft: KeptDraft }) {
  const isTyped = keeping.store.changes.value > 0
  const at = new Date(draft.at)
  const isToday = at.toDateString() === new Date().toDateString()
  const time = at.toLocaleString(language(), { ...(!isToday && { dateStyle: 'medium' }), timeStyle: 'short' })
  const id = `kept ${draft.key}`.replaceAll(/\W+/g, '-')
  return (
    <div class="notice">
      <p id={id}>
        {t('kept.text', { time })} {isTyped && t('kept.first')}
      </p>
      <button
        type="button"
        class="button"
        aria-describedby={id}
        disabled={isTyped}
        onClick={() => void keeping.restore(draft)}
      >
        {t('kept.restore')}
      </button>
      <button type="button" class="text-button" aria-describedby={id} onClick={() => void keeping.decline(draft)}>
        {t('kept.discard')}
      </button>
    </div>
  )
}
