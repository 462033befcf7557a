import { Dialog } from '../../../pages/page/dialog.js'
import { sessionIs } from '../api.js'
import { base } from '../shell/address.js'
import { meta } from '../shell/session.js'
import { t } from '../text.js'
import { SignIn } from './sign-in.js'

/** The sign-in above the page, for the same account: nothing on the page is lost. */
export function EndedSession() {
  const email = meta.value?.account.email
  return (
    <Dialog title={t('signIn.ended')} closeLabel={t('close')} onClose={() => sessionIs(false)}>
      <p class="quiet">{t('signIn.ended.text')}</p>
      <SignIn {...(email !== undefined && { email })} />
      {/* A page that is loaded again asks for any account. */}
      <button type="button" class="text-button" onClick={() => location.assign(base)}>
        {t('signIn.other')}
      </button>
    </Dialog>
  )
}
