import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { wayTo } from '../../model/files/folders.js'
import { filesOnPage } from '../../model/files/view.js'
import type { Related } from '../../model/form/plain.js'
import { download } from '../files/download.js'
import { FileDialog } from '../files/file-dialog.js'
import { canDescribe, canUpload } from '../files/file-type.js'
import { UploadButton } from '../files/upload-button.js'
import { say } from '../shell/messages.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { DeleteFiles, DeleteFolder } from './delete-files.js'
import { FolderDialog, MoveDialog } from './dialogs.js'
import { type DroppedFile, withoutFolders } from './dropped.js'
import { Grid } from './grid.js'
import { MediaStore } from './store.js'
import { MediaTools } from './tools.js'
import { FolderTree } from './tree.js'
import { UploadList } from './upload-list.js'
import { arrived, uploadTo } from './uploading.js'
import { useDrop } from './use-drop.js'
import './media.css'

type Asking = 'new' | 'edit' | 'move' | 'delete' | 'delete-folder'

/** Milliseconds after which files that have come are shown. */
const pause = 300

/** The library of files. */
export function Media() {
  const store = useMemo(() => new MediaStore(), [])
  const opened = useSignal<Related | undefined>(undefined)
  const asking = useSignal<Asking | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => store.start(), [store])
  useEffect(() => {
    if (arrived.value === 0) return undefined
    // Several that come at once are shown at once.
    const waiting = setTimeout(() => void store.refresh(), pause)
    return () => clearTimeout(waiting)
  }, [arrived.value])
  const send = async (files: readonly DroppedFile[]) => {
    if (files.length === 0) return
    problem.value = (await uploadTo(store, files)).failure
  }
  const isOver = useDrop(canUpload(), send, () => {
    problem.value = t('media.unreadable')
  })
  const ask = (what: Asking | undefined) => () => {
    asking.value = what
  }
  return (
    <View
      title={t('nav.media')}
      beside={
        <div class="row">
          {canUpload() && (
            <>
              <UploadButton label={t('media.upload')} many onPick={files => void send(withoutFolders(files))} />
              <button type="button" class="button" onClick={ask('new')}>
                {t('media.newFolder')}
              </button>
            </>
          )}
        </div>
      }
    >
      <div class={isOver.value ? 'media over' : 'media'}>
        <FolderTree store={store} />
        <div class="media-work">
          <MediaTools store={store} />
          {store.areFoldersFailed.value && (
            <p class="problem" role="alert">
              {t('media.foldersFailed')}{' '}
              <button type="button" class="text-button" onClick={() => void store.readFolders()}>
                {t('tryAgain')}
              </button>
            </p>
          )}
          <Way store={store} onEdit={ask('edit')} onDelete={ask('delete-folder')} />
          {problem.value !== undefined && (
            <p class="problem" role="alert">
              {problem.value}
            </p>
          )}
          <UploadList />
          <Grid
            store={store}
            onOpen={file => {
              opened.value = file
            }}
          />
          <Chosen store={store} onMove={ask('move')} onDelete={ask('delete')} />
          <Pages store={store} />
        </div>
      </div>
      {opened.value && (
        <FileDialog
          key={opened.value.id}
          file={opened.value}
          onChange={file => {
            store.know(file)
            void store.refresh()
          }}
          onClose={() => {
            opened.value = undefined
          }}
        />
      )}
      <Dialogs store={store} asking={asking} />
    </View>
  )
}

/** The dialogs about folders and chosen files. */
function Dialogs({ store, asking }: { store: MediaStore; asking: Signal<Asking | undefined> }) {
  const folder = store.folder.value
  const onClose = () => {
    asking.value = undefined
  }
  const done = (text: string) => () => {
    say(text)
    store.chosen.value = new Set()
    // The button that began it may be gone.
    document.querySelector<HTMLElement>('h1')?.focus()
    void store.refresh()
  }
  const left = () => {
    store.change({ folder: folder?.parent ?? undefined } as { folder: number })
    done(t('media.deleted'))()
  }
  switch (asking.value) {
    case 'new':
      return <FolderDialog store={store} onDone={done(t('media.made'))} onClose={onClose} />
    case 'edit':
      return (
        folder && <FolderDialog store={store} folder={folder} onDone={done(t('media.changed'))} onClose={onClose} />
      )
    case 'move':
      return <MoveDialog store={store} onDone={done(t('media.moved'))} onClose={onClose} />
    case 'delete':
      return <DeleteFiles store={store} onDone={done(t('media.deleted'))} onClose={onClose} />
    case 'delete-folder':
      return folder && <DeleteFolder store={store} folder={folder} onDone={left} onClose={onClose} />
    default:
      return null
  }
}

/** The folder that is shown, the folders around it, and what may be done to it. */
function Way({ store, onEdit, onDelete }: { store: MediaStore; onEdit: () => void; onDelete: () => void }) {
  const folder = store.folder.value
  const isGone = !folder && store.view.value.folder !== undefined && store.folders.value !== undefined
  if (isGone) return <p class="problem">{t('media.folderGone')}</p>
  if (!folder) return null
  const way = wayTo(store.folders.value ?? [], folder.id)
  return (
    <div class="row way">
      <h2 dir="auto">{way.map(({ name }) => name).join(' › ')}</h2>
      {canDescribe() && (
        <>
          <button type="button" class="text-button" onClick={onEdit}>
            {t('media.editFolder')}
          </button>
          <button type="button" class="text-button" onClick={onDelete}>
            {t('media.deleteFolder')}
          </button>
        </>
      )}
    </div>
  )
}

function Chosen({ store, onMove, onDelete }: { store: MediaStore; onMove: () => void; onDelete: () => void }) {
  const count = store.chosen.value.size
  if (count === 0) return null
  return (
    <div class="chosen-bar" role="toolbar" aria-label={t('media.chosen')}>
      <span>{t('chosen.count', { count })}</span>
      <button
        type="button"
        class="text-button"
        onClick={() => {
          store.chosen.value = new Set()
        }}
      >
        {t('chosen.none')}
      </button>
      <span class="spread" />
      <button
        type="button"
        class="button"
        onClick={() => download((store.files.peek() ?? []).filter(({ id }) => store.chosen.peek().has(id)))}
      >
        {t('files.downloadShort')}
      </button>
      {canDescribe() && (
        <>
          <button type="button" class="button" onClick={onMove}>
            {t('media.doMove')}
          </button>
          <button type="button" class="button danger" onClick={onDelete}>
            {t('do.delete')}
          </button>
        </>
      )}
    </div>
  )
}

function Pages({ store }: { store: MediaStore }) {
  const { from } = store.view.value
  const count = store.files.value?.length ?? 0
  if (from === 0 && !store.hasMore.value) return null
  return (
    <nav class="pages" aria-label={t('pages')}>
      <p role="status">{count > 0 && t('pages.range', { from: from + 1, to: from + count })}</p>
      <span class="spread" />
      <button
        type="button"
        class="button"
        aria-disabled={from === 0}
        onClick={() => from > 0 && store.change({ from: Math.max(0, from - filesOnPage) })}
      >
        {t('pages.previous')}
      </button>
      <button
        type="button"
        class="button"
        aria-disabled={!store.hasMore.value}
        onClick={() => store.hasMore.value && store.change({ from: from + filesOnPage })}
      >
        {t('pages.next')}
      </button>
    </nav>
  )
}
