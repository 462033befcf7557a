import { effect, signal } from '@preact/signals'
import { t } from '../text.js'

const schemes = ['auto', 'light', 'dark'] as const
type Scheme = (typeof schemes)[number]

const place = 'stele-console-colours'
const scheme = signal<Scheme>(schemes.find(known => known === localStorage.getItem(place)) ?? 'auto')

effect(() => {
  const chosen = scheme.value
  document.documentElement.dataset.scheme = chosen
  if (chosen === 'auto') localStorage.removeItem(place)
  else localStorage.setItem(place, chosen)
})

/** The colours of the page: those of the system, or always the same. */
export function SchemeChoice() {
  return (
    <fieldset class="choices">
      <legend>{t('account.colours')}</legend>
      {schemes.map(one => (
        <label key={one} class="check">
          <input
            type="radio"
            name="colours"
            checked={scheme.value === one}
            onChange={() => {
              scheme.value = one
            }}
          />
          {t(`account.colours.${one}`)}
        </label>
      ))}
    </fieldset>
  )
}
