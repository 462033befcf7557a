import { emptyGroup } from '../../../pages/values/filters.js'
import { without } from '../../../pages/values/lists.js'
import { lazy } from '../shell/lazy.js'
import { t } from '../text.js'
import { conditionText, groupText } from './condition-text.js'
import type { ListStore } from './store.js'
import { SaveView } from './views/save-view.js'

const Builder = lazy(() => import('./filter-builder.js').then(part => part.Builder))

/** The part of the page that the button opens. */
const panelId = 'filter-panel'

/** Opens the builder, and says how many conditions are applied. */
export function FilterButton({ list }: { list: ListStore }) {
  const { isFiltering } = list
  const count = list.view.value.filters.rows.length
  if (!list.type.layout.settings.filterable) return null
  return (
    <button
      type="button"
      class="button"
      aria-expanded={isFiltering.value}
      aria-controls={panelId}
      onClick={() => {
        isFiltering.value = !isFiltering.value
      }}
    >
      {t('filters')}
      {count > 0 && <span class="count">{count}</span>}
    </button>
  )
}

/** The filters of a list: those that are applied, and the builder of others. */
export function FilterPanel({ list }: { list: ListStore }) {
  return (
    <>
      {list.isFiltering.value && (
        <div id={panelId} class="filter-panel">
          <Builder list={list} />
        </div>
      )}
      <fieldset class="row narrowing" aria-label={t('filters')}>
        <Applied list={list} />
        <SaveView list={list} />
      </fieldset>
    </>
  )
}

/** Applied conditions, each of which can be taken away. */
function Applied({ list }: { list: ListStore }) {
  const { filters } = list.view.value
  const { fields } = list.requests
  if (filters.rows.length === 0) return null
  const isAny = filters.join === '$or' || filters.not
  const texts = isAny
    ? [groupText(fields, filters)]
    : filters.rows.map(row => (row.kind === 'group' ? groupText(fields, row) : conditionText(fields, row)))
  const remove = (index: number) =>
    list.change({ filters: isAny ? emptyGroup : { ...filters, rows: without(filters.rows, index) } })
  return (
    <>
      <ul class="applied" aria-label={t('filters.applied')}>
        {texts.map((text, index) => (
          <li key={text} class="picked">
            <span dir="auto">{text}</span>
            <button
              type="button"
              class="icon"
              aria-label={t('filters.remove', { condition: text })}
              onClick={() => remove(index)}
            >
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="text-button" onClick={() => list.change({ filters: emptyGroup })}>
        {t('filters.clear')}
      </button>
    </>
  )
}
