import { useEffect, useMemo } from 'preact/hooks'
import type { TypeMeta } from '../../model/meta.js'
import { address } from '../shell/address.js'
import { kinds, meta } from '../shell/session.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { Back } from './back.js'
import { EntryView } from './entry-view.js'
import { loadEditors } from './fields/field.js'
import type { EntryPlace } from './store/requests.js'
import { EntryStore } from './store/store.js'

/** An entry to write: by its id, a new one, or the only one of its type. */
export function Entry({ type, id }: { type: TypeMeta; id?: string }) {
  // The description may be read again while the form is open: what was typed stays.
  const store = useEntryStore(type, id)
  if (!store) return null
  const phase = store.phase.value
  if (phase === 'ready') return <EntryView store={store} />
  if (phase === 'loading') return <p class="empty" aria-busy="true" />
  return (
    <View title={type.name}>
      <Back type={type} />
      <p class="empty">{t(phase === 'missing' ? 'entry.missing' : 'failed')}</p>
      {phase === 'failed' && (
        <button type="button" class="button" onClick={() => void store.load()}>
          {t('tryAgain')}
        </button>
      )}
    </View>
  )
}

/** The entry that the address names. */
export function useEntryStore(type: TypeMeta, id: string | undefined): EntryStore | undefined {
  const store = useMemo(() => {
    const [known, app] = [kinds.peek(), meta.peek()]
    return known && app && new EntryStore(app, known, type, placeOf(id, type))
  }, [])
  useEffect(() => {
    loadEditors(type.attributes)
    void store?.load()
  }, [store])
  return store
}

/** Reads the address: languages of new entries and single types stand in it. */
export function placeOf(id: string | undefined, { options }: TypeMeta): EntryPlace {
  const params = new URLSearchParams(address.peek().search)
  const of = Number(params.get('of'))
  const languages = meta.peek()?.languages ?? []
  const usual = languages.find(({ isDefault }) => isDefault)?.code ?? null
  const wanted = languages.find(({ code }) => code === params.get('locale'))?.code ?? usual
  return {
    ...(id !== undefined && id !== 'new' && { id: Number(id) }),
    locale: options.localized ? wanted : null,
    ...(of > 0 && { of }),
  }
}
