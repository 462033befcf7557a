import { useSignal } from '@preact/signals'
import { say } from '../../shell/messages.js'
import { mayIn } from '../../shell/sections.js'
import { t } from '../../text.js'
import { DeleteButton } from '../delete-button.js'
import { Problems, useSending } from '../sending.js'
import { LinkDialog } from './link-dialog.js'
import { type Account, mayChange, nameOf, type SentLink, urlOf } from './model.js'

/** The buttons for one account of another person. */
export function AccountActions({ account, onChange }: { account: Account; onChange: () => void }) {
  const { state, isLast, email } = account
  const sending = useSending()
  const link = useSignal<SentLink | undefined>(undefined)
  const url = urlOf(account.id)
  const name = nameOf(account)
  const renew = async () => {
    const reply = await sending.send({ method: 'POST', url: `${url}/link` })
    if (!reply) return
    const made = reply.body as SentLink
    if (made.address === null) say(t('accounts.link.sent', { email }))
    else link.value = made
    onChange()
  }
  const block = async (blocked: boolean) => {
    if (!(await sending.send({ method: 'PUT', url, body: { blocked } }))) return
    say(t(blocked ? 'accounts.blocked' : 'accounts.unblocked', { name }))
    onChange()
  }
  const signOut = async () => {
    if (!(await sending.send({ method: 'DELETE', url: `${url}/sessions` }))) return
    say(t('accounts.signedOut', { name }))
    onChange()
  }
  const button = (label: string, act: () => unknown) => (
    <button type="button" class="button" disabled={sending.isSending} onClick={() => void act()}>
      {label}
    </button>
  )
  const isOpen = mayChange(account) && !isLast
  return (
    <div class="row">
      {isOpen && state === 'active' && button(t('accounts.signOut'), signOut)}
      {isOpen && state === 'active' && button(t('accounts.newPassword'), renew)}
      {isOpen && state === 'invited' && button(t('accounts.inviteAgain'), renew)}
      {isOpen &&
        button(t(state === 'blocked' ? 'accounts.unblock' : 'accounts.block'), () => block(state !== 'blocked'))}
      {mayIn('accounts', 'delete') && account.mayChange && !isLast && (
        <DeleteButton
          url={url}
          title={t('accounts.delete', { name })}
          text={t('accounts.delete.text')}
          done={t('accounts.deleted', { name })}
          section="accounts"
        />
      )}
      <Problems of={sending} />
      {link.value && (
        <LinkDialog
          link={link.value}
          onClose={() => {
            link.value = undefined
          }}
        />
      )}
    </div>
  )
}
