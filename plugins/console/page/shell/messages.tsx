import { signal } from '@preact/signals'
import { Icon } from '../../../pages/page/controls.js'
import { t } from '../text.js'

const message = signal('')
let waiting: ReturnType<typeof setTimeout> | undefined
let last = 0

/** Says something in the status region, at most once a second: the last of several is said. */
export function say(text: string): void {
  clearTimeout(waiting)
  const rest = Math.max(0, last + 1000 - Date.now())
  waiting = setTimeout(() => {
    last = Date.now()
    message.value = text
  }, rest)
}

export function Messages() {
  const text = message.value
  const dismiss = () => {
    message.value = ''
  }
  return (
    <div class="messages">
      <p role="status" aria-label={t('shell.messages')} class={text === '' ? 'no-message' : 'message-text'}>
        {text}
      </p>
      {text !== '' && <Icon label={t('shell.dismiss')} sign="×" onClick={dismiss} />}
    </div>
  )
}
