import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { AskDiscard } from '../../shell/ask-discard.js'
import { t } from '../../text.js'

/** A dialog whose form is drawn, and which asks before what was typed into it is discarded. */
export function FormDialog({
  title,
  values,
  problem = '',
  submit,
  onClose,
  children,
}: {
  title: string
  /** All that can be typed. */
  values: () => unknown
  problem?: string
  submit: () => void
  onClose: () => void
  children: ComponentChildren
}) {
  const isAsking = useSignal(false)
  const opened = useRef(JSON.stringify(values()))
  const close = () => {
    if (JSON.stringify(values()) === opened.current) onClose()
    else isAsking.value = true
  }
  if (isAsking.value)
    return (
      <AskDiscard
        key="asking"
        text={t('settings.unsaved')}
        onStay={() => {
          isAsking.value = false
        }}
        onDiscard={onClose}
      />
    )
  return (
    <Dialog key="form" title={title} closeLabel={t('close')} onClose={close}>
      <form
        class="settings-form schema-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        {children}
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="button primary">
            {t('schema.take')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
