import { Dialog } from '../../../../pages/page/dialog.js'
import { leaving } from '../../shell/address.js'
import { t } from '../../text.js'
import { saveBoth } from '../store/both.js'
import type { Keeping } from './keeping.js'

/** Asks before a form with changes is left. */
export function Leaving({ keeping }: { keeping: Keeping }) {
  const asked = leaving.value
  if (!asked) return null
  const { store } = keeping
  const count = store.unsaved.value
  const uploads = store.arriving.value.size + (store.beside.value?.arriving.value.size ?? 0)
  const save = async () => {
    if (await saveBoth(store)) asked.leave()
    else asked.stay()
  }
  const discard = async () => {
    store.giveUp()
    await keeping.discard()
    const other = store.beside.peek()
    other?.giveUp()
    await other?.discardKept()
    asked.leave()
  }
  return (
    <Dialog title={t('leaving')} closeLabel={t('close')} onClose={asked.stay}>
      {count > 0 && <p>{t('entry.changes', { count })}</p>}
      {uploads > 0 && <p>{t('leaving.uploads', { count: uploads })}</p>}
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
