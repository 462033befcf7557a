import { failureNumber } from './api.js'
import { say } from './shell/messages.js'
import { t } from './text.js'

/** The reason of a failure; the number under which the log of the server has it can be copied. */
export function FailureText({ text }: { text: string }) {
  const number = failureNumber.value
  if (number === undefined || !text.includes(number)) return <>{text}</>
  const copy = async () => {
    // Without TLS browsers have no clipboard for pages: the number stands there to be selected.
    await navigator.clipboard?.writeText(number).then(
      () => say(t('failed.copied')),
      () => undefined,
    )
  }
  return (
    <>
      {text}{' '}
      <button type="button" class="text-button" aria-label={t('failed.copyNumber')} onClick={() => void copy()}>
        {t('failed.copy')}
      </button>
    </>
  )
}
