import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Filters, type FilterTexts, type Vocabulary } from '../../../pages/page/filters.js'
import { emptyGroup, type GroupState } from '../../../pages/values/filters.js'
import { without } from '../../../pages/values/lists.js'
import type { FilterField, FilterFields } from '../../model/list/fields.js'
import { filtersIn, filterText } from '../../model/list/filter-text.js'
import { operatorsFor } from '../../model/list/operators.js'
import { t } from '../text.js'
import { conditionText, groupText } from './condition-text.js'
import { FilterValues } from './filter-values.js'
import type { ListStore } from './store.js'

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
      <Applied list={list} />
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
    <div class="row">
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
    </div>
  )
}

/** One condition to begin with. */
const begun: GroupState = { ...emptyGroup, rows: [{ kind: 'condition', path: [], operator: '', values: [''] }] }

function Builder({ list }: { list: ListStore }) {
  const applied = list.view.value.filters
  const group = useSignal(applied.rows.length > 0 ? applied : begun)
  const text = filterText(applied)
  useEffect(() => {
    group.value = text === '' ? begun : filtersIn(text)
  }, [text, group])
  const { fields } = list.requests
  const apply = (event: Event) => {
    event.preventDefault()
    list.change({ filters: fields.complete(group.value) })
    list.isFiltering.value = false
  }
  return (
    <form onSubmit={apply}>
      <Filters
        words={wordsOf(fields)}
        group={group.value}
        onChange={next => {
          group.value = next
        }}
      />
      <button type="submit" class="button primary">
        {t('filters.apply')}
      </button>
    </form>
  )
}

function wordsOf(fields: FilterFields): Vocabulary<FilterField> {
  return {
    levelAt(path) {
      const steps = fields.steps(path)
      if (steps.length === 0) return undefined
      return {
        choices: steps.map(({ name, label }) => ({ value: name, label })),
        placeholder: t(path.length === 0 ? 'filters.choose' : 'filters.itself'),
      }
    },
    fieldAt: path => fields.at(path),
    operators: field =>
      operatorsFor(field, name => fields.operator(field, name) !== undefined).map(({ name, text }) => ({
        value: name,
        label: t(`operator.${text}`),
        takes: fields.operator(field, name)?.takes ?? 'one',
      })),
    isComplete: condition => fields.query(condition) !== undefined,
    values: edited => <FilterValues {...edited} />,
    texts: textsOf(fields),
    depth: 2,
  }
}

/** The number of a condition is part of a label where there are several. */
const numbered = (label: string, number: number): string => (number === 1 ? label : `${label} ${number}`)

const textsOf = (fields: FilterFields): FilterTexts => ({
  about: t('filters'),
  join: t('filters.join'),
  joins: (['$and', '$or', 'not $and', 'not $or'] as const).map(value => ({ value, label: t(`filters.join.${value}`) })),
  addCondition: t('filters.addCondition'),
  addGroup: t('filters.addGroup'),
  removeGroup: number => t('filters.removeGroup', { count: number }),
  field: (number, within) =>
    numbered(
      within.length === 0 ? t('filters.field') : t('filters.fieldOf', { name: fields.labels(within).join(' › ') }),
      number,
    ),
  operator: number => numbered(t('filters.operator'), number),
  remove: number => t('filters.removeCondition', { count: number }),
  incomplete: t('filters.incomplete'),
})
