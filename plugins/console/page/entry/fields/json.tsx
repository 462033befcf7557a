import type { Cell } from '../../../model/form/cell.js'
import { t } from '../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { textIn } from './text.js'

/** JSON as text: what is typed stays, right or wrong. */
export function JsonField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  const cell = props.node
  const beside = !frame.isReadOnly && <Format cell={cell} label={frame.label} />
  return (
    <FieldFrame frame={frame} isRequired={cell.attribute.required} beside={beside}>
      <JsonText cell={cell} frame={frame} />
    </FieldFrame>
  )
}

function JsonText({ cell, frame }: { cell: Cell; frame: Frame }) {
  return (
    <textarea
      {...controlProps(frame)}
      class="code growing"
      spellcheck={false}
      readOnly={frame.isReadOnly}
      value={textIn(cell)}
      onInput={event => {
        cell.value.value = event.currentTarget.value
      }}
    />
  )
}

function Format({ cell, label }: { cell: Cell; label: string }) {
  const { value, problem } = cell.parsed.value
  if (problem || value === null) return null
  return (
    <button
      type="button"
      class="text-button"
      aria-label={t('field.formatOf', { label })}
      onClick={() => {
        cell.value.value = JSON.stringify(value, null, 2)
      }}
    >
      {t('field.format')}
    </button>
  )
}
