import type { EntryStore } from '../entry/store/store.js'
import { StateMark } from '../list/state-mark.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { closeBeside, openBeside } from './open-beside.js'

export function languageName({ languages, locale }: EntryStore): string {
  const code = locale.value
  return languages.find(one => one.code === code)?.name ?? String(code)
}

/** The language that stands beside the form, and the way back to the form alone. What is not saved there keeps it. */
export function OtherBar({ store, other }: { store: EntryStore; other: EntryStore }) {
  const { languages } = store
  const found = (store.head.value?.localizations ?? []).map(({ locale }) => String(locale))
  const isFree = () => {
    if (other.changes.peek() === 0) return true
    say(t('together.unsaved', { name: languageName(other) }))
    return false
  }
  return (
    <div class="row">
      <label>
        <span class="hidden">{t('together.with')}</span>
        <select
          value={other.locale.value ?? ''}
          onChange={async event => {
            const select = event.currentTarget
            const isOpen = isFree() && (await openBeside(store, select.value))
            if (!isOpen) select.value = other.locale.peek() ?? ''
          }}
        >
          {languages
            .filter(({ code }) => found.includes(code))
            .map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </select>
      </label>
      {other.type.options.drafts && <StateMark values={{ ...other.head.value }} />}
      <button type="button" class="text-button" onClick={() => isFree() && closeBeside(store)}>
        {t('together.close')}
      </button>
    </div>
  )
}
