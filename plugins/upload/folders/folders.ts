import {
  type Caller,
  type CallerContent,
  ConflictError,
  change,
  ForbiddenError,
  NotFoundError,
  rowsOf,
  type Session,
  type ValidationError,
} from '../../../core/index.js'
import { queryText } from '../../../core/plugin-kit.js'
import { fileUid, folderUid } from '../content-types.js'
import type { UploadHost } from '../files.js'
import { type FolderRow, foldersIn, foldersLock, isIn, nextPathId, pathOf, unknownFolder } from './folder-rows.js'
import { type Chosen, mostAtOnce, wrong } from './input.js'

/** The caller of a request, and what it may reach. */
export interface FolderCall {
  readonly caller: Caller
  readonly content: CallerContent
}

/** The changes of a folder, as far as they are sent. */
export interface FolderChange {
  readonly name?: string
  readonly parent?: number | null
}

/** The transaction in which a folder gets another place, and the name of the place in the request. */
interface Putting {
  readonly session: Session
  readonly tree: Tree
  readonly caller: Caller
  readonly at: string
}

/** Makes, changes, moves and deletes folders; each in one transaction, with all that lies in them. */
export class Folders {
  readonly #host: UploadHost

  constructor(host: UploadHost) {
    this.#host = host
  }

  create(name: string, parent: number | null, { caller }: FolderCall): Promise<FolderRow> {
    return this.#inTurn(async (session, tree) => {
      const around = tree.get('parent', parent)
      tree.checkName(name, around)
      const pathId = await nextPathId(this.#host, session)
      const data = { name, pathId, path: `${around?.path ?? ''}/${pathId}`, parent }
      const { id } = await this.#host.entries(folderUid, session).create(data, { caller })
      return this.#read(Number(id), session)
    })
  }

  async change(id: number, { name, parent }: FolderChange, call: FolderCall): Promise<FolderRow> {
    await this.#checkReach(folderUid, [id], call)
    return this.#inTurn(async (session, tree) => {
      const folder = tree.find(id)
      if (!folder) throw noFolder()
      const around = parent === undefined ? tree.find(folder.parent) : tree.get('parent', parent)
      const next = name ?? folder.name
      if (next !== folder.name || around?.id !== tree.find(folder.parent)?.id) tree.checkName(next, around, folder)
      if (next !== folder.name)
        await this.#host.entries(folderUid, session).update(id, { name: next }, { caller: call.caller })
      await this.#put({ ...folder, name: next }, around, { session, tree, at: 'parent', caller: call.caller })
      return this.#read(id, session)
    })
  }

  /** Moves files and folders to a folder. */
  async move({ files, folders }: Chosen, to: number | null, call: FolderCall): Promise<Chosen> {
    await this.#checkReach(fileUid, files, call)
    await this.#checkReach(folderUid, folders, call)
    const { caller } = call
    return this.#inTurn(async (session, tree) => {
      const target = tree.get('to', to)
      for (const id of folders) {
        const folder = tree.find(id)
        if (!folder) throw wrong('folders', `has the id ${id}, of which there is no folder`)
        if (folder.parent !== to) tree.checkName(folder.name, target, folder, 'folders')
        await this.#put(folder, target, { session, tree, at: 'to', caller })
      }
      const place = { folder: to, folderPath: pathOf(target) }
      for (const id of files) await this.#host.entries(fileUid, session).update(id, place, { caller })
      return { files, folders }
    })
  }

  /** Deletes files and folders, with all that is in them; returns how many. */
  async remove({ files, folders }: Chosen, call: FolderCall): Promise<{ files: number; folders: number }> {
    await this.#checkReach(fileUid, files, call, 'delete')
    const meant = new Tree(await foldersIn(this.#host)).within(folders).map(({ id }) => id)
    await this.#checkReach(folderUid, meant, call, 'delete')
    return call.content.transaction(
      async session => {
        await this.#host.shares.lock(session, foldersLock)
        const gone = new Tree(await foldersIn(this.#host, session)).within(folders)
        if (gone.some(({ id }) => !meant.includes(id)))
          throw new ConflictError('The folder was changed meanwhile; send it again', 1)
        const all = await this.#filesIn(session, files, gone)
        const options = { within: session, onlyId: true }
        for (const id of all) await call.content.delete(fileUid, id, options).catch(refuseUnreached)
        // Folders in others go first.
        for (const { id } of gone.toReversed())
          await this.#host.entries(folderUid, session).delete(id, { caller: call.caller })
        return { files: all.length, folders: gone.length }
      },
      { each: true },
    )
  }

  async #read(id: number, session: Session): Promise<FolderRow> {
    const folder = (await foldersIn(this.#host, session)).find(one => one.id === id)
    if (!folder) throw noFolder()
    return folder
  }

  #inTurn<T>(work: (session: Session, tree: Tree) => Promise<T>): Promise<T> {
    const { store, shares } = this.#host
    return store.transaction(async session => {
      await shares.lock(session, foldersLock)
      return work(session, new Tree(await foldersIn(this.#host, session)))
    })
  }

  /** Puts a folder into another one: its path, and those of all in it, begin with that of their new place. */
  async #put(folder: FolderRow, around: FolderRow | undefined, { session, tree, caller, at }: Putting): Promise<void> {
    if (folder.parent === (around?.id ?? null)) return
    if (around && isIn(around, folder)) throw wrong(at, `is the folder "${folder.name}" itself, or in it`)
    const path = `${around?.path ?? ''}/${folder.pathId}`
    const { knex } = this.#host.store
    for (const one of tree.all.filter(other => isIn(other, folder))) {
      const next = path + one.path.slice(folder.path.length)
      if (one.id === folder.id)
        await this.#host
          .entries(folderUid, session)
          .update(one.id, { parent: around?.id ?? null, path: next }, { caller })
      else await change(session, knex('upload_folders').where({ id: one.id }).update({ path: next }))
      await change(session, knex('files').where({ folder_path: one.path }).update({ folder_path: next }))
      tree.replace({
        ...one,
        path: next,
        ...(one.id === folder.id && { parent: around?.id ?? null, name: folder.name }),
      })
    }
  }

  /** The files that are named, and those in folders. */
  async #filesIn(session: Session, files: readonly number[], folders: readonly FolderRow[]): Promise<number[]> {
    if (folders.length === 0) return [...files]
    const { knex } = this.#host.store
    const most = mostAtOnce + 1
    const placed = knex('files').select('id').whereIn('folder_path', folders.map(pathOf)).limit(most)
    const ids = folders.map(({ id }) => id)
    const linked = knex('files_folder_links').select('file_id').whereIn('folder_id', ids).limit(most)
    const within = [...(await rowsOf(session, placed)), ...(await rowsOf(session, linked))]
    const all = [...new Set([...files, ...within.map(([id]) => Number(id))])]
    if (all.length > mostAtOnce)
      throw wrong(
        'folders',
        `have more than the ${mostAtOnce} files that one request deletes; delete some of them first`,
      )
    return all
  }

  /** Refuses entries that are not there, or that the rules of the caller keep from it. */
  async #checkReach(uid: string, ids: readonly number[], { caller, content }: FolderCall, permission = 'update') {
    const query = (some: readonly number[]) => queryText({ filters: { id: { $in: some } } })
    for (let at = 0; at < ids.length; at += idsInQuery) {
      const some = ids.slice(at, at + idsInQuery)
      const count = caller.rows
        ? await content.count(uid, { query: query(some), permission })
        : await this.#host.entries(uid).count({ id: { $in: some } })
      if (count < some.length) throw uid === fileUid ? new NotFoundError('There is no such file') : noFolder()
    }
  }
}

const noFolder = () => new NotFoundError('There is no such folder')

/** Ids that one query compares with. */
const idsInQuery = 100

function refuseUnreached(error: unknown): never {
  throw error instanceof NotFoundError
    ? new ForbiddenError('The folder has files that you may not delete').because(error.reason)
    : error
}

/** All folders while they are changed. */
class Tree {
  readonly #folders: Map<number, FolderRow>

  constructor(folders: readonly FolderRow[]) {
    this.#folders = new Map(folders.map(folder => [folder.id, folder]))
  }

  get all(): readonly FolderRow[] {
    return [...this.#folders.values()]
  }

  find(id: number | null): FolderRow | undefined {
    return id === null ? undefined : this.#folders.get(id)
  }

  /** The folder that a name of the body means; undefined for the place beside all folders. */
  get(name: string, id: number | null): FolderRow | undefined {
    const folder = this.find(id)
    if (id !== null && !folder) throw unknownFolder(name, id)
    return folder
  }

  replace(folder: FolderRow): void {
    this.#folders.set(folder.id, folder)
  }

  /** Some folders and all that are in them, those around others first. */
  within(ids: readonly number[]): readonly FolderRow[] {
    const chosen = ids.map(id => {
      const folder = this.find(id)
      if (!folder) throw noFolder()
      return folder
    })
    return this.all.filter(one => chosen.some(around => isIn(one, around)))
  }

  checkName(name: string, around: FolderRow | undefined, own?: FolderRow, at = 'name'): void {
    const beside = this.all.some(one => one.parent === (around?.id ?? null) && one.name === name && one.id !== own?.id)
    if (beside) throw nameTaken(at, name, around)
  }
}

function nameTaken(at: string, name: string, around: FolderRow | undefined): ValidationError {
  return wrong(
    at,
    `has "${name}", and ${around ? `"${around.name}"` : 'the library'} has a folder of this name already`,
  )
}
