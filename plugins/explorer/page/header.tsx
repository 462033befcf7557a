import { signal } from '@preact/signals'
import { Dialog } from '../../pages/page/dialog.js'
import { SignIn } from './sign-in.js'
import { model, phase, session, signIn } from './store.js'

const isOpen = signal(false)

export function Header() {
  const app = model.value?.meta.app
  return (
    <header class="bar">
      <strong class="brand">{app?.name ?? 'stele'}</strong>
      {app && (
        <span class="quiet">
          stele {app.version} · {app.environment}
        </span>
      )}
      <span class="spread" />
      {phase.value === 'ready' && <Who />}
    </header>
  )
}

/** The account that requests are sent as, and the way to change it. */
function Who() {
  const who = session.value
  const close = () => {
    isOpen.value = false
  }
  const open = () => {
    isOpen.value = true
  }
  return (
    <>
      <span class="who">
        Requests as <b>{who?.name ?? 'anonymous'}</b>
      </span>
      {who ? (
        <button type="button" class="button" onClick={() => void signIn(undefined)}>
          Sign out
        </button>
      ) : (
        <button type="button" class="button" onClick={open}>
          Sign in
        </button>
      )}
      {isOpen.value && (
        <Dialog title="Sign in" onClose={close}>
          <SignIn onDone={close} />
        </Dialog>
      )}
    </>
  )
}
