import { Dialog } from '../../../pages/page/dialog.js'
import type { PlainValue } from '../../model/form/plain.js'
import type { Difference as Differing } from '../../model/versions/compare.js'
import { Difference, shortened } from '../conflict/comparison.js'
import { ComparisonTable } from '../conflict/comparison-table.js'
import { valueText } from '../conflict/value-text.js'
import { Moment } from '../list/field-value.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { stepsText } from './labels.js'
import type { VersionsStore } from './store.js'

/** One version, what differs from it, and the way back to it. */
export function VersionDialog({ store, number }: { store: VersionsStore; number: number }) {
  const version = store.list.value?.find(one => one.number === number)
  const restore = async () => {
    if (!(await store.restore())) return
    store.close()
    say(t('versions.restored', { number }))
  }
  return (
    <Dialog title={t('versions.one', { number })} closeLabel={t('close')} onClose={() => store.close()}>
      <div class="conflict">
        {version && (
          <p>
            {t('versions.until')} <Moment time={version.at} />
          </p>
        )}
        <OtherState store={store} number={number} />
        {store.problem.value !== '' && (
          <p class="error" role="alert">
            {store.problem.value}
          </p>
        )}
        <Comparison store={store} number={number} />
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={() => store.close()}>
            {t('close')}
          </button>
          {store.canRestore.value && (
            <button
              type="button"
              class="button primary"
              disabled={store.isBusy.value || store.differences.value === undefined}
              onClick={() => void restore()}
            >
              {t('versions.restore')}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** The state that a version is compared with. */
function OtherState({ store, number }: { store: VersionsStore; number: number }) {
  const others = store.list.value?.filter(one => one.number !== number) ?? []
  if (others.length === 0) return null
  return (
    <label class="row">
      {t('versions.with')}{' '}
      <select
        value={store.other.value ?? ''}
        onChange={({ currentTarget: { value } }) => {
          store.other.value = value === '' ? undefined : Number(value)
          void store.compare()
        }}
      >
        <option value="">{t('versions.now')}</option>
        {others.map(one => (
          <option key={one.number} value={one.number}>
            {t('versions.one', { number: one.number })}
          </option>
        ))}
      </select>
    </label>
  )
}

function Comparison({ store, number }: { store: VersionsStore; number: number }) {
  const differences = store.differences.value
  if (differences === undefined)
    return store.problem.value === '' ? (
      <p class="quiet" aria-busy="true">
        {t('loading')}
      </p>
    ) : null
  if (differences.length === 0) return <p class="quiet">{t('versions.same')}</p>
  const other = store.other.value
  const former = t('versions.one', { number })
  const later = other === undefined ? t('versions.nowShort') : t('versions.one', { number: other })
  return (
    <ComparisonTable label={t('conflict.table')} columns={[former, later]}>
      {differences.map((one, index) => (
        <Row key={`${index} ${one.attribute.name}`} store={store} difference={one} former={former} later={later} />
      ))}
    </ComparisonTable>
  )
}

interface RowProps {
  readonly store: VersionsStore
  readonly difference: Differing
  readonly former: string
  readonly later: string
}

function Row({ store: { kinds }, difference: { path, before, after }, former, later }: RowProps) {
  const text = (value: PlainValue | undefined) => valueText(kinds, value)
  return (
    <tr>
      <th scope="row" dir="auto">
        {stepsText(kinds, path)}
      </th>
      <td dir="auto" data-label={former}>
        {text(before) === '' ? <i>{t('cell.empty')}</i> : shortened(text(before))}
      </td>
      <td data-label={later}>
        <Difference before={text(before)} value={after} text={text(after)} />
      </td>
    </tr>
  )
}
