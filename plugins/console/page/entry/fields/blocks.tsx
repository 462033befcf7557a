import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Cell } from '../../../model/form/cell.js'
import { isEmpty } from '../../../model/form/typed.js'
import { t } from '../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { WaitingBlocks } from './waiting.js'

interface ControlProps {
  readonly cell: Cell
  readonly frame: Frame
}

/** The editor, once its part of the page is there. */
let editor: ComponentType<ControlProps> | undefined

/** Loads the editor; the next field that opens has it at once. */
export async function loadBlocks(): Promise<ComponentType<ControlProps>> {
  const { BlocksView } = await import('../blocks/blocks-view.js')
  editor = BlocksView
  return BlocksView
}

/** Rich text in blocks: an editor, or the JSON that they are stored as. */
export function BlocksField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  const cell = props.node
  const Editor = useSignal(editor)
  const isJson = useSignal(false)
  useEffect(() => {
    if (Editor.peek()) return
    loadBlocks().then(
      View => {
        Editor.value = View
      },
      // The blocks can be written all the same.
      () => {
        isJson.value = true
      },
    )
  }, [])
  return (
    <FieldFrame
      frame={frame}
      isRequired={cell.attribute.required}
      beside={<Way cell={cell} label={frame.label} isJson={isJson} />}
    >
      <Control cell={cell} frame={frame} isJson={isJson.value} Editor={Editor.value} />
    </FieldFrame>
  )
}

/** A text that is no JSON yet can only be shown as such. */
const isText = ({ value: { value } }: Cell): boolean => typeof value === 'string' && value !== ''

function Control({
  isJson,
  Editor,
  ...rest
}: ControlProps & { isJson: boolean; Editor: ComponentType<ControlProps> | undefined }) {
  if (isJson || isText(rest.cell)) return <BlocksText {...rest} />
  return Editor ? <Editor {...rest} /> : <WaitingBlocks frame={rest.frame} />
}

function Way({ cell, label, isJson }: { cell: Cell; label: string; isJson: { value: boolean } }) {
  const is = isJson.value || isText(cell)
  const text = is ? t('blocks.showEditor') : t('blocks.showJson')
  return (
    <button
      type="button"
      class="text-button"
      aria-label={`${text}: ${label}`}
      disabled={isText(cell)}
      onClick={() => {
        isJson.value = !is
      }}
    >
      {text}
    </button>
  )
}

const shown = (value: unknown): string =>
  isEmpty(value) ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

function BlocksText({ cell, frame }: ControlProps) {
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
