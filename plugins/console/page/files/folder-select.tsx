import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Labelled } from '../../../pages/page/controls.js'
import { branchesOf, type Folder } from '../../model/files/folders.js'
import { t } from '../text.js'
import { canChooseFiles } from './file-type.js'
import { listFolders } from './library.js'

/** All folders, once they are known; none for who may not list them. */
export function useFolders(): readonly Folder[] {
  const folders = useSignal<readonly Folder[]>([])
  useEffect(() => {
    if (!canChooseFiles()) return
    void listFolders().then(found => {
      folders.value = found ?? []
    })
  }, [])
  return folders.value
}

interface FolderSelectProps {
  readonly folders: readonly Folder[]
  readonly value: number | undefined
  /** The choice that is no folder. */
  readonly none: string
  readonly onChange: (id: number | undefined) => void
}

/** A choice of folders; those in others are indented. */
export const FolderSelect = ({ folders, value, none, onChange }: FolderSelectProps) => (
  <Labelled label={t('media.folder')}>
    {id => (
      <select
        id={id}
        value={value === undefined ? '' : String(value)}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value) || undefined)}
      >
        <option value="">{none}</option>
        {branchesOf(folders).map(({ folder, level }) => (
          <option key={folder.id} value={String(folder.id)}>
            {'\u2003'.repeat(level - 1) + folder.name}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)
