import { useSignal } from '@preact/signals'
import { base } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { PasswordField } from '../../sign-in/field.js'
import { t } from '../../text.js'
import { Problems, useSending } from '../sending.js'

/** Changes the own password: who is at the screen has to know the present one. */
export function PasswordForm() {
  const [current, password] = [useSignal(''), useSignal('')]
  const sending = useSending()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { current: current.value, password: password.value }
    if (!(await sending.send({ method: 'POST', url: `${base}/password`, body }))) return
    current.value = ''
    password.value = ''
    say(t('profile.password.saved'))
  }
  const labels = { current: t('profile.password.current'), password: t('profile.password.new') }
  return (
    <form class="settings-form" aria-label={t('profile.password')} onSubmit={event => void submit(event)}>
      <PasswordField
        label={labels.current}
        complete="current-password"
        value={current.value}
        onType={value => {
          current.value = value
        }}
      />
      <PasswordField
        label={labels.password}
        complete="new-password"
        note={t('link.rules')}
        value={password.value}
        onType={value => {
          password.value = value
        }}
      />
      <Problems of={sending} labels={labels} />
      <button type="submit" class="button" disabled={sending.isSending}>
        {t('profile.password.save')}
      </button>
    </form>
  )
}
