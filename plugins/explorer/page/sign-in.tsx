import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { authenticate } from './api.js'
import { model, type Session, signIn } from './store.js'

/** The usual path for signing in, while the app's own is unknown: without the permission to see its description, sign-in comes first. */
const usual = '/api/auth/local'

/** With an account, or with a token that is pasted. */
export function SignIn({ onDone }: { onDone?: () => void }) {
  const error = useSignal('')
  const meta = model.value?.meta
  const path = meta ? meta.signIn : usual
  const done = async (found: Session) => {
    onDone?.()
    await signIn(found)
  }
  return (
    <div class="sign-in">
      {path !== undefined && <Account path={path} onDone={done} onError={message => (error.value = message)} />}
      <Token onDone={done} />
      {error.value && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
      <p class="quiet">Both are kept in memory only: reloading the page signs you out.</p>
    </div>
  )
}

function Account({
  path,
  onDone,
  onError,
}: {
  path: string
  onDone: (found: Session) => void
  onError: (message: string) => void
}) {
  const name = useId()
  const password = useId()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const found = await authenticate(path, String(form.get('identifier')), String(form.get('password')))
    if (typeof found === 'string') onError(found)
    else onDone(found)
  }
  return (
    <form onSubmit={submit}>
      <label for={name}>Name or e-mail address</label>
      <input id={name} name="identifier" autocomplete="username" required />
      <label for={password}>Password</label>
      <input id={password} name="password" type="password" autocomplete="current-password" required />
      <button type="submit" class="button primary">
        Sign in
      </button>
    </form>
  )
}

function Token({ onDone }: { onDone: (found: Session) => void }) {
  const id = useId()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const token = String(new FormData(event.currentTarget as HTMLFormElement).get('token')).trim()
    if (token !== '') onDone({ token, name: `token …${token.slice(-4)}` })
  }
  return (
    <form onSubmit={submit}>
      <label for={id}>Token</label>
      <input id={id} name="token" autocomplete="off" spellcheck={false} required />
      <button type="submit" class="button">
        Use the token
      </button>
    </form>
  )
}
