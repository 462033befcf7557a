import { t } from '../text.js'
import type { Attempt } from './attempt.js'

/** The reason why a form is not sent. Seconds count down for the eye alone: a screen reader would say each of them. */
export function Problem({ attempt: { problem, wait } }: { attempt: Attempt }) {
  if (wait > 0)
    return (
      <>
        <p role="alert" class="hidden">
          {t('signIn.tooMany')}
        </p>
        <p class="error">{t('signIn.wait', { count: wait })}</p>
      </>
    )
  return (
    <p role="alert" class="error" hidden={problem === ''}>
      {problem}
    </p>
  )
}
