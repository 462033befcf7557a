import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Icon } from '../../../../pages/page/controls.js'
import { rowsWith } from '../../../model/files/arriving.js'
import type { Related } from '../../../model/form/plain.js'
import type { Relation } from '../../../model/form/relation.js'
import { canChooseFiles, canDescribe, fileName } from '../../files/file-type.js'
import { isPicture } from '../../files/kinds.js'
import { Thumbnail } from '../../files/thumbnail.js'
import { AskText, UploadProgress } from '../../files/upload-parts.js'
import type { Upload } from '../../files/uploads.js'
import { lazy } from '../../shell/lazy.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { MoveButtons } from '../move-buttons.js'
import { focusAfter, keepingFocus, moveByKey } from '../moving.js'
import { arrivingOf, type FieldUploads } from './field-uploads.js'

const FileDialog = lazy(() => import('../../files/file-dialog.js').then(part => part.FileDialog))

interface FileListProps {
  readonly relation: Relation
  readonly uploads: FieldUploads
  readonly label: string
  readonly isReadOnly: boolean
}

/** The files of a field in their order, and those on their way to it. */
export function FileList({ relation, uploads, label, isReadOnly }: FileListProps) {
  const list = useRef<HTMLUListElement>(null)
  const edited = useSignal<Related | undefined>(undefined)
  const dragged = useSignal<Related | undefined>(undefined)
  const files = relation.entries.value
  const rows = rowsWith(files, arrivingOf(uploads))
  if (rows.length === 0) return isReadOnly ? <p class="quiet">{t('files.none')}</p> : null
  const canMove = !isReadOnly && files.length > 1
  const move = (file: Related, to: number) => {
    const title = fileName(file)
    keepingFocus(() => relation.move(file, to, title))
    say(t('items.moved', { title, place: to + 1, count: files.length }))
  }
  const remove = (file: Related, row: number) => {
    relation.remove(file, fileName(file))
    say(t('items.removed', { title: fileName(file) }))
    focusAfter(list.current, row)
  }
  const dropOn = (at: number) => {
    const file = dragged.peek()
    dragged.value = undefined
    if (file && at >= 0 && files[at] !== file) move(file, at)
  }
  return (
    <>
      <ul class="file-list" aria-label={label} ref={list}>
        {rows.map(({ key, file, arriving }, row) => {
          const at = file ? files.indexOf(file) : -1
          return (
            <li
              key={key}
              class={dragged.value && dragged.value === file ? 'dragged' : undefined}
              onDragOver={event => dragged.peek() && event.preventDefault()}
              onDrop={event => {
                if (!dragged.peek()) return
                event.preventDefault()
                dropOn(at)
              }}
              onKeyDown={event => {
                if (canMove && file) moveByKey(event, at, files.length, to => move(file, to))
              }}
            >
              <Handle file={file} dragged={dragged} canMove={canMove} />
              <RowText file={file} upload={arriving?.upload} />
              {arriving && !file && (
                <UploadProgress
                  upload={arriving.upload}
                  onRemove={() => {
                    uploads.remove(arriving.upload)
                    focusAfter(list.current, row)
                  }}
                />
              )}
              {file && (
                <RowButtons
                  title={fileName(file)}
                  at={canMove ? at : undefined}
                  count={files.length}
                  onMove={to => move(file, to)}
                  onEdit={() => {
                    edited.value = file
                  }}
                  onRemove={isReadOnly ? undefined : () => remove(file, row)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {edited.value && (
        <FileDialog
          file={edited.value}
          onChange={file => relation.know(file)}
          onClose={() => {
            edited.value = undefined
          }}
        />
      )}
    </>
  )
}

interface HandleProps {
  readonly file: Related | undefined
  readonly dragged: Signal<Related | undefined>
  readonly canMove: boolean
}

/** The picture of a file, by which it is dragged to another place. */
const Handle = ({ file, dragged, canMove }: HandleProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: buttons and keys of the row do the same
  <span
    class="handle"
    draggable={canMove && file !== undefined}
    onDragStart={event => {
      dragged.value = file
      event.dataTransfer?.setData('text/plain', file ? fileName(file) : '')
    }}
    onDragEnd={() => {
      dragged.value = undefined
    }}
  >
    {file ? <Thumbnail file={file} /> : <span class="thumbnail" aria-hidden="true" />}
  </span>
)

interface RowButtonsProps {
  readonly title: string
  /** Its place, where it can be moved. */
  readonly at: number | undefined
  readonly count: number
  readonly onMove: (to: number) => void
  readonly onEdit: () => void
  readonly onRemove: (() => void) | undefined
}

const RowButtons = ({ title, at, count, onMove, onEdit, onRemove }: RowButtonsProps) => (
  <span class="row-buttons">
    {at !== undefined && <MoveButtons title={title} at={at} count={count} onMove={onMove} />}
    {canDescribe() && canChooseFiles() && <Icon label={t('files.edit', { title })} sign="✎" onClick={onEdit} />}
    {onRemove && <Icon label={t('items.remove', { title })} sign="×" onClick={onRemove} />}
  </span>
)

function RowText({ file, upload }: { file: Related | undefined; upload: Upload | undefined }) {
  const isAsked = upload && canDescribe() && isPicture(file?.values.mime ?? upload.content.type)
  return (
    <span class="file-text">
      <span class="file-name" dir="auto">
        {file ? fileName(file) : upload?.content.name}
      </span>
      {file && <Details file={file} isAsked={isAsked === true} />}
      {isAsked && <AskText upload={upload} />}
    </span>
  )
}

/** The size of a picture, and whether it can be understood without being seen. */
function Details({ file: { values }, isAsked }: { file: Related; isAsked: boolean }) {
  const { width, height, mime, ext, alternativeText } = values
  const size = width && height ? `${width}×${height}` : String(ext ?? '')
  const isMissing = alternativeText === null || alternativeText === ''
  return (
    <span class="quiet">
      {size}
      {isPicture(mime) && isMissing && !isAsked && <span class="poor"> {t('files.noText')}</span>}
    </span>
  )
}
