import { Icon, Input, Select } from '../../pages/page/controls.js'
import { replaced, without } from '../../pages/values/lists.js'
import { type FieldInfo, type OperatorInfo, type TypeInfo, takesText } from '../builder/metadata.js'
import { expected, operandOf } from '../builder/operands.js'
import { comparedWith, wayTo } from '../builder/query.js'
import { type ConditionState, emptyGroup, type FilterState, type GroupState } from '../builder/state.js'
import { FieldPath } from './path.js'
import { RelationPicker } from './picker.js'
import { model } from './store.js'

interface GroupProps {
  readonly type: TypeInfo
  readonly group: GroupState
  readonly only?: readonly string[] | undefined
  readonly onChange: (group: GroupState) => void
  readonly depth?: number
}

const empty: ConditionState = { kind: 'condition', path: [], operator: '$eq', values: [''] }

/** Conditions, and groups of them: all, one, or none has to hold. */
export function Filters({ type, group, only, onChange, depth = 0 }: GroupProps) {
  const set = (index: number, row: FilterState) => onChange({ ...group, rows: replaced(group.rows, index, row) })
  const remove = (index: number) => onChange({ ...group, rows: without(group.rows, index) })
  const add = (row: FilterState) => onChange({ ...group, rows: [...group.rows, row] })
  const isJoined = group.rows.length > 1 || depth > 0 || group.not || group.join === '$or'
  return (
    <fieldset class="group">
      <legend class="hidden">Conditions on {type.name}</legend>
      {isJoined && <Join group={group} onChange={onChange} />}
      {group.rows.map((row, index) =>
        row.kind === 'group' ? (
          <div class="row nested" key={index}>
            <Filters type={type} group={row} only={only} depth={depth + 1} onChange={next => set(index, next)} />
            <Icon label={`Group ${index + 1}: remove`} sign="×" onClick={() => remove(index)} />
          </div>
        ) : (
          <Condition
            key={index}
            label={`Condition ${index + 1}`}
            type={type}
            only={only}
            condition={row}
            onChange={next => set(index, next)}
            onRemove={() => remove(index)}
          />
        ),
      )}
      <div class="row">
        <button type="button" class="text-button" onClick={() => add(empty)}>
          Add a condition
        </button>
        {depth < 3 && (
          <button
            type="button"
            class="text-button"
            onClick={() => add({ ...emptyGroup, join: group.join === '$or' ? '$and' : '$or', rows: [empty] })}
          >
            Add a group
          </button>
        )}
      </div>
    </fieldset>
  )
}

const joins = [
  { value: '$and', label: 'all of' },
  { value: '$or', label: 'any of' },
  { value: 'not $and', label: 'not all of' },
  { value: 'not $or', label: 'none of' },
]

function Join({ group, onChange }: Pick<GroupProps, 'group' | 'onChange'>) {
  return (
    <Select
      class="join"
      label="How many of the conditions have to hold"
      value={`${group.not ? 'not ' : ''}${group.join}`}
      choices={joins}
      onChange={value =>
        onChange({ ...group, not: value.startsWith('not '), join: value.endsWith('$or') ? '$or' : '$and' })
      }
    />
  )
}

interface ConditionProps {
  readonly label: string
  readonly type: TypeInfo
  readonly only?: readonly string[] | undefined
  readonly condition: ConditionState
  readonly onChange: (condition: ConditionState) => void
  readonly onRemove: () => void
}

function Condition({ label, type, only, condition, onChange, onRemove }: ConditionProps) {
  const known = model.value
  if (!known) return null
  const { path, operator: name, values } = condition
  const field = wayTo(known, type, path, only)?.field
  const operators = field ? known.operators(field) : []
  const operator = operators.find(one => one.name === name)
  const choosePath = (next: readonly string[]) => {
    const target = wayTo(known, type, next, only)?.field
    const keeps = target && known.operators(target).some(one => one.name === name)
    onChange({ ...condition, path: next, ...(!keeps && { operator: '$eq' }) })
  }
  const chooseOperator = (next: string) => {
    const takes = known.operator(next)?.takes
    const one = values[0] ?? ''
    onChange({
      ...condition,
      operator: next,
      values: takes === 'two' ? [one, values[1] ?? ''] : takes === 'list' ? values : [one],
    })
  }
  const isComplete = field && comparedWith(known, field, name, values) !== undefined
  return (
    <div class={isComplete ? 'row' : 'row incomplete'}>
      <FieldPath label={`${label}: field`} type={type} path={path} only={only} onChange={choosePath} />
      {field && (
        <Select
          class="operator"
          label={`${label}: operator`}
          value={name}
          choices={operators.map(one => ({ value: one.name, label: `${one.name.slice(1)} · ${one.describe}` }))}
          onChange={chooseOperator}
        />
      )}
      {field && operator && (
        <Values
          label={label}
          type={type}
          field={field}
          operator={operator}
          condition={condition}
          onChange={next => onChange({ ...condition, values: next })}
        />
      )}
      <Icon label={`${label}: remove`} sign="×" onClick={onRemove} />
      {!isComplete && <span class="quiet">not sent yet</span>}
    </div>
  )
}

interface ValuesProps {
  readonly label: string
  readonly type: TypeInfo
  readonly field: FieldInfo
  readonly operator: OperatorInfo
  readonly condition: ConditionState
  readonly onChange: (values: readonly string[]) => void
}

function Values({ label, type, field, operator, condition, onChange }: ValuesProps) {
  const known = model.value
  const { path, values } = condition
  if (operator.takes === 'flag')
    return (
      <Select
        label={`${label}: value`}
        value={values[0] === 'false' ? 'false' : 'true'}
        choices={truths}
        onChange={value => onChange([value])}
      />
    )
  const target = known && field.type === 'id' ? targetOf(known, type, path) : undefined
  if (target?.listedAt && operator.takes !== 'two')
    return (
      <RelationPicker
        label={`${label}: ${path.slice(0, -1).join(' ') || type.name}`}
        targets={[target]}
        many={operator.takes === 'list'}
        chosen={values.filter(Boolean).map(id => ({ id: Number(id), label: '' }))}
        onChange={chosen => onChange(chosen.length > 0 ? chosen.map(({ id }) => String(id)) : [''])}
      />
    )
  const isPart = takesText(operator)
  const shown = operator.takes === 'two' ? [values[0] ?? '', values[1] ?? ''] : values.length > 0 ? values : ['']
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
      {operator.takes === 'list' && (
        <Icon label={`${label}: add a value`} sign="+" onClick={() => onChange([...shown, ''])} />
      )}
      {operator.takes === 'list' && shown.length > 1 && (
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
function targetOf(
  known: NonNullable<typeof model.value>,
  type: TypeInfo,
  path: readonly string[],
): TypeInfo | undefined {
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

/** The kind of input in which a value of a type is best typed. */
export const inputTypes: Readonly<Record<string, 'number' | 'date' | 'datetime-local' | 'time'>> = {
  integer: 'number',
  float: 'number',
  decimal: 'number',
  id: 'number',
  date: 'date',
  datetime: 'datetime-local',
  timestamp: 'datetime-local',
  time: 'time',
}
