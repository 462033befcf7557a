import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Combobox } from '../../../pages/page/combobox.js'
import { Dialog } from '../../../pages/page/dialog.js'
import { isDone } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import { entriesAt } from '../../model/form/read.js'
import type { TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { t } from '../text.js'
import { go } from './address.js'
import { addressOfEntry, addressOfType } from './routes.js'
import { listedTypes, meta } from './session.js'

/** A place in the console. */
interface Goal {
  readonly to: string
  readonly title: string
  /** The type of an entry. */
  readonly type?: string
}

/** Opens a dialog that leads to types, and to entries by their titles. */
export function GoTo() {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      isOpen.value = true
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <>
      <button
        type="button"
        class="button go-to"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t('goTo')}
      </button>
      {isOpen.value && (
        <Dialog title={t('goTo')} closeLabel={t('close')} onClose={close}>
          <Combobox
            label={t('goTo.what')}
            placeholder={t('goTo.what')}
            listLabel={t('goTo.found')}
            nothing={t('filters.found')}
            search={search}
            keyOf={({ to }) => to}
            show={({ title, type }) => (
              <>
                <span dir="auto">{title}</span> {type !== undefined && <span class="quiet">{type}</span>}
              </>
            )}
            onPick={({ to }) => {
              close()
              go(to)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** Types that are searched at once, and entries that are read of each. */
const mostTypes = 8
const mostEntries = 3

async function search(text: string): Promise<readonly Goal[]> {
  const types = listedTypes.value
  const found = types
    .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
    .map((type): Goal => ({ to: addressOfType(type), title: type.name }))
  if (text === '') return found
  const entries = await Promise.all(
    types
      .filter(isSearched)
      .slice(0, mostTypes)
      .map(type => entriesOf(type, text)),
  )
  return [...found, ...entries.flat()]
}

/** Types whose titles a search finds by an index or by their beginning: neither reads all entries. */
const isSearched = ({ kind, isBare, search, attributes, layout }: TypeMeta): boolean =>
  kind === 'collectionType' &&
  !isBare &&
  (search.length > 0 ||
    attributes.some(one => one.kind === 'field' && one.family === 'text' && one.name === layout.settings.mainField))

async function entriesOf(type: TypeMeta, text: string): Promise<readonly Goal[]> {
  const { mainField } = type.layout.settings
  const url = withQuery(`${meta.value?.app.api}${type.path}`, {
    fields: ['id', mainField],
    ...(type.search.length > 0 ? { _q: text } : { filters: { [mainField]: { $startsWithi: text } } }),
    ...(type.options.drafts && { publicationState: 'preview' }),
    pagination: { start: 0, limit: mostEntries, withCount: false },
  })
  const reply = await ask({ url })
  if (!isDone(reply)) return []
  return entriesAt(reply.body).map(entry => {
    const to = addressOfEntry(type, Number(entry.id))
    return { to, title: String(entry[mainField] ?? `#${entry.id}`), type: type.name }
  })
}
