import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { meta } from '../shell/session.js'
import { t } from '../text.js'
import { rendered } from './rendered.js'
import { tokensOf } from './tokens.js'

/** Milliseconds without a key after which the preview follows the text. */
const pause = 150

/** A Markdown text as readers see it, without the styles of their site. */
export function Preview({ text, label }: { text: string; label: string }) {
  const shown = useSignal(text)
  useEffect(() => {
    const waiting = setTimeout(() => {
      shown.value = text
    }, pause)
    return () => clearTimeout(waiting)
  }, [text])
  const pictures = meta.value?.app.files ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has nothing else to reach by keys
    <section class="preview" aria-label={t('richText.previewOf', { label })} dir="auto" tabIndex={0}>
      {shown.value.trim() === '' ? (
        <p class="quiet">{t('richText.empty')}</p>
      ) : (
        rendered(tokensOf(shown.value), { page: location.href, pictures })
      )}
    </section>
  )
}
