import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Icon } from '../../../../pages/page/controls.js'
import { type Related, refOf } from '../../../model/form/plain.js'
import type { Relation } from '../../../model/form/relation.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { useEntry } from '../context.js'
import { focusAfter, keepingFocus, placeByKey } from '../moving.js'
import { ChooseFiles } from './choose-files.js'
import { acceptOf, canChooseFiles, canUpload, fileName, upload } from './file-requests.js'
import { FieldNotes, Required, Shared, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { Thumbnail } from './thumbnail.js'

/** Files of the library, in order: chosen from it, or uploaded. */
export function FilesField(props: FieldProps<Relation>) {
  const { node } = props
  const frame = useFrame(props)
  const { many, accepts } = node.attribute
  const isChoosing = useSignal(false)
  const put = (files: readonly Related[]) => {
    const names = files.map(fileName).join(', ')
    node.choose(many ? [...node.entries.peek(), ...files] : files.slice(0, 1), names)
    say(t('items.added', { title: names }))
  }
  return (
    <fieldset class="field files-field" aria-labelledby={`${frame.id}-label`} aria-describedby={frame.describedBy}>
      <div class="field-head">
        <span class="label">
          <span id={`${frame.id}-label`}>{frame.label}</span>
          <Required isRequired={node.attribute.required} />
        </span>
        <Shared frame={frame} />
      </div>
      <FileList relation={node} label={frame.label} isReadOnly={frame.isReadOnly} />
      {frame.isReadOnly ? (
        <span id={frame.id} tabIndex={-1} />
      ) : (
        <div class="row">
          {canChooseFiles() && (
            <button
              type="button"
              class="button"
              id={frame.id}
              onClick={() => {
                isChoosing.value = true
              }}
            >
              {t('files.choose', { label: frame.label })}
            </button>
          )}
          {canUpload() && <Upload id={frame.id} label={frame.label} many={many} accepts={accepts} onDone={put} />}
        </div>
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

interface FileListProps {
  readonly relation: Relation
  readonly label: string
  readonly isReadOnly: boolean
}

function FileList({ relation, label, isReadOnly }: FileListProps) {
  const list = useRef<HTMLUListElement>(null)
  const files = relation.entries.value
  if (files.length === 0) return isReadOnly ? <p class="quiet">{t('files.none')}</p> : null
  const canMove = !isReadOnly && files.length > 1
  const move = (file: Related, to: number) => {
    const title = fileName(file)
    keepingFocus(() => relation.move(file, to, title))
    say(t('items.moved', { title, place: to + 1, count: files.length }))
  }
  const remove = (file: Related, at: number) => {
    relation.remove(file, fileName(file))
    say(t('items.removed', { title: fileName(file) }))
    focusAfter(list.current, at)
  }
  return (
    <ul class="file-list" aria-label={label} ref={list}>
      {files.map((file, at) => {
        const title = fileName(file)
        return (
          <li
            key={refOf(file)}
            onKeyDown={event => {
              const to = canMove ? placeByKey(event, at, files.length) : undefined
              if (to === undefined) return
              event.preventDefault()
              event.stopPropagation()
              if (to !== at) move(file, to)
            }}
          >
            <Thumbnail file={file} />
            <span class="file-text">
              <span class="file-name" dir="auto">
                {title}
              </span>
              <Details file={file} />
            </span>
            {canMove && (
              <>
                <Icon
                  label={t('items.up', { title })}
                  sign="▲"
                  disabled={at === 0}
                  onClick={() => move(file, at - 1)}
                />
                <Icon
                  label={t('items.down', { title })}
                  sign="▼"
                  disabled={at === files.length - 1}
                  onClick={() => move(file, at + 1)}
                />
              </>
            )}
            {!isReadOnly && <Icon label={t('items.remove', { title })} sign="×" onClick={() => remove(file, at)} />}
          </li>
        )
      })}
    </ul>
  )
}

/** The size of a picture, and whether it can be understood without being seen. */
function Details({ file: { values } }: { file: Related }) {
  const { width, height, mime, ext, alternativeText } = values
  const isPicture = String(mime ?? '').startsWith('image/')
  const size = width && height ? `${width}×${height}` : String(ext ?? '')
  const isMissing = alternativeText === null || alternativeText === ''
  return (
    <span class="quiet">
      {size}
      {isPicture && isMissing && <span class="poor"> {t('files.noText')}</span>}
    </span>
  )
}

interface UploadProps {
  readonly id: string
  readonly label: string
  readonly many: boolean
  readonly accepts: readonly string[] | undefined
  readonly onDone: (files: readonly Related[]) => void
}

function Upload({ id, label, many, accepts, onDone }: UploadProps) {
  const input = useRef<HTMLInputElement>(null)
  const isSending = useSignal(false)
  const problem = useSignal<string | undefined>(undefined)
  const { store } = useEntry()
  const send = async (files: readonly File[]) => {
    if (files.length === 0) return
    isSending.value = true
    problem.value = undefined
    const found = await upload(files, store.type)
    isSending.value = false
    if (input.current) input.current.value = ''
    if ('failure' in found) problem.value = found.failure
    else onDone(found.files)
  }
  return (
    <>
      <button
        type="button"
        class="button"
        id={canChooseFiles() ? undefined : id}
        disabled={isSending.value}
        onClick={() => input.current?.click()}
      >
        {t('files.upload', { label })}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={t('files.upload', { label })}
        multiple={many}
        accept={acceptOf(accepts)}
        onChange={event => void send([...(event.currentTarget.files ?? [])])}
      />
      {isSending.value && <span role="status">{t('files.sending')}</span>}
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </>
  )
}
