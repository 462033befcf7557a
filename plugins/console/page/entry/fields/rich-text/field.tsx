import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Cell } from '../../../../model/form/cell.js'
import { UploadProgress } from '../../../files/upload-parts.js'
import { lazy } from '../../../shell/lazy.js'
import { t } from '../../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from '../frame.js'
import type { FieldProps } from '../props.js'
import { textIn } from '../text.js'
import { useEditing } from './editing.js'
import { useFullScreen } from './full-screen.js'
import { Tools, type View } from './tools.js'

const Preview = lazy(() => import('../../../markdown/preview.js').then(part => part.Preview))

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
  const place = useRef<HTMLDivElement>(null)
  const view = useSignal<View>('text')
  const full = useFullScreen(place)
  const editing = useEditing(area, frame.isReadOnly)
  const text = textIn(cell)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears keys of the controls in it
    <div class={`rich-text shows-${view.value}`} ref={place} onKeyDown={full.onKey} {...full.props}>
      <Tools
        label={frame.label}
        isReadOnly={frame.isReadOnly}
        view={view.value}
        isFull={full.isFull}
        onMark={editing.mark}
        onInsert={editing.insert}
        onView={shown => {
          view.value = shown
        }}
        onFull={full.toggle}
      />
      <div class="rich-text-parts">
        <textarea
          {...controlProps(frame)}
          {...editing.on}
          ref={area}
          class="growing long"
          dir="auto"
          readOnly={frame.isReadOnly}
          placeholder={placeholder}
          value={text}
          onInput={event => {
            cell.value.value = event.currentTarget.value
          }}
        />
        {view.value !== 'text' && <Preview text={text} label={frame.label} />}
      </div>
      {editing.uploads.map(upload => (
        <p key={upload.key} class="row">
          <span dir="auto">{upload.content.name}</span>
          <UploadProgress upload={upload} onRemove={() => editing.forget(upload)} />
        </p>
      ))}
      <p class="quiet length">{t('field.words', { count: text.match(/\S+/g)?.length ?? 0 })}</p>
    </div>
  )
}
