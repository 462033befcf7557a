import { Dialog } from '../../../pages/page/dialog.js'
import { t } from '../text.js'
import { signingOut } from './session.js'

/** Asks before signing out removes changes that were not saved. */
export function SigningOut() {
  const asked = signingOut.value
  if (!asked) return null
  const stay = () => asked.decide(false)
  return (
    <Dialog title={t('signingOut')} closeLabel={t('close')} onClose={stay}>
      <p>{t('signingOut.text')}</p>
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={stay}>
          {t('leaving.stay')}
        </button>
        <button type="button" class="button danger" onClick={() => asked.decide(true)}>
          {t('signingOut.do')}
        </button>
      </div>
    </Dialog>
  )
}
