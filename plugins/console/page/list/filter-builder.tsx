import { useSignal } from '@preact/signals'
import { Filters, type FilterTexts, type Vocabulary } from '../../../pages/page/filters.js'
import { emptyGroup, type GroupState } from '../../../pages/values/filters.js'
import type { FilterField, FilterFields } from '../../model/list/fields.js'
import { filterText } from '../../model/list/filter-text.js'
import { operatorsFor } from '../../model/list/operators.js'
import { t } from '../text.js'
import { FilterValues } from './filter-values.js'
import type { ListStore } from './store.js'

/** One condition to begin with. */
const begun: GroupState = { ...emptyGroup, rows: [{ kind: 'condition', path: [], operator: '', values: [''] }] }

/** Builds the filters of a list, which are applied together. What was begun makes way when others are applied elsewhere. */
export const Builder = ({ list }: { list: ListStore }) => (
  <Building key={filterText(list.view.value.filters)} list={list} />
)

function Building({ list }: { list: ListStore }) {
  const applied = list.view.value.filters
  const group = useSignal(applied.rows.length > 0 ? applied : begun)
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
