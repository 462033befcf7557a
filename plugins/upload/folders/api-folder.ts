import type { Entry, Session } from '../../../core/index.js'
import { folderUid } from '../content-types.js'
import type { UploadHost } from '../files.js'
import { queue } from '../queue.js'
import { foldersLock, nextPathId } from './folder-rows.js'

export interface Folder {
  readonly id: number
  readonly path: string
}

/** Finds the folder in which the panel of Strapi 4 looks for files that came through the API; the first of them makes it. */
export function apiFolder(host: UploadHost): () => Promise<Folder> {
  const inTurn = queue(1)
  return async () =>
    (await known(host, host.store.reader)) ??
    inTurn(async () => {
      const make = () => host.store.transaction(async session => (await known(host, session)) ?? create(host, session))
      // A concurrent process may have created it: then it is there now.
      return make().catch(make)
    })
}

async function known({ entries, shares: { stored } }: UploadHost, session: Session): Promise<Folder | undefined> {
  const { id } = await stored.get('api-folder', session)
  const found = id > 0 ? await entries(folderUid, session).first({ where: { id: { $eq: id } } }) : undefined
  return found as Folder | undefined
}

async function create(host: UploadHost, session: Session): Promise<Folder> {
  const { entries, shares } = host
  await shares.lock(session, foldersLock)
  const folders = entries(folderUid, session)
  const names = new Set((await folders.find({ fields: ['name'] })).map(({ name }) => name))
  let name = 'API Uploads'
  for (let index = 1; names.has(name); index += 1) name = `API Uploads (${index})`
  const pathId = await nextPathId(host, session)
  const made = await folders.create({ name, pathId, path: `/${pathId}` })
  await shares.stored.set('api-folder', { id: Number(made.id) }, session)
  return made as Entry & Folder
}
