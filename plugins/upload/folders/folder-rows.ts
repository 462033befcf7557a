import { type Entry, rowsOf, type Session } from '../../../core/index.js'
import { folderUid } from '../content-types.js'
import type { UploadHost } from '../files.js'
import { wrong } from './input.js'

/** Changes of folders happen one after the other: names are unique beside each other, and paths lead to the root. */
export const foldersLock = 'folders'

/** A folder of the library. Its path has the numbers of the folders around it, and its own: `/1/2`. */
export interface FolderRow {
  readonly id: number
  readonly name: string
  readonly pathId: number
  readonly path: string
  /** The folder around it. */
  readonly parent: number | null
  readonly createdAt: unknown
  readonly updatedAt: unknown
}

/** All folders, those around others first. */
export async function foldersIn({ entries }: Pick<UploadHost, 'entries'>, session?: Session): Promise<FolderRow[]> {
  const populate = { parent: { fields: ['id'] } }
  const found = await entries(folderUid, session).find({ populate, sort: ['path', 'id'] })
  return found.map(rowOf)
}

function rowOf({ id, name, pathId, path, parent, createdAt, updatedAt }: Entry): FolderRow {
  const around = (parent as { readonly id: number } | null | undefined)?.id
  return {
    ...{ id: Number(id), name: String(name), pathId: Number(pathId), path: String(path) },
    parent: around === undefined ? null : Number(around),
    ...{ createdAt, updatedAt },
  }
}

/** A folder as it stays until the end of the transaction: it may be elsewhere, or gone, since a request has named it. */
export async function lockedFolder(
  { entries, shares }: Pick<UploadHost, 'entries' | 'shares'>,
  id: number | null,
  session: Session,
): Promise<{ readonly id: number | null; readonly path: string }> {
  if (id === null) return { id, path: pathOf(undefined) }
  await shares.lock(session, foldersLock)
  const found = await entries(folderUid, session).first({ where: { id: { $eq: id } }, fields: ['path'] })
  if (!found) throw unknownFolder('folder', id)
  return { id, path: String(found.path) }
}

/** The refusal of a name of a request that means a folder which is not there. */
export const unknownFolder = (name: string, id: number | null) => wrong(name, `is ${id}, of which there is no folder`)

/** The number of the next folder: the highest so far, and one. */
export async function nextPathId({ store }: Pick<UploadHost, 'store'>, session: Session): Promise<number> {
  const [last] = await rowsOf(session, store.knex('upload_folders').max('path_id'))
  return Number(last?.[0] ?? 0) + 1
}

/** The path of the files and folders in a folder; those beside no folder have the root's. */
export const pathOf = (folder: Pick<FolderRow, 'path'> | undefined): string => folder?.path ?? '/'

/** A folder is the other one, or in it. */
export const isIn = ({ path }: Pick<FolderRow, 'path'>, around: Pick<FolderRow, 'path'>): boolean =>
  path === around.path || path.startsWith(`${around.path}/`)

/** The number of files in each folder, by its path. */
export async function fileCounts({ store }: Pick<UploadHost, 'store'>): Promise<ReadonlyMap<string, number>> {
  const counts = store.knex('files').select('folder_path').count('id').groupBy('folder_path')
  const rows = await rowsOf(store.reader, counts)
  return new Map(rows.map(([path, count]) => [String(path ?? '/'), Number(count)]))
}
