import type { Cell } from '../../../model/form/cell.js'
import { t } from '../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { textIn } from './text.js'

/** Yes or no; neither where the value was never set and the schema names none. */
export function BooleanField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  const cell = props.node
  const hasThird = (cell.read.value === null || cell.read.value === '') && typeof cell.attribute.default !== 'boolean'
  return (
    <FieldFrame frame={frame} isRequired={cell.attribute.required}>
      {hasThird ? <ThreeStates cell={cell} frame={frame} /> : <Switch cell={cell} frame={frame} />}
    </FieldFrame>
  )
}

interface ControlProps {
  readonly cell: Cell
  readonly frame: Frame
}

function Switch({ cell, frame }: ControlProps) {
  const isOn = cell.value.value === true
  return (
    <span class="switch">
      <input
        {...controlProps({ ...frame, isRequired: false })}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={frame.isReadOnly}
        onChange={event => {
          cell.value.value = event.currentTarget.checked
        }}
      />
      <span aria-hidden="true">{t(isOn ? 'yes' : 'no')}</span>
    </span>
  )
}

function ThreeStates({ cell, frame }: ControlProps) {
  const { value } = cell.value
  return (
    <select
      {...controlProps(frame)}
      disabled={frame.isReadOnly}
      value={typeof value === 'boolean' ? String(value) : ''}
      onChange={({ currentTarget }) => {
        cell.value.value = currentTarget.value === '' ? null : currentTarget.value === 'true'
      }}
    >
      <option value="">–</option>
      <option value="true">{t('yes')}</option>
      <option value="false">{t('no')}</option>
    </select>
  )
}

/** More choices than these are searched by typing. */
const mostInSelect = 7

export function EnumerationField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  const { attribute } = props.node
  const isShort = (attribute.enum ?? []).length <= mostInSelect
  return (
    <FieldFrame frame={frame} isRequired={attribute.required}>
      {isShort ? <Choices cell={props.node} frame={frame} /> : <SearchedChoices cell={props.node} frame={frame} />}
    </FieldFrame>
  )
}

function Choices({ cell, frame }: ControlProps) {
  const value = textIn(cell)
  const choices = cell.attribute.enum ?? []
  return (
    <select
      {...controlProps(frame)}
      disabled={frame.isReadOnly}
      value={value}
      onChange={event => {
        cell.value.value = event.currentTarget.value
      }}
    >
      {(cell.attribute.required !== true || value === '') && <option value="">–</option>}
      {/* A value that the schema has lost stays until another one is chosen. */}
      {value !== '' && !choices.includes(value) && <option value={value}>{value}</option>}
      {choices.map(choice => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}

function SearchedChoices({ cell, frame }: ControlProps) {
  return (
    <>
      <input
        {...controlProps(frame)}
        type="text"
        list={`${frame.id}-choices`}
        autocomplete="off"
        readOnly={frame.isReadOnly}
        value={textIn(cell)}
        onInput={event => {
          cell.value.value = event.currentTarget.value
        }}
      />
      <datalist id={`${frame.id}-choices`}>
        {cell.attribute.enum?.map(choice => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
    </>
  )
}
