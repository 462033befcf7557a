import type { Signal } from '@preact/signals'
import { t } from '../text.js'

/** A text that the types in a table are filtered by. */
export function FilterBox({ text }: { text: Signal<string> }) {
  return (
    <input
      type="search"
      aria-label={t('actions.filter')}
      placeholder={t('actions.filter')}
      value={text.value}
      onInput={event => {
        text.value = event.currentTarget.value
      }}
    />
  )
}
