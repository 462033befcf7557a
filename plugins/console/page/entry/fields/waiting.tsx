import type { ComponentChildren } from 'preact'
import type { Cell } from '../../../model/form/cell.js'
import type { Relation } from '../../../model/form/relation.js'
import { canChooseFiles } from '../../files/file-type.js'
import { t } from '../../text.js'
import { FileButtons } from './file-buttons.js'
import { FieldNotes, type Frame, Required, Shared, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { Tools } from './rich-text/tools.js'
import { textIn } from './text.js'

const nothing = () => {}

/** A Markdown text while its editor is loaded: what follows it does not move when that is there. */
export const WaitingText = (props: FieldProps<Cell>) => (
  <Waiting {...props}>
    {frame => (
      <div class="rich-text">
        <Tools
          {...{ label: frame.label, isReadOnly: frame.isReadOnly, view: 'text', isFull: false }}
          {...{ onMark: nothing, onInsert: nothing, onView: nothing, onFull: nothing }}
        />
        <div class="rich-text-parts">
          <textarea class="growing long" dir="auto" readOnly value={textIn(props.node)} />
        </div>
        <p class="quiet length">{t('field.words', { count: textIn(props.node).match(/\S+/g)?.length ?? 0 })}</p>
      </div>
    )}
  </Waiting>
)

/** Files while their part of the page is loaded: a row for each, and the buttons. */
export const WaitingFiles = (props: FieldProps<Relation>) => {
  const files = props.node.entries.value
  return (
    <Waiting {...props}>
      {frame => (
        <>
          {files.length > 0 && (
            <ul class="file-list">
              {files.map((_, at) => (
                <li key={at}>
                  <span class="thumbnail" />
                </li>
              ))}
            </ul>
          )}
          {frame.isReadOnly ? (
            files.length === 0 && <p class="quiet">{t('files.none')}</p>
          ) : (
            <FileButtons
              {...{ id: frame.id, label: frame.label, attribute: props.node.attribute }}
              {...{ onChoose: nothing, onUpload: nothing }}
            />
          )}
        </>
      )}
    </Waiting>
  )
}

function Waiting({ children, ...props }: FieldProps & { children: (frame: Frame) => ComponentChildren }) {
  const frame = useFrame(props)
  return (
    <div class="field waiting" aria-busy="true">
      <div class="field-head">
        <span class="label">
          {frame.label}
          <Required isRequired={props.node.attribute.required} />
        </span>
        <Shared frame={frame} />
      </div>
      <div inert>{children(frame)}</div>
      <FieldNotes frame={frame} />
    </div>
  )
}

/** An editor of blocks while it is loaded: its tools and the least that it takes. */
export const WaitingBlocks = ({ frame: { isReadOnly } }: { frame: Frame }) => (
  <div class="blocks-editor" aria-busy="true" inert>
    {!isReadOnly && (
      <div class="tools">
        <select>
          <option>{t('blocks.kind.ordered')}</option>
        </select>
        {Array.from({ length: canChooseFiles() ? 11 : 10 }, (_, at) => (
          <button key={at} type="button" class="icon" />
        ))}
      </div>
    )}
    <div class="blocks" />
    <p class="quiet length">{isReadOnly ? '' : t('blocks.keys')}</p>
  </div>
)
