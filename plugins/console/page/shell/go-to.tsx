import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Combobox } from '../../../pages/page/combobox.js'
import { Dialog } from '../../../pages/page/dialog.js'
import { isDone } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import { titleIn } from '../../model/extensions.js'
import { entriesAt } from '../../model/form/read.js'
import { wordsTyped } from '../../model/list/requests.js'
import type { TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { language, t } from '../text.js'
import { go } from './address.js'
import { hasDialog } from './keys.js'
import { recentFirst } from './recent.js'
import {
  addressOfEntry,
  addressOfLayout,
  addressOfMedia,
  addressOfPage,
  addressOfSchema,
  addressOfSection,
  addressOfType,
} from './routes.js'
import { mayConfigure, openSections } from './sections.js'
import { hasMedia, isSuperAdmin, listedTypes, meta } from './session.js'

/** A place in the console. */
interface Goal {
  readonly to: string
  readonly title: string
  /** The type of an entry, or what else the goal is part of. */
  readonly type?: string
}

/** Opens a dialog that leads to types, sections of the settings, and entries by their titles. */
export function GoTo() {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!hasDialog()) isOpen.value = true
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

/** The requests of the text that was searched for last. */
let asked = new AbortController()

/** Types that are searched at once, and entries that are read of each. */
const mostTypes = 8
const mostEntries = 3

async function search(text: string): Promise<readonly Goal[]> {
  asked.abort()
  asked = new AbortController()
  const { signal } = asked
  const types = recentFirst(listedTypes.value)
  const creatable = types.filter(({ kind, can }) => kind === 'collectionType' && can.create !== null)
  const places = [
    ...types.map((type): Goal => ({ to: addressOfType(type), title: type.name })),
    ...(text === '' ? [] : creatable).map((type): Goal => {
      return { to: `${addressOfType(type)}/new`, title: t('goTo.new', { type: type.name }), type: t('goTo.action') }
    }),
    ...viewsOf(types),
    ...(meta.value?.extensions.pages ?? []).map(
      (page): Goal => ({ to: addressOfPage(page.path), title: titleIn(page.title, language()) }),
    ),
    ...(hasMedia.value ? [{ to: addressOfMedia, title: t('nav.media') }] : []),
    ...(isSuperAdmin.value ? [{ to: addressOfSchema(), title: t('schema') }] : []),
    ...openSections.value.map(
      (name): Goal => ({ to: addressOfSection(name), title: t(`settings.${name}`), type: t('nav.settings') }),
    ),
    ...(text === '' ? [] : types.filter(mayConfigure)).map(
      (type): Goal => ({ to: addressOfLayout(type.singular), title: t('layout', { type: type.name }) }),
    ),
  ]
  const found = places.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
  if (text === '') return found
  const entries = await Promise.all(
    types
      .filter(isSearched)
      .slice(0, mostTypes)
      .map(type => entriesOf(type, text, signal)),
  )
  return [...found, ...entries.flat()]
}

/** The saved views of types. */
const viewsOf = (types: readonly TypeMeta[]): readonly Goal[] =>
  types.flatMap(type =>
    (meta.value?.views ?? [])
      .filter(({ uid }) => uid === type.uid)
      .map(({ name, query }) => ({ to: `${addressOfType(type)}?${query}`, title: name, type: type.name })),
  )

/** Types whose titles a search finds by an index or by their beginning: neither reads all entries. */
const isSearched = ({ kind, isBare, search, attributes, layout }: TypeMeta): boolean =>
  kind === 'collectionType' &&
  !isBare &&
  (search.length > 0 ||
    attributes.some(one => one.kind === 'field' && one.family === 'text' && one.name === layout.settings.mainField))

async function entriesOf(type: TypeMeta, text: string, signal: AbortSignal): Promise<readonly Goal[]> {
  const { mainField } = type.layout.settings
  const url = withQuery(`${meta.value?.app.api}${type.path}`, {
    fields: ['id', mainField],
    ...(type.search.length > 0 ? { _q: wordsTyped(text) } : { filters: { [mainField]: { $startsWithi: text } } }),
    ...(type.options.drafts && { publicationState: 'preview' }),
    ...(type.options.localized && { locale: 'all' }),
    pagination: { start: 0, limit: mostEntries, withCount: false },
  })
  const reply = await ask({ url, signal })
  if (!isDone(reply)) return []
  return entriesAt(reply.body).map(entry => {
    const to = addressOfEntry(type, Number(entry.id))
    return { to, title: String(entry[mainField] ?? `#${entry.id}`), type: type.name }
  })
}
