import { Dialog } from '../../../pages/page/dialog.js'
import { shortened } from '../conflict/comparison.js'
import { ComparisonTable } from '../conflict/comparison-table.js'
import { valueText } from '../conflict/value-text.js'
import { Moment } from '../list/field-value.js'
import { inThisVisit, leaveFor } from '../shell/address.js'
import { say } from '../shell/messages.js'
import { addressOfEntry, inLanguage } from '../shell/routes.js'
import { type TextKey, t } from '../text.js'
import { dottedLabel, stepsText } from '../versions/labels.js'
import { whoIs } from '../versions/who.js'
import type { DeletedEntry, DeletedStore } from './store.js'

/** A deleted entry as one of its versions has it, and the way to make it anew. */
export function DeletedDialog({ store, entry }: { store: DeletedStore; entry: DeletedEntry }) {
  const title = store.titleOf(entry)
  const make = async () => {
    const isHere = inThisVisit()
    const made = await store.make()
    if (!made) return
    store.close()
    const fields = (paths: readonly string[]) =>
      paths.map(path => dottedLabel({ kinds: store.kinds, entry: store }, path)).join(', ')
    const lacking = (key: TextKey, paths: readonly string[] = []) =>
      paths.length > 0 ? [t(key, { fields: fields(paths) })] : []
    const parts = [...lacking('versions.lost', made.lost), ...lacking('deleted.left', made.left)]
    say([t('deleted.made', { title }), ...parts].join(' '))
    if (isHere()) leaveFor(addressOfEntry(store.type, made.id) + inLanguage(store.type, store.locale))
  }
  return (
    <Dialog title={title} closeLabel={t('close')} onClose={() => store.close()}>
      <div class="conflict">
        <p>
          {t('deleted.when')} <Moment time={entry.at} /> · <span dir="auto">{whoIs(entry.by)}</span>
        </p>
        <VersionSelect store={store} />
        {store.problem.value !== '' && (
          <p class="error" role="alert">
            {store.problem.value}
          </p>
        )}
        <Values store={store} />
        <p class="quiet">{t('deleted.anew')}</p>
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={() => store.close()}>
            {t('close')}
          </button>
          {store.type.can.create && (
            <button
              type="button"
              class="button primary"
              disabled={store.isBusy.value || store.values.value === undefined}
              onClick={() => void make()}
            >
              {t('deleted.make')}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function VersionSelect({ store }: { store: DeletedStore }) {
  const versions = store.versions.value
  if (versions.length < 2) return null
  return (
    <label class="row">
      {t('versions.number')}{' '}
      <select value={store.number.value} onChange={({ currentTarget: { value } }) => void store.choose(Number(value))}>
        {versions.map(({ number }) => (
          <option key={number} value={number}>
            {t('versions.one', { number })}
          </option>
        ))}
      </select>
    </label>
  )
}

function Values({ store }: { store: DeletedStore }) {
  const { kinds } = store
  const values = store.values.value
  if (values === undefined)
    return store.problem.value === '' ? (
      <p class="quiet" aria-busy="true">
        {t('loading')}
      </p>
    ) : null
  const filled = values.map(({ path, before }) => [stepsText(kinds, path), valueText(kinds, before)] as const)
  return (
    <ComparisonTable label={t('deleted.values')} columns={[t('deleted.value')]}>
      {filled.map(
        ([label, text], index) =>
          text !== '' && (
            <tr key={`${index} ${label}`}>
              <th scope="row" dir="auto">
                {label}
              </th>
              <td dir="auto" data-label={t('deleted.value')}>
                {shortened(text)}
              </td>
            </tr>
          ),
      )}
    </ComparisonTable>
  )
}
