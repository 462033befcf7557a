import { useEffect, useMemo } from 'preact/hooks'
import type { TypeMeta } from '../../model/meta.js'
import { placeOf } from '../entry/entry.js'
import { Moment } from '../list/field-value.js'
import { Table } from '../settings/table.js'
import '../settings/settings.css'
import { addressOfType, inLanguage } from '../shell/routes.js'
import { kinds, meta } from '../shell/session.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { whoIs } from '../versions/who.js'
import { DeletedDialog } from './deleted-dialog.js'
import { type DeletedEntry, DeletedStore } from './store.js'

/** The entries of a type that were deleted for good, as their versions tell. */
export function Deleted({ type }: { type: TypeMeta }) {
  const store = useMemo(() => {
    const [app, known] = [meta.peek(), kinds.peek()]
    return app && known && new DeletedStore(app, known, type, placeOf(undefined, type).locale ?? null)
  }, [type])
  useEffect(() => void store?.load(), [store])
  if (!store) return null
  const rows = store.rows.value
  const problem = store.problem.value
  const isSingle = type.kind === 'singleType'
  return (
    <View title={t('deleted.of', { type: type.name })}>
      <p>
        <a class="back" href={addressOfType(type) + inLanguage(type, store.locale)}>
          ← {type.name}
        </a>
      </p>
      <p class="quiet">{t(isSingle ? 'deleted.textSingle' : 'deleted.text')}</p>
      {problem !== '' && !store.shown.value && (
        <p class="error" role="alert">
          {problem}{' '}
          <button type="button" class="text-button" onClick={() => void store.load()}>
            {t('tryAgain')}
          </button>
        </p>
      )}
      {rows === undefined && problem === '' && (
        <p class="empty" aria-busy="true">
          {t('loading')}
        </p>
      )}
      {rows?.length === 0 && <p class="empty">{t(isSingle ? 'deleted.noneSingle' : 'deleted.none')}</p>}
      {rows !== undefined && rows.length > 0 && <Rows store={store} rows={rows} />}
      {rows !== undefined && rows.length < store.total.value && (
        <button type="button" class="button" onClick={() => void store.loadMore()}>
          {t('settings.more')}
        </button>
      )}
      {store.shown.value && <DeletedDialog store={store} entry={store.shown.value} />}
    </View>
  )
}

function Rows({ store, rows }: { store: DeletedStore; rows: readonly DeletedEntry[] }) {
  const { type } = store
  const title = (entry: DeletedEntry) => <span dir="auto">{store.titleOf(entry)}</span>
  return (
    <Table
      label={t('deleted.of', { type: type.name })}
      keyOf={({ id }) => id}
      rows={rows}
      columns={[
        { label: t('deleted.entry'), show: title },
        ...(type.options.localized
          ? [{ label: t('list.language'), show: ({ attributes }: DeletedEntry) => languageOf(attributes.locale) }]
          : []),
        { label: t('deleted.when'), show: ({ at }) => <Moment time={at} /> },
        { label: t('deleted.by'), show: ({ by }) => <span dir="auto">{whoIs(by)}</span> },
      ]}
      actions={{
        label: t('versions.actions'),
        show: entry => (
          <button
            type="button"
            class="button"
            aria-label={t('deleted.showOne', { title: store.titleOf(entry) })}
            onClick={() => void store.show(entry)}
          >
            {t('deleted.show')}
          </button>
        ),
      }}
    />
  )
}

const languageOf = (code: unknown): string =>
  meta.value?.languages.find(one => one.code === code)?.name ?? String(code ?? '')
