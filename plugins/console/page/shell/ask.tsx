import type { ComponentChildren } from 'preact'
import { Dialog } from '../../../pages/page/dialog.js'
import { t } from '../text.js'

interface AskProps {
  readonly title: string
  /** The button that does it. */
  readonly label: string
  /** The button that leaves everything as it is. */
  readonly stay?: string
  readonly isDisabled?: boolean
  readonly onDo: () => void
  readonly onClose: () => void
  /** The loss that it asks about, or the consequence. */
  readonly children: ComponentChildren
}

/** Asks before something is done that takes something away. */
export function Ask({ title, label, stay = t('cancel'), isDisabled = false, onDo, onClose, children }: AskProps) {
  return (
    <Dialog title={title} closeLabel={t('close')} onClose={onClose}>
      {children}
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={onClose}>
          {stay}
        </button>
        <button type="button" class="button danger" disabled={isDisabled} onClick={onDo}>
          {label}
        </button>
      </div>
    </Dialog>
  )
}
