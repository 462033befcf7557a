import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Related } from '../../model/form/plain.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { fileName } from './file-type.js'
import { FocalPoint, type Point, pointOf } from './focal-point.js'
import { FolderSelect, useFolders } from './folder-select.js'
import { isPicture } from './kinds.js'
import { changeLibrary, describeFile, type FileReply, readFile, replaceFile } from './library.js'
import { Thumbnail } from './thumbnail.js'
import { UploadButton } from './upload-button.js'

interface FileFormProps {
  readonly file: Related
  readonly isReadOnly: boolean
  readonly onReplaced: (file: Related) => void
  readonly onSaved: (file: Related) => void
}

interface Texts {
  readonly name: string
  readonly alternativeText: string
  readonly caption: string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts, the folder and the focal point of a file; its content can be replaced. */
export function FileForm({ file, isReadOnly, onReplaced, onSaved }: FileFormProps) {
  const { name, alternativeText, caption, folderPath, mime } = file.values
  const folders = useFolders()
  const texts = useSignal<Texts>({
    name: textOf(name),
    alternativeText: textOf(alternativeText),
    caption: textOf(caption),
  })
  const point = useSignal<Point | undefined>(pointOf(file))
  const folder = useSignal<number | null | undefined>(undefined)
  const isSending = useSignal(false)
  const problem = useSignal<string | undefined>(undefined)
  const stored = folders.find(({ path }) => path === folderPath)?.id ?? null
  const type = (part: keyof Texts) => (value: string) => {
    texts.value = { ...texts.value, [part]: value }
  }
  const send = async (work: () => Promise<FileReply>, done: (file: Related) => void) => {
    isSending.value = true
    const reply = await work()
    isSending.value = false
    problem.value = 'failure' in reply ? reply.failure : undefined
    if ('file' in reply) done(reply.file)
  }
  const save = async (): Promise<FileReply> => {
    const to = folder.peek()
    const isMoved = to !== undefined && to !== stored
    if (isMoved) {
      const moved = await changeLibrary('POST', '/move', { files: [file.id], to })
      if ('failure' in moved) return { ...moved, status: 0 }
    }
    const focus = point.peek()
    const reply = await describeFile(file, { ...texts.peek(), ...(focus && { focalX: focus.x, focalY: focus.y }) })
    if ('file' in reply) return readFile(file)
    // Its folder is another one, whatever stands against the texts.
    const now = isMoved ? await readFile(file) : reply
    if ('file' in now) onReplaced(now.file)
    return reply
  }
  return (
    <form
      class="file-form"
      onSubmit={event => {
        event.preventDefault()
        // Events of a dialog go on to the form of the entry, in which it stands.
        event.stopPropagation()
        void send(save, onSaved)
      }}
    >
      {isPicture(mime) ? <FocalPoint file={file} point={point} isReadOnly={isReadOnly} /> : <Thumbnail file={file} />}
      <Text label={t('files.name')} value={texts.value.name} onType={type('name')} isReadOnly={isReadOnly} isRequired />
      <Text
        label={t('files.text')}
        value={texts.value.alternativeText}
        onType={type('alternativeText')}
        isReadOnly={isReadOnly}
      />
      <Text label={t('files.caption')} value={texts.value.caption} onType={type('caption')} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <FolderSelect
          folders={folders}
          value={(folder.value === undefined ? stored : folder.value) ?? undefined}
          none={t('media.noFolder')}
          onChange={id => {
            folder.value = id ?? null
          }}
        />
      )}
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {!isReadOnly && (
        <div class="row dialog-buttons">
          <UploadButton
            label={t('files.replace')}
            many={false}
            onPick={([content]) => {
              const replaced = (changed: Related) => {
                say(t('files.replaced', { title: fileName(changed) }))
                onReplaced(changed)
              }
              if (content) void send(() => replaceFile(file, content), replaced)
            }}
          />
          <span class="spread" />
          <button type="submit" class="button primary" disabled={isSending.value}>
            {t('entry.save')}
          </button>
        </div>
      )}
    </form>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly onType: (value: string) => void
  readonly isReadOnly: boolean
  readonly isRequired?: boolean
}

function Text({ label, value, onType, isReadOnly, isRequired = false }: TextProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        dir="auto"
        autocomplete="off"
        maxLength={255}
        required={isRequired}
        readOnly={isReadOnly}
        value={value}
        onInput={event => onType(event.currentTarget.value)}
      />
    </div>
  )
}
