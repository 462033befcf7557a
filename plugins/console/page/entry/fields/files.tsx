import { useSignal } from '@preact/signals'
import type { Related } from '../../../model/form/plain.js'
import type { Relation } from '../../../model/form/relation.js'
import { canUpload, fileName } from '../../files/file-type.js'
import { lazy } from '../../shell/lazy.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { useEntry } from '../context.js'
import { useUploads } from './field-uploads.js'
import { FileButtons } from './file-buttons.js'
import { FileList } from './file-list.js'
import { FieldNotes, GroupLabel, Shared, useFrame } from './frame.js'
import type { FieldProps } from './props.js'

const ChooseFiles = lazy(() => import('../../files/choose-files.js').then(part => part.ChooseFiles))

/** Files of the library, in order: chosen from it, uploaded, dropped or pasted. */
export function FilesField(props: FieldProps<Relation>) {
  const { node } = props
  const frame = useFrame(props)
  const { store } = useEntry()
  const { many, accepts } = node.attribute
  const isChoosing = useSignal(false)
  const isOver = useSignal(false)
  const uploads = useUploads(props, store)
  const mayUpload = canUpload() && !frame.isReadOnly
  const put = (files: readonly Related[]) => {
    const names = files.map(fileName).join(', ')
    node.choose(many ? [...node.entries.peek(), ...files] : files.slice(0, 1), names)
    say(t('items.added', { title: names }))
  }
  const take = (event: Event, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])]
    if (!mayUpload || files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    uploads.add(files)
  }
  return (
    <fieldset
      class={isOver.value ? 'field files-field over' : 'field files-field'}
      aria-labelledby={`${frame.id}-label`}
      aria-describedby={frame.describedBy}
      onDragOver={event => {
        if (!mayUpload || !event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) isOver.value = false
      }}
      onDrop={event => {
        isOver.value = false
        take(event, event.dataTransfer)
      }}
      onPaste={event => take(event, event.clipboardData)}
    >
      <div class="field-head">
        <span class="label">
          <GroupLabel frame={frame} isRequired={node.attribute.required} />
        </span>
        <Shared frame={frame} />
      </div>
      <FileList relation={node} uploads={uploads} label={frame.label} isReadOnly={frame.isReadOnly} />
      {frame.isReadOnly ? (
        <span id={frame.id} tabIndex={-1} />
      ) : (
        <FileButtons
          id={frame.id}
          label={frame.label}
          attribute={node.attribute}
          onChoose={() => {
            isChoosing.value = true
          }}
          onUpload={files => uploads.add(files)}
        />
      )}
      <FieldNotes frame={frame} />
      {isChoosing.value && (
        <ChooseFiles
          label={frame.label}
          many={many}
          accepts={accepts}
          chosen={node.entries.peek()}
          onClose={() => {
            isChoosing.value = false
          }}
          onChoose={files => {
            isChoosing.value = false
            if (files.length > 0) put(files)
          }}
        />
      )}
    </fieldset>
  )
}
