import { Dialog } from '../../../../pages/page/dialog.js'
import { leaving } from '../../shell/address.js'
import { t } from '../../text.js'
import type { Keeping } from './keeping.js'

/** Asks before a form with changes is left. */
export function Leaving({ keeping }: { keeping: Keeping }) {
  const asked = leaving.value
  if (!asked) return null
  const { store } = keeping
  const count = store.changes.value
  const save = async () => {
    if (await store.save()) asked.leave()
    else asked.stay()
  }
  const discard = async () => {
    await keeping.discard()
    asked.leave()
  }
  return (
    <Dialog title={t('leaving')} closeLabel={t('close')} onClose={asked.stay}>
      <p>{t('entry.changes', { count })}</p>
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={asked.stay}>
          {t('leaving.stay')}
        </button>
        <button type="button" class="button danger" onClick={() => void discard()}>
          {t('leaving.discard')}
        </button>
        <button type="button" class="button primary" onClick={() => void save()}>
          {t('entry.save')}
        </button>
      </div>
    </Dialog>
  )
}
