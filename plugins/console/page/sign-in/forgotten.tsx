import { useSignal } from '@preact/signals'
import { base } from '../shell/address.js'
import { t } from '../text.js'
import { useAttempt } from './attempt.js'
import { TextField } from './field.js'
import { Problem } from './problem.js'

/** Asks for a mail with a link. It does not tell whether there is such an account. */
export function Forgotten() {
  const email = useSignal('')
  const isSent = useSignal(false)
  const attempt = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await attempt.post(`${base}/password/forgotten`, { email: email.value })) isSent.value = true
  }
  return (
    <form class="sign-in" onSubmit={event => void submit(event)}>
      <h1>{t('link.password')}</h1>
      <TextField
        type="email"
        label={t('signIn.email')}
        complete="username"
        value={email.value}
        onType={value => {
          email.value = value
        }}
      />
      <Problem attempt={attempt} />
      <p role="status">{isSent.value ? t('link.password.sent') : ''}</p>
      <div class="row">
        <button type="submit" class="button primary" disabled={attempt.isSending || attempt.wait > 0}>
          {t('link.password.send')}
        </button>
        <a href={base}>{t('signIn')}</a>
      </div>
    </form>
  )
}
