import { useEffect, useMemo } from 'preact/hooks'
import type { TypeMeta } from '../../model/meta.js'
import { useEntryStore } from '../entry/entry.js'
import type { EntryStore } from '../entry/store/store.js'
import { Moment } from '../list/field-value.js'
import { Table } from '../settings/table.js'
import '../settings/settings.css'
import { addressOfEntry, inLanguage } from '../shell/routes.js'
import { View } from '../shell/view.js'
import { type TextKey, t } from '../text.js'
import { dottedLabel } from './labels.js'
import { type Unrestored, type Version, VersionsStore } from './store.js'
import { VersionDialog } from './version-dialog.js'
import { whoIs } from './who.js'

/** The versions of an entry: who changed what, and when. */
export function Versions({ type, id }: { type: TypeMeta; id: string | undefined }) {
  const entry = useEntryStore(type, id)
  const phase = entry?.phase.value
  const isStored = entry?.head.value !== undefined
  if (!entry || phase === 'loading') return <p class="empty" aria-busy="true" />
  if (phase === 'ready' && isStored && type.options.versions) return <Stored entry={entry} />
  return (
    <View title={t('versions')}>
      <p class="empty">{t(phase === 'failed' ? 'failed' : 'entry.missing')}</p>
    </View>
  )
}

function Stored({ entry }: { entry: EntryStore }) {
  const store = useMemo(() => new VersionsStore(entry), [entry])
  useEffect(() => void store.load(), [store])
  const title = entry.title.value
  const { type } = entry
  const { id = 0 } = entry.head.value ?? {}
  const list = store.list.value
  return (
    <View title={t('versions.of', { title })}>
      <p>
        <a class="back" href={addressOfEntry(type, id) + inLanguage(type, entry.locale.value)} dir="auto">
          ← {title}
        </a>
      </p>
      <p class="quiet">{t('versions.text')}</p>
      {store.unrestored.value && <NotRestored store={store} unrestored={store.unrestored.value} />}
      {store.problem.value !== '' && store.shown.value === undefined && (
        <p class="error" role="alert">
          {store.problem.value}{' '}
          <button type="button" class="text-button" onClick={() => void store.load()}>
            {t('tryAgain')}
          </button>
        </p>
      )}
      {list === undefined && store.problem.value === '' && (
        <p class="empty" aria-busy="true">
          {t('loading')}
        </p>
      )}
      {list?.length === 0 && <p class="empty">{t('versions.none')}</p>}
      {list !== undefined && list.length > 0 && <List store={store} list={list} />}
      {store.shown.value !== undefined && <VersionDialog store={store} number={store.shown.value} />}
    </View>
  )
}

function List({ store, list }: { store: VersionsStore; list: readonly Version[] }) {
  return (
    <Table
      label={t('versions')}
      keyOf={({ number }) => number}
      rows={list}
      columns={[
        { label: t('versions.number'), show: ({ number }) => t('versions.one', { number }) },
        { label: t('versions.until'), show: ({ at }) => <Moment time={at} /> },
        {
          label: t('versions.by'),
          show: ({ by, action }) => (
            <>
              <span dir="auto">{whoIs(by)}</span> <span class="quiet">{actionText(action)}</span>
            </>
          ),
        },
        { label: t('versions.changed'), show: ({ changed }) => changed && <Changed store={store} names={changed} /> },
      ]}
      actions={{
        label: t('versions.actions'),
        show: ({ number }) => (
          <button
            type="button"
            class="button"
            aria-label={t('versions.showOne', { number })}
            onClick={() => store.show(number)}
          >
            {t('versions.show')}
          </button>
        ),
      }}
    />
  )
}

const actions: Readonly<Record<string, TextKey>> = {
  update: 'versions.action.update',
  publish: 'versions.action.publish',
  unpublish: 'versions.action.unpublish',
  delete: 'versions.action.delete',
  restore: 'versions.action.restore',
}

/** An action that the page does not know is shown as it is recorded. */
function actionText(action: string): string {
  const key = actions[action]
  return key === undefined ? action : t(key)
}

function Changed({ store, names }: { store: VersionsStore; names: readonly string[] }) {
  if (names.length === 0) return <span class="quiet">{t('versions.nothing')}</span>
  return <span dir="auto">{names.map(name => dottedLabel(store, name)).join(', ')}</span>
}

/** Says what the restored version could not give back. */
function NotRestored({ store, unrestored: { lost, left } }: { store: VersionsStore; unrestored: Unrestored }) {
  const fields = (paths: readonly string[]) => paths.map(path => dottedLabel(store, path)).join(', ')
  return (
    <div class="kept" role="alert">
      {lost.length > 0 && <p dir="auto">{t('versions.lost', { fields: fields(lost) })}</p>}
      {left.length > 0 && <p dir="auto">{t('versions.left', { fields: fields(left) })}</p>}
    </div>
  )
}
