import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
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
  const dialog = useRef<HTMLDialogElement>(null)
  const who = session.value
  const close = () => {
    dialog.current?.close()
    isOpen.value = false
  }
  const open = () => {
    isOpen.value = true
    dialog.current?.showModal()
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
      <dialog ref={dialog} aria-labelledby="sign-in-title" onClose={close}>
        <h2 id="sign-in-title">Sign in</h2>
        {isOpen.value && <SignIn onDone={close} />}
        <button type="button" class="icon close" aria-label="Close" onClick={close}>
          <span aria-hidden="true">×</span>
        </button>
      </dialog>
    </>
  )
}
