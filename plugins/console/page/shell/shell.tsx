import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { isEnded, isOffline, retryNow } from '../api.js'
import { Progress } from '../list/progress.js'
import { EndedSession } from '../sign-in/ended-session.js'
import { t } from '../text.js'
import { Header } from './header.js'
import { hearLetters, hearRegions, isShowingKeys } from './keys.js'
import { lazy } from './lazy.js'
import { Messages } from './messages.js'
import { isFolded, Navigation } from './navigation.js'
import { path } from './session.js'
import { SigningOut } from './signing-out.js'

const KeyTable = lazy(() => import('./key-table.js').then(part => part.KeyTable))

/** The frame of all views: navigation, header, messages, and the view. */
export function Shell({ children }: { children: ComponentChildren }) {
  const navigation = useId()
  const isOpen = useSignal(false)
  const at = path.value
  const close = () => {
    isOpen.value = false
  }
  // The navigation of a narrow screen has done its work when another view is there.
  useEffect(close, [at])
  useEffect(() => hearRegions(), [])
  useEffect(
    () =>
      hearLetters({
        '?': () => {
          isShowingKeys.value = true
        },
      }),
    [],
  )
  const skip = () => document.querySelector<HTMLElement>('main h1')?.focus()
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {t('shell.skip')}
      </button>
      <div class={isFolded.value ? 'shell folded' : 'shell'}>
        {/* A link may lead to the view that is there already, or to other entries in it. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it hears links in it */}
        <div class="side-bar" onClick={({ target }) => target instanceof Element && target.closest('a') && close()}>
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
      {isShowingKeys.value && <KeyTable />}
      {isEnded.value && <EndedSession />}
      <SigningOut />
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
