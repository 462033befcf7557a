import type { ConditionState, GroupState } from '../../../pages/values/filters.js'
import { operandOf } from '../../../pages/values/operands.js'
import type { FilterField, FilterFields } from '../../model/list/fields.js'
import { isAlone, operatorText } from '../../model/list/operators.js'
import { t } from '../text.js'
import { fieldText } from './field-value.js'
import type { ListStore } from './store.js'
import { titleOf } from './titles.js'

/** The conditions of a list in words: `author is Ben`. */
export const useConditionTexts = ({ view, requests }: ListStore): readonly string[] =>
  view.value.filters.rows.map(row =>
    row.kind === 'group' ? groupText(requests.fields, row) : conditionText(requests.fields, row),
  )

export function groupText(fields: FilterFields, { join, not, rows }: GroupState): string {
  const words = rows.map(row => (row.kind === 'group' ? `(${groupText(fields, row)})` : conditionText(fields, row)))
  const joined = words.join(t(join === '$or' ? 'filters.or' : 'filters.and'))
  return not ? t('filters.not', { conditions: joined }) : joined
}

export function conditionText(fields: FilterFields, { path, operator, values }: ConditionState): string {
  const field = fields.at(path)
  const word = field && operatorText(field, operator)
  const parts = [fields.labels(path).join(' › '), word === undefined ? operator : t(`operator.${word}`)]
  if (field && !isAlone(operator)) parts.push(values.map(value => valueText(field, value)).join(t('filters.between')))
  return parts.join(' ')
}

function valueText(field: FilterField, value: string): string {
  if (field.target) return titleOf(field.target, Number(value))
  const read = operandOf(field, value, false)
  return field.type === 'date' || typeof read === 'boolean' ? fieldText(field, read) : value
}
