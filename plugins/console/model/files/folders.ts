/** A folder of files, as the server lists it. */
export interface Folder {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly parent: number | null
  /** The files in it, where the account may list all files. */
  readonly files?: number
}

/** A folder in the tree of folders. */
export interface Branch {
  readonly folder: Folder
  /** 1 for those beside all folders. */
  readonly level: number
  readonly hasFolders: boolean
}

/** Folders in the order of the tree, by name; those in a closed folder are left out. */
export function branchesOf(
  folders: readonly Folder[],
  isOpen: (folder: Folder) => boolean = () => true,
): readonly Branch[] {
  const byName = [...folders].sort((one, other) => one.name.localeCompare(other.name))
  const within = (parent: number | null, level: number): Branch[] =>
    byName
      .filter(folder => folder.parent === parent)
      .flatMap(folder => {
        const hasFolders = folders.some(other => other.parent === folder.id)
        return [{ folder, level, hasFolders }, ...(hasFolders && isOpen(folder) ? within(folder.id, level + 1) : [])]
      })
  return within(null, 1)
}

/** A folder and the folders around it, the outermost first. */
export function wayTo(folders: readonly Folder[], id: number | null | undefined): readonly Folder[] {
  const folder = folders.find(one => one.id === id)
  return folder ? [...wayTo(folders, folder.parent), folder] : []
}

/** True for a folder and those in it. */
export const isWithin = ({ path }: Folder, around: Folder): boolean =>
  path === around.path || path.startsWith(`${around.path}/`)
