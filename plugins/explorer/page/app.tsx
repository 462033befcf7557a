import { useEffect } from 'preact/hooks'
import { Builder } from './builder.js'
import { Header } from './header.js'
import { Response } from './response.js'
import { Sidebar } from './sidebar.js'
import { SignIn } from './sign-in.js'
import { failure, phase, send, start } from './store.js'

export function App() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the request
      </button>
      <Header />
      <Content />
    </>
  )
}

const skip = () => document.getElementById('builder')?.focus()

function Content() {
  if (phase.value === 'loading')
    return (
      <main class="message">
        <h1>Explorer</h1>
        <p role="status">Loading the content types…</p>
      </main>
    )
  if (phase.value === 'locked')
    return (
      <main class="message">
        <h1>Sign in</h1>
        <p role="status">{failure.value}</p>
        <SignIn />
      </main>
    )
  if (phase.value === 'failed')
    return (
      <main class="message">
        <h1>The explorer could not start</h1>
        <p role="alert">{failure.value}</p>
        <button type="button" class="button" onClick={() => void start()}>
          Try again
        </button>
      </main>
    )
  return (
    <div class="columns">
      <Sidebar />
      <Builder />
      <Response />
    </div>
  )
}
