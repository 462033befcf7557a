import { useRef } from 'preact/hooks'
import type { Cell } from '../../../model/form/cell.js'
import { type Mark, marked } from '../../../model/markdown.js'
import { t } from '../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { textIn } from './text.js'

const marks = [
  { mark: 'bold', sign: 'B', key: 'b' },
  { mark: 'italic', sign: 'I', key: 'i' },
  { mark: 'heading', sign: 'H' },
  { mark: 'quote', sign: '“' },
  { mark: 'list', sign: '•' },
  { mark: 'numbers', sign: '≡' },
  { mark: 'code', sign: '<>' },
  { mark: 'link', sign: '↗', key: 'k' },
] as const satisfies readonly { mark: Mark; sign: string; key?: string }[]

/** Markdown: the source stays as it is typed. */
export function RichTextField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  return (
    <FieldFrame frame={frame} isRequired={props.node.attribute.required}>
      <Markdown cell={props.node} frame={frame} placeholder={props.layout?.placeholder} />
    </FieldFrame>
  )
}

function Markdown({ cell, frame, placeholder }: { cell: Cell; frame: Frame; placeholder: string | undefined }) {
  const area = useRef<HTMLTextAreaElement>(null)
  const text = textIn(cell)
  const apply = (mark: Mark) => {
    const control = area.current
    if (!control || frame.isReadOnly) return
    const { from, to, text, select } = marked(control.value, control.selectionStart, control.selectionEnd, mark)
    control.focus()
    control.setSelectionRange(from, to)
    // The browser's own editing, so that its undo knows of it.
    document.execCommand('insertText', false, text)
    control.setSelectionRange(...select)
  }
  const onKey = (event: KeyboardEvent) => {
    const found = (event.ctrlKey || event.metaKey) && marks.find(one => 'key' in one && one.key === event.key)
    if (!found) return
    event.preventDefault()
    event.stopPropagation()
    apply(found.mark)
  }
  return (
    <div class="rich-text">
      {!frame.isReadOnly && (
        <div class="tools" role="toolbar" aria-label={t('richText.tools', { label: frame.label })}>
          {marks.map(({ mark, sign }) => (
            <button
              key={mark}
              type="button"
              class={`icon mark-${mark}`}
              aria-label={t(`richText.${mark}`)}
              title={t(`richText.${mark}`)}
              onClick={() => apply(mark)}
            >
              <span aria-hidden="true">{sign}</span>
            </button>
          ))}
        </div>
      )}
      <textarea
        {...controlProps(frame)}
        ref={area}
        class="growing long"
        dir="auto"
        readOnly={frame.isReadOnly}
        placeholder={placeholder}
        value={text}
        onKeyDown={onKey}
        onInput={event => {
          cell.value.value = event.currentTarget.value
        }}
      />
      <p class="quiet length">{t('field.words', { count: text.match(/\S+/g)?.length ?? 0 })}</p>
    </div>
  )
}
