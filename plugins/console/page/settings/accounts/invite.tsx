import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { Problems, useSending } from '../sending.js'
import { AccountFields, labels, sentOf } from './fields.js'
import { LinkShown } from './link-dialog.js'
import { type AllAccounts, accountsUrl, type SentLink } from './model.js'

/** Invites an editor: by mail, or by a link that is shown. */
export function InviteDialog({ all, onMade, onClose }: { all: AllAccounts; onMade: () => void; onClose: () => void }) {
  const typed = {
    ...{ firstname: useSignal(''), lastname: useSignal(''), email: useSignal('') },
    roles: useSignal<readonly string[]>([]),
  }
  const made = useSignal<SentLink | undefined>(undefined)
  const sending = useSending()
  const submit = async (event: Event) => {
    event.preventDefault()
    const reply = await sending.send({ method: 'POST', url: accountsUrl, body: sentOf(typed) })
    if (!reply) return
    const link = reply.body as SentLink
    onMade()
    if (link.address !== null) {
      made.value = link
      return
    }
    say(t('accounts.invited', { email: link.account.email }))
    onClose()
  }
  return (
    <Dialog title={t('accounts.invite')} closeLabel={t('close')} onClose={onClose}>
      {made.value ? (
        <LinkShown link={made.value} onClose={onClose} />
      ) : (
        <form class="settings-form" aria-label={t('accounts.invite')} onSubmit={event => void submit(event)}>
          <AccountFields typed={typed} roles={all.roles} />
          <p class="quiet">{t(all.linksAreSent ? 'accounts.invite.mail' : 'accounts.invite.link')}</p>
          <Problems of={sending} labels={labels()} />
          <div class="row dialog-buttons">
            <button type="button" class="button" onClick={onClose}>
              {t('cancel')}
            </button>
            <button type="submit" class="button primary" disabled={sending.isSending}>
              {t('accounts.invite')}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
