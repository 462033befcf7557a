import { Icon, Input, Select } from '../../pages/page/controls.js'
import { type EditedValues, type FilterTexts, Filters as Groups, type Vocabulary } from '../../pages/page/filters.js'
import type { GroupState } from '../../pages/values/filters.js'
import { replaced } from '../../pages/values/lists.js'
import { expected, inputTypes, operandOf, takesText } from '../../pages/values/operands.js'
import type { FieldInfo, Model, TypeInfo } from '../builder/metadata.js'
import { operandIn, wayTo } from '../builder/query.js'
import { levelsOf, withinOf } from './path.js'
import { RelationPicker } from './picker.js'
import { model } from './store.js'

/** Conditions on a type in the words of REST. */
export function Filters({
  type,
  group,
  only,
  onChange,
}: {
  type: TypeInfo
  group: GroupState
  only?: readonly string[] | undefined
  onChange: (group: GroupState) => void
}) {
  const known = model.value
  return known ? <Groups words={wordsOf(known, type, only)} group={group} onChange={onChange} /> : null
}

function wordsOf(known: Model, type: TypeInfo, only: readonly string[] | undefined): Vocabulary<FieldInfo> {
  const fieldAt = (path: readonly string[]) => wayTo(known, type, path, only)?.field
  return {
    levelAt: levelsOf(known, type, only),
    fieldAt,
    operators: field =>
      known.operators(field).map(({ name, describe, takes }) => ({
        ...{ value: name, label: `${name.slice(1)} · ${describe}`, takes },
      })),
    isComplete({ path, operator, values }) {
      const field = fieldAt(path)
      return field !== undefined && operandIn(known, field, operator, values) !== undefined
    },
    values: edited => <Values known={known} type={type} {...edited} />,
    texts: { ...texts, about: `Conditions on ${type.name}` },
    depth: 3,
  }
}

const texts: Omit<FilterTexts, 'about'> = {
  join: 'How many of the conditions have to hold',
  joins: [
    { value: '$and', label: 'all of' },
    { value: '$or', label: 'any of' },
    { value: 'not $and', label: 'not all of' },
    { value: 'not $or', label: 'none of' },
  ],
  addCondition: 'Add a condition',
  addGroup: 'Add a group',
  removeGroup: number => `Group ${number}: remove`,
  field: (number, within) => withinOf(`Condition ${number}: field`, within),
  operator: number => `Condition ${number}: operator`,
  remove: number => `Condition ${number}: remove`,
  incomplete: 'not sent yet',
}

interface ValuesProps extends EditedValues<FieldInfo> {
  readonly known: Model
  readonly type: TypeInfo
}

function Values({ known, type, field, operator: { value: name, takes }, condition, number, onChange }: ValuesProps) {
  const { path, values } = condition
  const label = `Condition ${number}`
  if (takes === 'flag')
    return (
      <Select
        label={`${label}: value`}
        value={values[0] === 'false' ? 'false' : 'true'}
        choices={truths}
        onChange={value => onChange([value])}
      />
    )
  const target = field.type === 'id' ? targetOf(known, type, path) : undefined
  if (target?.listedAt && takes !== 'two')
    return (
      <RelationPicker
        label={`${label}: ${path.slice(0, -1).join(' ') || type.name}`}
        targets={[target]}
        many={takes === 'list'}
        chosen={values.filter(Boolean).map(id => ({ id: Number(id), label: '' }))}
        onChange={chosen => onChange(chosen.length > 0 ? chosen.map(({ id }) => String(id)) : [''])}
      />
    )
  const operator = known.operator(name)
  const isPart = operator !== undefined && takesText(operator)
  const shown = takes === 'two' ? [values[0] ?? '', values[1] ?? ''] : values.length > 0 ? values : ['']
  return (
    <>
      {shown.map((value, index) => (
        <ValueInput
          key={index}
          label={shown.length > 1 ? `${label}: value ${index + 1}` : `${label}: value`}
          field={field}
          isPart={isPart}
          value={value}
          onChange={next => onChange(replaced(shown, index, next))}
        />
      ))}
      {takes === 'list' && <Icon label={`${label}: add a value`} sign="+" onClick={() => onChange([...shown, ''])} />}
      {takes === 'list' && shown.length > 1 && (
        <Icon label={`${label}: remove the last value`} sign="−" onClick={() => onChange(shown.slice(0, -1))} />
      )}
    </>
  )
}

const truths = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
]

/** The type at the end of a path to an id. */
function targetOf(known: Model, type: TypeInfo, path: readonly string[]): TypeInfo | undefined {
  const [name, ...rest] = path
  if (rest.length === 0) return type
  const [, target] = known.followed(type).find(([link]) => link.name === name) ?? []
  return target && targetOf(known, target, rest)
}

interface ValueInputProps {
  readonly label: string
  readonly field: FieldInfo
  readonly isPart: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A value of a field, as its type is best typed. */
function ValueInput({ label, field, isPart, value, onChange }: ValueInputProps) {
  const choices = isPart ? undefined : (field.enum ?? (field.type === 'boolean' ? ['true', 'false'] : undefined))
  if (choices)
    return (
      <Select
        label={label}
        value={value}
        placeholder="choose…"
        choices={choices.map(choice => ({ value: choice, label: choice }))}
        onChange={onChange}
      />
    )
  const isWrong = value !== '' && operandOf(field, value, isPart) === undefined
  return (
    <Input
      class="value"
      aria-label={label}
      invalid={isWrong}
      title={isWrong ? `expects ${expected(field)}` : undefined}
      kind={isPart ? 'text' : (inputTypes[field.type] ?? 'text')}
      value={value}
      placeholder={isPart ? 'text' : field.type}
      onType={onChange}
    />
  )
}
