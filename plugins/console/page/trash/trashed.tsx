import { useEffect, useMemo } from 'preact/hooks'
import type { Item } from '../../model/form/item.js'
import type { TypeMeta } from '../../model/meta.js'
import { EntryContext } from '../entry/context.js'
import { placeOf } from '../entry/entry.js'
import { Problems } from '../entry/problems-region.js'
import { Rows } from '../entry/rows.js'
import { Moment } from '../list/field-value.js'
import { inThisVisit, leaveFor } from '../shell/address.js'
import { say } from '../shell/messages.js'
import { addressOfEntry, addressOfType, inLanguage } from '../shell/routes.js'
import { meta } from '../shell/session.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { TrashedStore } from './store.js'

/** An entry in the trash, with all that it has: of a single type the one that was deleted last. */
export function Trashed({ type, id }: { type: TypeMeta; id?: string }) {
  const store = useMemo(() => {
    const app = meta.peek()
    return app && TrashedStore.of(app, type, placeOf(id, type))
  }, [])
  useEffect(() => void store?.load(), [store])
  const phase = store?.phase.value ?? 'loading'
  if (store && phase === 'ready') return <Shown store={store} />
  if (phase === 'loading') return <p class="empty" aria-busy="true" />
  return (
    <View title={type.name}>
      <ToTrash type={type} />
      <p class="empty">{t(phase === 'failed' ? 'failed' : 'trash.missing')}</p>
    </View>
  )
}

function Shown({ store }: { store: TrashedStore }) {
  const form = store.form.value
  const context = useMemo(
    () => form && { store, form, isPast: true as const, fieldsOf: (item: Item) => <Rows item={item} /> },
    [store, form],
  )
  if (!form || !context) return null
  const title = store.title.value
  return (
    <EntryContext.Provider value={context}>
      <View title={title} beside={store.may('delete') && <Restore store={store} />}>
        <ToTrash type={store.type} />
        <p class="kept">
          {t('trash.text')} <Deleted store={store} />
        </p>
        <Problems store={store} />
        <form key={form.root.key} aria-label={title} class="entry-form" onSubmit={event => event.preventDefault()}>
          <Rows item={form.root} />
        </form>
      </View>
    </EntryContext.Provider>
  )
}

function Deleted({ store }: { store: TrashedStore }) {
  const time = store.head.value?.deletedAt
  return (
    time && (
      <span class="quiet">
        {t('trash.since')} <Moment time={time} />
      </span>
    )
  )
}

/** The way back to the list of the trash; single types have none. */
const ToTrash = ({ type }: { type: TypeMeta }) => (
  <a class="back" href={type.kind === 'singleType' ? addressOfType(type) : `${addressOfType(type)}?state=trash`}>
    ← {type.kind === 'singleType' ? type.name : t('state.trash')}
  </a>
)

function Restore({ store }: { store: TrashedStore }) {
  const restore = async () => {
    const { type, title, locale, head } = store
    const isHere = inThisVisit()
    const lost = await store.recover()
    if (!lost) return
    const labels = lost.map(name => type.layout.fields[name]?.label ?? name)
    const done = t('trash.restored', { title: title.peek() })
    say(lost.length === 0 ? done : `${done} ${t('trash.lost', { fields: labels.join(', ') })}`)
    if (isHere()) leaveFor(addressOfEntry(type, head.peek()?.id ?? 0) + inLanguage(type, locale.peek()))
  }
  return (
    <button type="button" class="button primary" disabled={store.isRestoring.value} onClick={() => void restore()}>
      {t('do.restore')}
    </button>
  )
}
