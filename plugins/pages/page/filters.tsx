import type { ComponentChildren } from 'preact'
import type { OperatorInfo } from '../values/attributes.js'
import { type ConditionState, emptyGroup, type FilterState, type GroupState } from '../values/filters.js'
import { replaced, without } from '../values/lists.js'
import { type Choice, Icon, Select } from './controls.js'
import { FieldPath, type LevelAt } from './field-path.js'

/** What a filter builder offers, and in which words. */
export interface Vocabulary<Field> {
  readonly levelAt: LevelAt
  /** The field at the end of a path; undefined where it leads to none. */
  readonly fieldAt: (path: readonly string[]) => Field | undefined
  /** The operators of a field, the usual one first. */
  readonly operators: (field: Field) => readonly OperatorChoice[]
  /** True if the condition is part of the query. */
  readonly isComplete: (condition: ConditionState) => boolean
  /** Renders the editor of a condition's values. */
  readonly values: (edited: EditedValues<Field>) => ComponentChildren
  readonly texts: FilterTexts
  /** The number of levels of groups within the first. */
  readonly depth: number
}

interface OperatorChoice extends Choice, Pick<OperatorInfo, 'takes'> {}

export interface EditedValues<Field> {
  readonly field: Field
  readonly operator: OperatorChoice
  readonly condition: ConditionState
  /** The number of the condition in its group. */
  readonly number: number
  readonly onChange: (values: readonly string[]) => void
}

/** Labels of controls have the number of a condition or a group, from 1. */
export interface FilterTexts {
  /** The subject of the conditions. */
  readonly about: string
  readonly join: string
  /** The words for some of `$and`, `$or`, `not $and` and `not $or`. */
  readonly joins: readonly Choice[]
  readonly addCondition: string
  readonly addGroup: string
  readonly removeGroup: (number: number) => string
  readonly field: (number: number, within: readonly string[]) => string
  readonly operator: (number: number) => string
  readonly remove: (number: number) => string
  readonly incomplete: string
}

interface GroupProps<Field> {
  readonly words: Vocabulary<Field>
  readonly group: GroupState
  readonly onChange: (group: GroupState) => void
  readonly depth?: number
}

const empty: ConditionState = { kind: 'condition', path: [], operator: '', values: [''] }

/** Conditions, and groups of them: all, one, or none has to hold. */
export function Filters<Field>({ words, group, onChange, depth = 0 }: GroupProps<Field>) {
  const { texts } = words
  const set = (index: number, row: FilterState) => onChange({ ...group, rows: replaced(group.rows, index, row) })
  const remove = (index: number) => onChange({ ...group, rows: without(group.rows, index) })
  const add = (row: FilterState) => onChange({ ...group, rows: [...group.rows, row] })
  const isJoined = group.rows.length > 1 || depth > 0 || group.not || group.join === '$or'
  return (
    <fieldset class="group">
      <legend class="hidden">{texts.about}</legend>
      {isJoined && <Join texts={texts} group={group} onChange={onChange} />}
      {group.rows.map((row, index) =>
        row.kind === 'group' ? (
          <div class="row nested" key={index}>
            <Filters words={words} group={row} depth={depth + 1} onChange={next => set(index, next)} />
            <Icon label={texts.removeGroup(index + 1)} sign="×" onClick={() => remove(index)} />
          </div>
        ) : (
          <Condition
            key={index}
            words={words}
            number={index + 1}
            condition={row}
            onChange={next => set(index, next)}
            onRemove={() => remove(index)}
          />
        ),
      )}
      <div class="row">
        <button type="button" class="text-button" onClick={() => add(empty)}>
          {texts.addCondition}
        </button>
        {depth < words.depth && (
          <button
            type="button"
            class="text-button"
            onClick={() => add({ ...emptyGroup, join: group.join === '$or' ? '$and' : '$or', rows: [empty] })}
          >
            {texts.addGroup}
          </button>
        )}
      </div>
    </fieldset>
  )
}

function Join({
  texts,
  group,
  onChange,
}: {
  texts: FilterTexts
  group: GroupState
  onChange: (group: GroupState) => void
}) {
  return (
    <Select
      class="join"
      label={texts.join}
      value={`${group.not ? 'not ' : ''}${group.join}`}
      choices={texts.joins}
      onChange={value =>
        onChange({ ...group, not: value.startsWith('not '), join: value.endsWith('$or') ? '$or' : '$and' })
      }
    />
  )
}

interface ConditionProps<Field> {
  readonly words: Vocabulary<Field>
  readonly number: number
  readonly condition: ConditionState
  readonly onChange: (condition: ConditionState) => void
  readonly onRemove: () => void
}

function Condition<Field>({ words, number, condition, onChange, onRemove }: ConditionProps<Field>) {
  const { texts } = words
  const field = words.fieldAt(condition.path)
  const operators = field ? words.operators(field) : []
  const operator = operators.find(({ value }) => value === condition.operator)
  const isComplete = words.isComplete(condition)
  return (
    <div class={isComplete ? 'row' : 'row incomplete'}>
      <FieldPath
        label={within => texts.field(number, within)}
        path={condition.path}
        levelAt={words.levelAt}
        onChange={path => onChange(withPath(words, condition, path))}
      />
      {field !== undefined && (
        <Select
          class="operator"
          label={texts.operator(number)}
          value={condition.operator}
          choices={operators}
          onChange={value => onChange(withOperator(condition, operators, value))}
        />
      )}
      {field !== undefined &&
        operator &&
        words.values({ field, operator, condition, number, onChange: values => onChange({ ...condition, values }) })}
      <Icon label={texts.remove(number)} sign="×" onClick={onRemove} />
      {!isComplete && <span class="quiet">{texts.incomplete}</span>}
    </div>
  )
}

/** The condition on another field, which keeps its operator where the field has it. */
function withPath<Field>(
  { fieldAt, operators }: Vocabulary<Field>,
  condition: ConditionState,
  path: readonly string[],
): ConditionState {
  const field = fieldAt(path)
  const possible = field === undefined ? [] : operators(field)
  const isKept = possible.some(({ value }) => value === condition.operator)
  return { ...condition, path, ...(!isKept && { operator: possible[0]?.value ?? '' }) }
}

/** The condition with another operator, and as many values as that takes. */
function withOperator(condition: ConditionState, operators: readonly OperatorChoice[], chosen: string): ConditionState {
  const takes = operators.find(({ value }) => value === chosen)?.takes
  const { values } = condition
  const one = values[0] ?? ''
  return {
    ...condition,
    operator: chosen,
    values: takes === 'two' ? [one, values[1] ?? ''] : takes === 'list' ? values : [one],
  }
}
