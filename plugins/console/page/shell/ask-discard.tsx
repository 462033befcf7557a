import { t } from '../text.js'
import { Ask } from './ask.js'

interface AskProps {
  readonly title?: string
  /** A sentence on the changes that would be lost. */
  readonly text: string
  readonly onStay: () => void
  readonly onDiscard: () => void
}

/** Asks before what was typed into a dialog is discarded, or a view is reset. */
export function AskDiscard({ title, text, onStay, onDiscard }: AskProps) {
  return (
    <Ask
      title={title ?? t('leaving')}
      label={title ?? t('leaving.discard')}
      stay={title === undefined ? t('leaving.stay') : t('cancel')}
      onDo={onDiscard}
      onClose={onStay}
    >
      <p>{text}</p>
    </Ask>
  )
}
