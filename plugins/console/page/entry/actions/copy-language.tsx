import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import { isDone } from '../../../../pages/page/request.js'
import { copyOf } from '../../../model/form/copy.js'
import type { PlainItem } from '../../../model/form/plain.js'
import { entryOf, plainOf } from '../../../model/form/read.js'
import { ask } from '../../api.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import type { EntryPlace } from '../store/requests.js'
import type { EntryStore } from '../store/store.js'

interface OtherLanguage {
  readonly code: string
  readonly name: string
  readonly place: EntryPlace
}

/** The languages that an entry has beside that of the form. */
export function otherLanguages({ type, languages, head, place, locale }: EntryStore): readonly OtherLanguage[] {
  if (!type.options.localized) return []
  const { of } = place.value
  const nameOf = (code: string) => languages.find(one => one.code === code)?.name ?? code
  const others = (head.value?.localizations ?? []).map(({ id, locale }) => ({ id: Number(id), code: String(locale) }))
  const found = others.map(({ id, code }) => ({ code, name: nameOf(code), place: { id, locale: code } }))
  // A new language has none yet, and is one of an entry.
  const usual = languages.find(({ isDefault }) => isDefault)
  const source =
    of !== undefined && usual && usual.code !== locale.value
      ? [{ ...usual, place: { id: of, locale: usual.code } }]
      : []
  return [...found, ...(head.value ? [] : source)]
}

/** Replaces what differs between languages by what another one has. */
export function CopyLanguage({ store, onClose }: { store: EntryStore; onClose: () => void }) {
  const others = otherLanguages(store)
  const chosen = useSignal(others[0]?.code ?? '')
  const copy = async (event: Event) => {
    event.preventDefault()
    const other = others.find(({ code }) => code === chosen.value)
    onClose()
    if (other && !(await copyFrom(store, other.place))) say(t('failed'))
  }
  return (
    <Dialog title={t('entry.copyLanguage')} closeLabel={t('close')} onClose={onClose}>
      <form onSubmit={event => void copy(event)}>
        <label class="row">
          {t('list.language')}{' '}
          <select
            value={chosen.value}
            onChange={event => {
              chosen.value = event.currentTarget.value
            }}
          >
            {others.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p class="quiet">{t('entry.copyLanguage.text')}</p>
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="button primary">
            {t('entry.copy')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

async function copyFrom(store: EntryStore, place: EntryPlace): Promise<boolean> {
  const { kinds, type, requests, form } = store
  const reply = await ask({ url: requests.entry(place) })
  const entry = isDone(reply) ? entryOf(reply.body) : undefined
  const current = form.peek()
  if (!entry || !current) return false
  const { plain } = copyOf(kinds, plainOf(kinds, type.uid, entry))
  const mine = current.root.plain()
  const own = kinds.shown(type.uid).filter(({ localized, type }) => localized === true && type !== 'uid')
  const writable = own.filter(({ name }) => current.root.nodes.get(name)?.canWrite)
  const values = writable.flatMap(({ name }) => (plain.values[name] ? [[name, plain.values[name]] as const] : []))
  const merged: PlainItem = { ...mine, values: { ...mine.values, ...Object.fromEntries(values) } }
  store.show(merged)
  return true
}
