import { useId, useRef } from 'preact/hooks'
import { say } from '../shell/messages.js'
import { t } from '../text.js'

/** A text to be copied. */
export function Copied({ label, text, rows = 3 }: { label: string; text: string; rows?: number }) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const copy = async () => {
    // Without TLS the browser has no clipboard: the text is chosen, to be copied by hand.
    box.current?.select()
    await navigator.clipboard?.writeText(text).then(
      () => say(t('settings.copied', { label })),
      () => undefined,
    )
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="copied">
        <textarea id={id} ref={box} class="code" readOnly rows={rows} value={text} />
        <button type="button" class="button" aria-label={t('settings.copyOf', { label })} onClick={() => void copy()}>
          {t('settings.copy')}
        </button>
      </span>
    </div>
  )
}
