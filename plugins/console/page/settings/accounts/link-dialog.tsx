import { Dialog } from '../../../../pages/page/dialog.js'
import { exactTime } from '../../../model/when.js'
import { language, t } from '../../text.js'
import { Copied } from '../copied.js'
import { nameOf, type SentLink } from './model.js'

/** A link for the owner of an account, which was not sent. */
export function LinkShown({ link, onClose }: { link: SentLink; onClose: () => void }) {
  const { account, address, expires } = link
  const until = exactTime(new Date(expires), language())
  return (
    <>
      <p>{t('accounts.link.text', { email: account.email, until })}</p>
      <Copied label={t('accounts.link')} text={address ?? ''} />
      <div class="row dialog-buttons">
        <button type="button" class="button primary" onClick={onClose}>
          {t('settings.done')}
        </button>
      </div>
    </>
  )
}

export const LinkDialog = ({ link, onClose }: { link: SentLink; onClose: () => void }) => (
  <Dialog title={t('accounts.link.for', { name: nameOf(link.account) })} closeLabel={t('close')} onClose={onClose}>
    <LinkShown link={link} onClose={onClose} />
  </Dialog>
)
