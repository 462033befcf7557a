import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from '../../../pages/page/dialog.js'
import { type Folder, isWithin } from '../../model/files/folders.js'
import { FolderSelect } from '../files/folder-select.js'
import { changeLibrary } from '../files/library.js'
import { useIsShown } from '../shell/is-shown.js'
import { t } from '../text.js'
import type { MediaStore } from './store.js'

/** A form in a dialog that changes the library: it closes where the server has done it, and says why otherwise. */
export function ChangeDialog({
  title,
  action,
  isDanger = false,
  send,
  onDone,
  onClose,
  children,
}: {
  title: string
  action: string
  isDanger?: boolean
  send: () => ReturnType<typeof changeLibrary>
  onDone: (body: unknown) => void
  onClose: () => void
  children: ComponentChildren
}) {
  const isShown = useIsShown()
  const isSending = useSignal(false)
  const problem = useSignal<string | undefined>(undefined)
  const submit = async () => {
    isSending.value = true
    const reply = await send()
    isSending.value = false
    if ('failure' in reply) problem.value = reply.failure
    else {
      if (isShown()) onClose()
      onDone(reply.body)
    }
  }
  return (
    <Dialog title={title} closeLabel={t('close')} onClose={onClose}>
      <form
        class="file-dialog"
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class={isDanger ? 'button danger' : 'button primary'} disabled={isSending.value}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface FolderDialogProps {
  readonly store: MediaStore
  /** The folder that is changed; a new one without it. */
  readonly folder?: Folder
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Makes a folder, or gives one another name or place. */
export function FolderDialog({ store, folder, onDone, onClose }: FolderDialogProps) {
  const name = useSignal(folder?.name ?? '')
  const parent = useSignal<number | undefined>(folder ? (folder.parent ?? undefined) : store.folder.peek()?.id)
  const places = (store.folders.value ?? []).filter(one => !folder || !isWithin(one, folder))
  const send = async () => {
    const body = { name: name.peek(), parent: parent.peek() ?? null }
    const sent = await (folder
      ? changeLibrary('PUT', `/folders/${folder.id}`, body)
      : changeLibrary('POST', '/folders', body))
    return 'failure' in sent ? { failure: worded(sent.failure, body.name) } : sent
  }
  return (
    <ChangeDialog
      title={folder ? t('media.editFolder') : t('media.newFolder')}
      action={t('entry.save')}
      send={send}
      onDone={onDone}
      onClose={onClose}
    >
      <div class="field">
        <label for="folder-name">{t('files.name')}</label>
        <input
          id="folder-name"
          type="text"
          dir="auto"
          autocomplete="off"
          required
          maxLength={255}
          value={name.value}
          onInput={event => {
            name.value = event.currentTarget.value
          }}
        />
      </div>
      <FolderSelect
        folders={places}
        value={parent.value}
        none={t('media.noFolder')}
        onChange={id => {
          parent.value = id
        }}
      />
    </ChangeDialog>
  )
}

/** The reason in the words of the form: the server names the value as its API does. */
const worded = (failure: string, name: string): string =>
  failure.startsWith('name has ')
    ? `${t('files.name')}: ${t('media.folderTaken', { name })}`
    : failure.replace(/^name /, `${t('files.name')} `)

/** Moves the chosen files to a folder. */
export function MoveDialog({ store, onDone, onClose }: Omit<FolderDialogProps, 'folder'>) {
  const to = useSignal<number | undefined>(store.folder.peek()?.id)
  const files = [...store.chosen.value]
  return (
    <ChangeDialog
      title={t('media.move', { count: files.length })}
      action={t('media.doMove')}
      send={() => changeLibrary('POST', '/move', { files, to: to.peek() ?? null })}
      onDone={onDone}
      onClose={onClose}
    >
      <FolderSelect
        folders={store.folders.value ?? []}
        value={to.value}
        none={t('media.noFolder')}
        onChange={id => {
          to.value = id
        }}
      />
    </ChangeDialog>
  )
}
