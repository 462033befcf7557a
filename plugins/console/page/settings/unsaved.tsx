import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from '../../../pages/page/dialog.js'
import { guardLeaving, leaving } from '../shell/address.js'
import { t } from '../text.js'

/** Asks before a form is left whose values differ from those that it began with; the result says that they are saved. */
export function useUnsaved(values: () => unknown): () => void {
  const read = () => JSON.stringify(values())
  const latest = useRef(read)
  latest.current = read
  const saved = useRef<string | undefined>(undefined)
  saved.current ??= read()
  useEffect(() => guardLeaving(() => latest.current() !== saved.current), [])
  return () => {
    saved.current = latest.current()
  }
}

/** The question whether to leave a form with changes. */
export function LeaveQuestion() {
  const asked = leaving.value
  if (!asked) return null
  return (
    <Dialog title={t('leaving')} closeLabel={t('close')} onClose={asked.stay}>
      <p>{t('settings.unsaved')}</p>
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={asked.stay}>
          {t('leaving.stay')}
        </button>
        <button type="button" class="button danger" onClick={asked.leave}>
          {t('leaving.discard')}
        </button>
      </div>
    </Dialog>
  )
}
