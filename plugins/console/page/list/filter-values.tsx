import { Combobox } from '../../../pages/page/combobox.js'
import { Icon, Input, Select } from '../../../pages/page/controls.js'
import type { EditedValues } from '../../../pages/page/filters.js'
import { replaced, without } from '../../../pages/values/lists.js'
import { inputTypes, operandOf } from '../../../pages/values/operands.js'
import type { FilterField, FilterTarget } from '../../model/list/fields.js'
import { isAlone } from '../../model/list/operators.js'
import { t } from '../text.js'
import { search, titleOf } from './titles.js'

/** The operand of a condition, in the control that suits its field. */
export function FilterValues({ field, operator, condition, number, onChange }: EditedValues<FilterField>) {
  if (isAlone(operator.value)) return null
  const { values } = condition
  const label = number === 1 ? t('filters.value') : `${t('filters.value')} ${number}`
  const isList = operator.takes === 'list'
  if (field.target)
    return <EntryValues label={label} target={field.target} isList={isList} values={values} onChange={onChange} />
  const shown = operator.takes === 'two' ? [values[0] ?? '', values[1] ?? ''] : values.length > 0 ? values : ['']
  return (
    <>
      {shown.map((value, index) => (
        <Value
          key={index}
          field={field}
          label={index === 0 ? label : t('filters.further', { label, count: index + 1 })}
          value={value}
          onChange={next => onChange(replaced(shown, index, next))}
        />
      ))}
      {isList && <Icon label={t('filters.addValue')} sign="+" onClick={() => onChange([...shown, ''])} />}
    </>
  )
}

interface EntryValuesProps {
  readonly label: string
  readonly target: FilterTarget
  readonly isList: boolean
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** Entries that a relation leads to. */
function EntryValues({ label, target, isList, values, onChange }: EntryValuesProps) {
  const ids = values.filter(value => /^\d+$/.test(value))
  return (
    <span class="picker">
      {ids.map((id, index) => (
        <span class="picked" key={id}>
          <span dir="auto">{titleOf(target, Number(id))}</span>
          <Icon
            label={t('filters.remove', { condition: titleOf(target, Number(id)) })}
            sign="×"
            onClick={() => onChange(without(ids, index))}
          />
        </span>
      ))}
      {(isList || ids.length === 0) && (
        <Combobox
          label={label}
          placeholder={t('filters.search', { type: target.type.name })}
          listLabel={target.type.name}
          nothing={t('filters.found')}
          search={text => search(target, text)}
          keyOf={({ id }) => id}
          show={({ title }) => <span dir="auto">{title}</span>}
          onPick={({ id }) => onChange([...ids.filter(one => one !== String(id)), String(id)])}
        />
      )}
    </span>
  )
}

interface ValueProps {
  readonly field: FilterField
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Value({ field, label, value, onChange }: ValueProps) {
  const choices =
    field.type === 'boolean'
      ? [
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]
      : field.enum?.map(one => ({ value: one, label: one }))
  if (choices)
    return (
      <Select
        label={label}
        value={value}
        placeholder={t('filters.chooseValue')}
        choices={choices}
        onChange={onChange}
      />
    )
  return (
    <Input
      class="value"
      aria-label={label}
      kind={inputTypes[field.type] ?? 'text'}
      invalid={value !== '' && operandOf(field, value, false) === undefined}
      value={value}
      onType={onChange}
    />
  )
}
