import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { isEnded, isOffline, retryNow } from '../api.js'
import { Progress } from '../list/progress.js'
import { EndedSession } from '../sign-in/ended-session.js'
import { t } from '../text.js'
import { Header } from './header.js'
import { Messages } from './messages.js'
import { Navigation } from './navigation.js'
import { path } from './session.js'

/** The frame of all views: navigation, header, messages, and the view. */
export function Shell({ children }: { children: ComponentChildren }) {
  const navigation = useId()
  const isOpen = useSignal(false)
  const at = path.value
  // The navigation of a narrow screen has done its work when another view is there.
  useEffect(() => {
    isOpen.value = false
  }, [at])
  const skip = () => document.querySelector<HTMLElement>('main h1')?.focus()
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {t('shell.skip')}
      </button>
      <div class="shell">
        <div class="side-bar">
          <Navigation id={navigation} isOpen={isOpen.value} />
        </div>
        <div class="work">
          <Header
            navigation={navigation}
            isOpen={isOpen.value}
            onToggle={() => {
              isOpen.value = !isOpen.value
            }}
          />
          <Offline />
          <main>{children}</main>
          <Progress />
        </div>
      </div>
      <Messages />
      {isEnded.value && <EndedSession />}
    </>
  )
}

function Offline() {
  if (!isOffline.value) return null
  return (
    <p class="offline" role="alert">
      {t('offline')}{' '}
      <button type="button" class="text-button" onClick={retryNow}>
        {t('offline.retry')}
      </button>
    </p>
  )
}
