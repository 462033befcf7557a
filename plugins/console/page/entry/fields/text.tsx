import type { Cell } from '../../../model/form/cell.js'
import { t } from '../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'

/** The text in a control. */
export const textIn = ({ value }: Cell): string => {
  const typed = value.value
  return typeof typed === 'string' ? typed : typed === null || typed === undefined ? '' : String(typed)
}

const modes: Readonly<Record<string, 'decimal' | 'numeric' | 'email'>> = {
  ...{ integer: 'numeric', biginteger: 'numeric', decimal: 'decimal', float: 'decimal', email: 'email' },
}

/** A text of one line, or a number: as text, so that what was typed stays as it was typed. */
export function LineField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  const { attribute } = props.node
  return (
    <FieldFrame frame={frame} isRequired={attribute.required}>
      <Line cell={props.node} frame={frame} placeholder={props.layout?.placeholder} />
    </FieldFrame>
  )
}

/** The control alone: a key renders nothing else. */
export function Line({ cell, frame, placeholder }: { cell: Cell; frame: Frame; placeholder: string | undefined }) {
  const { type } = cell.attribute
  return (
    <>
      <input
        {...controlProps(frame)}
        type="text"
        dir={modes[type] ? undefined : 'auto'}
        inputMode={modes[type]}
        autocomplete="off"
        readOnly={frame.isReadOnly}
        placeholder={placeholder}
        value={textIn(cell)}
        onInput={event => {
          cell.value.value = event.currentTarget.value
        }}
      />
      <Length cell={cell} />
    </>
  )
}

export function LongTextField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  return (
    <FieldFrame frame={frame} isRequired={props.node.attribute.required}>
      <LongText cell={props.node} frame={frame} placeholder={props.layout?.placeholder} />
    </FieldFrame>
  )
}

function LongText({ cell, frame, placeholder }: { cell: Cell; frame: Frame; placeholder: string | undefined }) {
  return (
    <>
      <textarea
        {...controlProps(frame)}
        class="growing"
        dir="auto"
        readOnly={frame.isReadOnly}
        placeholder={placeholder}
        value={textIn(cell)}
        onInput={event => {
          cell.value.value = event.currentTarget.value
        }}
      />
      <Length cell={cell} />
    </>
  )
}

/** The part of the greatest length from which on the length is shown. */
const nearlyFull = 0.8

export function Length({ cell }: { cell: Cell }) {
  const { maxLength } = cell.attribute
  const { length } = textIn(cell)
  if (maxLength === undefined || length < maxLength * nearlyFull) return null
  return <p class="quiet length">{t('field.length', { length, max: maxLength })}</p>
}

/** A new password: the stored one is never shown. */
export function PasswordField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  const cell = props.node
  return (
    <FieldFrame frame={frame} isRequired={cell.attribute.required}>
      <input
        {...controlProps(frame)}
        type="password"
        autocomplete="new-password"
        readOnly={frame.isReadOnly}
        placeholder={t('field.password')}
        value={textIn(cell)}
        onInput={event => {
          cell.value.value = event.currentTarget.value
        }}
      />
    </FieldFrame>
  )
}
