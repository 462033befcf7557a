import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Branch, branchesOf, type Folder, wayTo } from '../../model/files/folders.js'
import { t } from '../text.js'
import type { MediaStore } from './store.js'

/** A row of the tree: all files, or a folder. */
interface TreeRow extends Partial<Branch> {
  readonly key: string
  readonly label: string
}

/** Folders as a tree: arrows move and open, Enter shows the files of one. */
export function FolderTree({ store }: { store: MediaStore }) {
  const folders = store.folders.value ?? []
  const current = store.view.value.folder
  const opened = useSignal<Readonly<Record<number, boolean>>>({})
  const list = useRef<HTMLDivElement>(null)
  const way = wayTo(folders, current).slice(0, -1)
  const isOpen = ({ id }: Folder) => opened.value[id] ?? way.some(one => one.id === id)
  const rows: readonly TreeRow[] = [
    { key: 'all', label: t('media.all') },
    ...branchesOf(folders, isOpen).map(branch => {
      const { name, files, id } = branch.folder
      const label = files === undefined ? name : t('media.counted', { name, count: files })
      return { ...branch, key: String(id), label }
    }),
  ]
  const shown = rows.findIndex(({ folder }) => folder?.id === current)
  const open = (folder: Folder | undefined, isOn: boolean) => {
    if (folder) opened.value = { ...opened.peek(), [folder.id]: isOn }
  }
  const show = (folder: Folder | undefined) => store.change({ folder: folder?.id, from: 0 } as { folder: number })
  const focus = (at: number) => list.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[at]?.focus()
  const onKey = (event: KeyboardEvent, row: TreeRow, at: number) => {
    const { folder, hasFolders = false } = row
    const around = () => rows.findIndex(other => other.folder?.id === folder?.parent)
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(Math.min(at + 1, rows.length - 1)),
      ArrowUp: () => focus(Math.max(at - 1, 0)),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () =>
        hasFolders && folder && !isOpen(folder) ? open(folder, true) : focus(at + (hasFolders ? 1 : 0)),
      ArrowLeft: () => (hasFolders && folder && isOpen(folder) ? open(folder, false) : focus(Math.max(around(), 0))),
      Enter: () => show(folder),
      ' ': () => show(folder),
    }
    const does = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!does) return
    event.preventDefault()
    does()
  }
  return (
    <div class="tree" role="tree" aria-label={t('media.folders')} ref={list}>
      {rows.map((row, at) => {
        const { folder, level = 0, hasFolders } = row
        return (
          <div
            key={row.key}
            role="treeitem"
            aria-level={level + 1}
            aria-selected={at === shown}
            aria-expanded={hasFolders && folder ? isOpen(folder) : undefined}
            tabIndex={at === Math.max(shown, 0) ? 0 : -1}
            class={`level-${Math.min(level, 6)}`}
            onKeyDown={event => onKey(event, row, at)}
            onClick={() => {
              if (folder && hasFolders && at === shown) open(folder, !isOpen(folder))
              show(folder)
            }}
          >
            <span class="tree-sign" aria-hidden="true">
              {hasFolders && folder ? (isOpen(folder) ? '▾' : '▸') : ''}
            </span>
            <span dir="auto">{row.label}</span>
          </div>
        )
      })}
    </div>
  )
}
