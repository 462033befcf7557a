import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Folder } from '../../model/files/folders.js'
import { isWithin } from '../../model/files/folders.js'
import type { Related } from '../../model/form/plain.js'
import { LinkGroups } from '../entry/link-groups.js'
import { type LinkGroup, linksTo } from '../entry/links.js'
import { fileName, fileUid } from '../files/file-type.js'
import { changeLibrary } from '../files/library.js'
import { t } from '../text.js'
import { ChangeDialog } from './dialogs.js'
import type { MediaStore } from './store.js'

interface UsedFile {
  readonly file: Related
  readonly groups: readonly LinkGroup[]
}

/** Files that are looked at at once. */
const atOnce = 4

/** Asks before files are deleted, and says what uses them. */
export function DeleteFiles({
  store,
  onDone,
  onClose,
}: {
  store: MediaStore
  onDone: () => void
  onClose: () => void
}) {
  const files = (store.files.value ?? []).filter(({ id }) => store.chosen.value.has(id))
  const used = useSignal<readonly UsedFile[] | undefined>(undefined)
  useEffect(() => {
    void usesOf(files).then(found => {
      used.value = found
    })
  }, [])
  return (
    <ChangeDialog
      title={t('media.delete', { count: files.length })}
      action={t('do.delete')}
      isDanger
      send={() => changeLibrary('POST', '/delete', { files: files.map(({ id }) => id) })}
      onDone={onDone}
      onClose={onClose}
    >
      {used.value === undefined && <p class="quiet">{t('loading')}</p>}
      {used.value?.length === 0 && <p>{t('media.unused')}</p>}
      {used.value?.map(({ file, groups }) => (
        <section key={file.id}>
          <p>{t('media.usedBy', { title: fileName(file) })}</p>
          <LinkGroups groups={groups} label={fileName(file)} />
        </section>
      ))}
      <p class="quiet">{t('delete.final')}</p>
    </ChangeDialog>
  )
}

async function usesOf(files: readonly Related[]): Promise<readonly UsedFile[]> {
  const found: UsedFile[] = []
  for (let at = 0; at < files.length; at += atOnce) {
    const some = files.slice(at, at + atOnce)
    const groups = await Promise.all(some.map(({ id }) => linksTo({ uid: fileUid }, id)))
    for (const [index, file] of some.entries()) found.push({ file, groups: groups[index] ?? [] })
  }
  return found.filter(({ groups }) => groups.length > 0)
}

interface DeleteFolderProps {
  readonly store: MediaStore
  readonly folder: Folder
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks before a folder is deleted with all that is in it. */
export function DeleteFolder({ store, folder, onDone, onClose }: DeleteFolderProps) {
  const within = (store.folders.value ?? []).filter(one => isWithin(one, folder))
  const isKnown = within.every(({ files }) => files !== undefined)
  const files = within.reduce((sum, one) => sum + (one.files ?? 0), 0)
  return (
    <ChangeDialog
      title={t('delete', { title: folder.name })}
      action={t('do.delete')}
      isDanger
      send={() => changeLibrary('DELETE', `/folders/${folder.id}`)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {within.length > 1 && t('media.foldersGo', { count: within.length - 1 })}{' '}
        {isKnown ? t('media.filesGo', { count: files }) : t('media.allGo')}
      </p>
      <p class="quiet">{t('delete.final')}</p>
    </ChangeDialog>
  )
}
