/** A file with the names of the folders that it was dropped in. */
export interface DroppedFile {
  readonly content: File
  readonly way: readonly string[]
}

export const withoutFolders = (files: Iterable<File>): readonly DroppedFile[] =>
  [...files].map(content => ({ content, way: [] }))

/** All files of what was dropped, those of folders in it as well. */
export async function filesOf({ items, files }: DataTransfer): Promise<readonly DroppedFile[]> {
  // Both have to be asked for at once: they are empty afterwards.
  const entries = [...items].map(item => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  const plain = withoutFolders(files)
  const found = await Promise.all(
    entries.map((entry, at) => (entry?.isDirectory ? filesIn(entry, []) : plain.slice(at, at + 1))),
  )
  return entries.length > 0 ? found.flat() : plain
}

async function filesIn(entry: FileSystemEntry, way: readonly string[]): Promise<readonly DroppedFile[]> {
  if (entry.isFile) {
    const file = entry as FileSystemFileEntry
    return new Promise((resolve, reject) => file.file(content => resolve([{ content, way }]), reject))
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const within = [...way, entry.name]
  const all: DroppedFile[] = []
  // A reader tells some entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    for (const one of some) all.push(...(await filesIn(one, within)))
  }
}
