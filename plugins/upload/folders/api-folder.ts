import type { Entry, Session } from '../../../core/index.js'
import { folderUid } from '../content-types.js'
import type { UploadHost } from '../files.js'
import { foldersLock, nextPathId } from './folder-rows.js'

export interface Folder {
  readonly id: number
  readonly path: string
}

/**
 * The folder in which the panel of Strapi 4 looks for files that came through the API, as it stays until the end of the
 * transaction; the first of them makes it.
 */
export async function apiFolder(host: UploadHost, session: Session): Promise<Folder> {
  const { entries, shares } = host
  await shares.lock(session, foldersLock)
  const { id } = await shares.stored.get('api-folder', session)
  const found = id > 0 ? await entries(folderUid, session).first({ where: { id: { $eq: id } } }) : undefined
  return (found as (Entry & Folder) | undefined) ?? create(host, session)
}

async function create(host: UploadHost, session: Session): Promise<Folder> {
  const { entries, shares } = host
  const folders = entries(folderUid, session)
  const names = new Set((await folders.find({ fields: ['name'] })).map(({ name }) => name))
  let name = 'API Uploads'
  for (let index = 1; names.has(name); index += 1) name = `API Uploads (${index})`
  const pathId = await nextPathId(host, session)
  const made = await folders.create({ name, pathId, path: `/${pathId}` })
  await shares.stored.set('api-folder', { id: Number(made.id) }, session)
  return made as Entry & Folder
}
