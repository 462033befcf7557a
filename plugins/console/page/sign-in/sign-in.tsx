import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { base } from '../shell/address.js'
import { Brand } from '../shell/brand.js'
import { signedIn } from '../shell/session.js'
import { t } from '../text.js'
import { useAttempt } from './attempt.js'
import { PasswordField, TextField } from './field.js'
import { Problem } from './problem.js'

export function SignInPage() {
  useEffect(() => {
    document.title = t('signIn')
  }, [])
  return (
    <main class="message">
      <Brand />
      <h1>{t('signIn')}</h1>
      <SignIn />
    </main>
  )
}

/** The form of the sign-in; with an address, for that account alone. */
export function SignIn({ email: fixed }: { email?: string }) {
  const email = useSignal(fixed ?? '')
  const password = useSignal('')
  const keep = useSignal(false)
  const attempt = useAttempt(t('signIn.wrong'))
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { email: email.value, password: password.value, keep: keep.value }
    if (!(await attempt.post(`${base}/session`, body))) return
    await signedIn()
    // In a dialog, the focus goes back to where it was.
    if (fixed === undefined) document.querySelector<HTMLElement>('main h1')?.focus()
  }
  return (
    <form class="sign-in" onSubmit={event => void submit(event)}>
      <TextField
        type="email"
        label={t('signIn.email')}
        complete="username"
        value={email.value}
        isFixed={fixed !== undefined}
        onType={value => {
          email.value = value
        }}
      />
      <PasswordField
        label={t('signIn.password')}
        complete="current-password"
        value={password.value}
        onType={value => {
          password.value = value
        }}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={keep.value}
          onChange={event => {
            keep.value = event.currentTarget.checked
          }}
        />
        {t('signIn.keep')}
      </label>
      <Problem attempt={attempt} />
      <div class="row">
        <button type="submit" class="button primary" disabled={attempt.isSending || attempt.wait > 0}>
          {t('signIn')}
        </button>
        {fixed === undefined && <a href={`${base}/password`}>{t('signIn.forgot')}</a>}
      </div>
    </form>
  )
}
