import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { t } from '../../text.js'

interface LinkProps {
  /** The address of the link at the caret. */
  readonly url: string | undefined
  readonly onSet: (url: string) => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** Asks for the address of a link. */
export function LinkDialog({ url, onSet, onRemove, onClose }: LinkProps) {
  const text = useSignal(url ?? '')
  const problem = useSignal<string | undefined>(undefined)
  const id = useId()
  const submit = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    const found = addressIn(text.value)
    if (found === undefined) problem.value = t('blocks.link.wrong')
    else onSet(found)
  }
  return (
    <Dialog title={t('blocks.link')} closeLabel={t('close')} onClose={onClose}>
      <form class="link-form" noValidate onSubmit={submit}>
        <label for={id}>{t('blocks.link.address')}</label>
        <input
          id={id}
          type="text"
          inputMode="url"
          autocomplete="off"
          autofocus
          aria-invalid={problem.value === undefined ? undefined : 'true'}
          aria-describedby={problem.value === undefined ? undefined : `${id}-problem`}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
        {problem.value !== undefined && (
          <p class="problem" id={`${id}-problem`} role="alert">
            {problem.value}
          </p>
        )}
        <div class="row dialog-buttons">
          {url !== undefined && (
            <button type="button" class="button" onClick={onRemove}>
              {t('blocks.link.remove')}
            </button>
          )}
          <button type="submit" class="button primary">
            {t('blocks.link.set')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The address that was meant, undefined if it is none, or could be a script. */
function addressIn(typed: string): string | undefined {
  const text = typed.trim()
  if (/^(https?:\/\/|mailto:|tel:|[/#?])\S/i.test(text)) return text
  if (/^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(text)) return `mailto:${text}`
  return /^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(text) ? `https://${text}` : undefined
}
