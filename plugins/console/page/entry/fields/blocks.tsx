import { useSignal } from '@preact/signals'
import type { Cell } from '../../../model/form/cell.js'
import { isEmpty } from '../../../model/form/typed.js'
import { t } from '../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'

/** Rich text in blocks, as the JSON that it is stored as. */
export function BlocksField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  return (
    <FieldFrame frame={frame} isRequired={props.node.attribute.required}>
      <BlocksText cell={props.node} frame={frame} />
    </FieldFrame>
  )
}

const shown = (value: unknown): string =>
  isEmpty(value) ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

function BlocksText({ cell, frame }: { cell: Cell; frame: Frame }) {
  const { value } = cell.value
  const typed = useSignal({ value, text: shown(value) })
  // Another value than the typed one was read, or brought back.
  const text = typed.value.value === value ? typed.value.text : shown(value)
  const isWrong = typeof value === 'string' && value !== ''
  return (
    <>
      <textarea
        {...controlProps(frame)}
        aria-invalid={frame.isInvalid || isWrong ? 'true' : undefined}
        class="code growing"
        spellcheck={false}
        readOnly={frame.isReadOnly}
        value={text}
        onInput={({ currentTarget }) => {
          const next = parsed(currentTarget.value)
          typed.value = { value: next, text: currentTarget.value }
          cell.value.value = next
        }}
      />
      {isWrong && <p class="problem">{t('problem.list')}</p>}
    </>
  )
}

/** The blocks of a text; the text itself where it has none. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : text
  } catch {
    return text
  }
}
