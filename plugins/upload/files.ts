import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type Caller,
  type Entry,
  type Host,
  type NotedClaim,
  NotFoundError,
  type Session,
  ValidationError,
} from '../../core/index.js'
import { goneSince } from '../../core/plugin-kit.js'
import { fileUid } from './content-types.js'
import { apiFolder } from './folders/api-folder.js'
import { lockedFolder } from './folders/folder-rows.js'
import type { FileInfo } from './forms/info.js'
import { makeFolder, type SentFile } from './forms/multipart.js'
import { type OwnFile, withCopies } from './forms/own-file.js'
import { type ImageOptions, Images, type Picture } from './images/images.js'
import { type Kind, kindOf } from './kind.js'
import { Leftovers } from './leftovers.js'
import { newHash, plainName } from './names.js'
import { type FileRow, type FormatRow, keyOf, keysOf, kilobytes, noteOf } from './rows.js'
import { type Arrangement, arrange, type Settings } from './settings.js'

/** Settings of the plugin in the database, under the names of Strapi 4. */
export interface UploadSettings {
  readonly settings: ImageOptions
  readonly 'api-folder': { readonly id: number }
}

export type UploadHost = Host<Settings, UploadSettings>

/** A file that was looked at and treated, and is not in storage yet. */
interface PreparedFile {
  readonly hash: string
  readonly name: string
  readonly kind: Kind
  readonly picture: Picture
  /** The size of the file to keep. */
  readonly bytes: number
  readonly info: FileInfo
}

/** A place for files of code: its transaction, and a folder of the library. */
export interface OwnPlace {
  readonly within?: Session | undefined
  readonly folder?: { readonly id: number | null; readonly path: string } | undefined
}

/** The caller who sends files, and the claim under which they are taken. */
export interface AddedBy {
  readonly caller: Caller | undefined
  readonly claim: NotedClaim
  /** The folder that they are for, or the place beside all folders, instead of that of all files from the API. */
  readonly folder?: number | null | undefined
}

/** The caller who changes a file, and the transaction of code in which it is changed. */
interface DescribedBy {
  readonly caller?: Caller
  readonly within?: Session | undefined
}

/** The place of new content of a file, and what goes with it. */
interface NewContent {
  readonly provider: string
  readonly words?: object
  readonly caller?: Caller | undefined
}

const by = (caller: Caller | undefined) => (caller ? { caller } : {})

/** Files that are stored and in the table, waiting for the entry that they were sent with. */
export interface WaitingFiles {
  readonly ids: readonly number[]
  readonly files: readonly Entry[]
  /** The entry was written, or it was not: then the files go again. */
  settle(failed: boolean): Promise<void>
}

/** Takes files in, changes them, and lets them go; storage and table always agree in the end. */
export class Files {
  readonly place: Arrangement
  readonly leftovers: Leftovers
  readonly #host: UploadHost
  readonly #images: Images

  constructor(host: UploadHost) {
    this.#host = host
    this.place = arrange(host.config, host.app, host.log)
    this.leftovers = new Leftovers(host, this.place)
    this.#images = new Images(this.place.images, host.log)
  }

  async start(): Promise<void> {
    await this.leftovers.start()
  }

  stop(): void {
    this.leftovers.stop()
    this.#images.close()
  }

  /** New files, in the order in which they were sent. */
  async add(sent: readonly SentFile[], infos: readonly FileInfo[], by: AddedBy): Promise<readonly Entry[]> {
    const { files } = await this.#take(sent, infos, by)
    return files
  }

  /** Files that were added before, as far as they are still there. */
  async added(ids: readonly number[]): Promise<readonly Entry[]> {
    const found = await this.#host.entries(fileUid).find({ where: { id: { $in: ids } } })
    if (found.length === 0) throw goneSince()
    return ids.flatMap(id => found.filter(file => Number(file.id) === id))
  }

  /** New files that stay only if the entry they belong to is written. */
  async addFor(sent: readonly SentFile[], infos: readonly FileInfo[], caller?: Caller): Promise<WaitingFiles> {
    const { files, notes } = await this.#take(sent, infos, { caller })
    return {
      files,
      ids: files.map(({ id }) => Number(id)),
      settle: async failed => {
        if (failed) await this.leftovers.settle(notes)
        else await this.#host.store.transaction(session => this.leftovers.forget(notes, session))
      },
    }
  }

  /**
   * New files that code of the app brings, in the folder that it names. Those that are put into its transaction are taken out
   * of storage by `undo`, where that comes to nothing.
   */
  async addOwn(
    own: readonly OwnFile[],
    infos: readonly FileInfo[],
    { within, folder = { id: null, path: '/' } }: OwnPlace = {},
  ): Promise<{ readonly files: readonly Entry[]; readonly undo: () => Promise<void> }> {
    return withCopies(own, this.place.staging, async sent => {
      const prepared: PreparedFile[] = []
      for (const [index, one] of sent.entries()) prepared.push(await this.#prepare(one, infos[index] ?? {}))
      const { provider } = this.place
      const kept = prepared.map(one => ({ hash: one.hash, keys: this.#keysOf(one), provider, waiting: false }))
      // A note in the transaction of code would be lost with it, and what is in storage would stay.
      const notes = within ? [] : await this.leftovers.note(kept)
      const undo = async () => {
        await this.leftovers.settle(notes)
        const storage = this.place.storages.get(provider)
        if (within) for (const key of kept.flatMap(({ keys }) => keys)) await storage?.remove(key)
      }
      try {
        const rows: Record<string, unknown>[] = []
        for (const one of prepared) rows.push({ ...(await this.#store(one, provider)), ...wordsOf(one.info, one) })
        const write = async (session: Session) => {
          const files = await this.#insert(rows, folder, session)
          await this.leftovers.forget(notes, session)
          return files
        }
        return { files: await (within ? write(within) : this.#host.store.transaction(write)), undo }
      } catch (error) {
        await undo()
        throw error
      }
    })
  }

  /** Another content for a file that keeps its address, which code of the app brings. */
  async replaceByOwn(id: number, own: OwnFile, info: FileInfo): Promise<Entry> {
    return withCopies([own], this.place.staging, ([sent]) => this.replace(id, sent as SentFile, info))
  }

  /** Another content for a file that keeps its address. */
  async replace(id: number, sent: SentFile, info: FileInfo, caller?: Caller): Promise<Entry> {
    const file = await this.find(id)
    const prepared = await this.#prepare(sent, info, file.hash)
    if (prepared.kind.mime !== file.mime)
      throw new ValidationError(
        `The file has the type ${file.mime} and keeps its address; ${sent.name} has the type ${prepared.kind.mime}: send a file of the same type, or upload a new one`,
      )
    const same = { ...prepared, kind: { mime: file.mime, ext: file.ext ?? '' } }
    const words = wordsOf(info, { ...file, name: sent.name })
    return this.#overwrite(file, same, { provider: this.place.provider, words, caller })
  }

  /** Puts content in place of that of a file, with the columns that go with it. */
  async #overwrite(
    file: FileRow,
    prepared: PreparedFile,
    { provider, words = {}, caller }: NewContent,
  ): Promise<Entry> {
    const keys = [...new Set([...keysOf(file), ...this.#keysOf(prepared)])]
    const notes = await this.leftovers.note([{ hash: file.hash, keys, provider: file.provider, waiting: false }])
    try {
      const row = await this.#store(prepared, provider)
      return await this.#host.entries(fileUid).update(file.id, { ...row, ...words }, by(caller))
    } finally {
      await this.leftovers.settle(notes)
    }
  }

  /** Sets the file's name, texts and focal point; omitted ones stay. */
  async describe(id: number, info: FileInfo, { caller, within }: DescribedBy = {}): Promise<Entry> {
    return this.#host.entries(fileUid, within).update(id, wordsOf(info, await this.find(id, within)), by(caller))
  }

  /** Adds the sizes and formats of a picture in storage that an upload did not get; false if it cannot be read. */
  async measure(file: FileRow): Promise<boolean> {
    const { staging, storages } = this.place
    const content = await storages.get(file.provider)?.get(keyOf(file))
    if (!content) return false
    const folder = await makeFolder(staging)
    try {
      const path = join(folder, 'picture')
      await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }))
      const kind = { mime: file.mime, ext: file.ext ?? '' }
      const picture = await this.#images.treat(path, kind, await this.#host.shares.stored.get('settings'))
      if (picture.width === null) return false
      const { hash, name, provider } = file
      const bytes = (await stat(picture.path)).size
      const prepared = { hash, name, kind, picture, bytes, info: {} }
      await this.#overwrite(file, prepared, { provider })
      return true
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async find(id: number, within?: Session): Promise<FileRow> {
    const file = id > 0 ? await this.#host.entries(fileUid, within).first({ where: { id: { $eq: id } } }) : undefined
    if (!file) throw new NotFoundError('Entity not found')
    return file as Entry & FileRow
  }

  /** With a claim they are there for good; without, until it is known who owns them. */
  async #take(sent: readonly SentFile[], infos: readonly FileInfo[], { caller, claim, folder }: Partial<AddedBy>) {
    const prepared: PreparedFile[] = []
    for (const [index, one] of sent.entries()) prepared.push(await this.#prepare(one, infos[index] ?? {}))
    const { provider } = this.place
    const notes = await this.leftovers.note(
      prepared.map(one => ({ hash: one.hash, keys: this.#keysOf(one), provider, waiting: claim === undefined })),
    )
    try {
      const rows: Record<string, unknown>[] = []
      for (const one of prepared) rows.push({ ...(await this.#store(one, provider)), ...wordsOf(one.info, one) })
      const files = await this.#host.store.transaction(async session => {
        await claim?.take(session)
        const place = await (folder === undefined
          ? apiFolder(this.#host, session)
          : lockedFolder(this.#host, folder, session))
        const files = await this.#insert(rows, place, session, caller)
        if (claim) await this.leftovers.forget(notes, session)
        await claim?.keep(session, noteOf(files))
        return files
      })
      return { files, notes }
    } catch (error) {
      await this.leftovers.settle(notes)
      throw error
    }
  }

  async #insert(
    rows: readonly Record<string, unknown>[],
    folder: NonNullable<OwnPlace['folder']>,
    session: Session,
    caller?: Caller,
  ): Promise<Entry[]> {
    const files: Entry[] = []
    const place = { folder: folder.id, folderPath: folder.path }
    for (const row of rows)
      files.push(await this.#host.entries(fileUid, session).create({ ...row, ...place }, by(caller)))
    return files
  }

  async #prepare(sent: SentFile, info: FileInfo, hash?: string): Promise<PreparedFile> {
    const kind = await kindOf(sent, this.place.kinds)
    const picture = await this.#images.treat(sent.path, kind, await this.#host.shares.stored.get('settings'))
    const name = info.name ? plainName(info.name) : sent.name
    const bytes = picture.path === sent.path ? sent.bytes : (await stat(picture.path)).size
    return { hash: hash ?? newHash(name), name, kind, picture, bytes, info }
  }

  #keysOf({ hash, kind: { ext }, picture }: PreparedFile): string[] {
    return [hash + ext, ...picture.formats.map(({ name }) => `${name}_${hash}${ext}`)]
  }

  /** Puts a file and its formats into storage; returns the columns for them. */
  async #store(
    { hash, name, kind: { mime, ext }, picture, bytes: size }: PreparedFile,
    provider: string,
  ): Promise<Record<string, unknown>> {
    const storage = this.place.storages.get(provider)
    if (!storage) throw new Error(`no storage ${provider}`)
    const formats: Record<string, FormatRow> = {}
    for (const { name: format, path, width, height, bytes } of picture.formats) {
      const url = await storage.put(`${format}_${hash}${ext}`, { path, mime })
      const kept = { name: `${format}_${name}`, hash: `${format}_${hash}`, ext, mime, path: null, width, height }
      formats[format] = { ...kept, size: kilobytes(bytes), sizeInBytes: bytes, url }
    }
    const url = await storage.put(hash + ext, { path: picture.path, mime })
    return {
      width: picture.width,
      height: picture.height,
      formats: picture.formats.length > 0 ? formats : null,
      ...{ hash, ext, mime, url, provider, size: kilobytes(size) },
    }
  }
}

/** The columns of a file that a client may set, with the stored values for omitted ones. */
function wordsOf(
  info: FileInfo,
  known: Pick<FileRow, 'name'> & Partial<Pick<FileRow, 'alternativeText' | 'caption' | 'provider_metadata'>>,
) {
  const { focalX, focalY } = info
  const focus = { ...(focalX !== undefined && { focalX }), ...(focalY !== undefined && { focalY }) }
  return {
    name: info.name ? plainName(info.name) : known.name,
    alternativeText: info.alternativeText ?? known.alternativeText ?? null,
    caption: info.caption ?? known.caption ?? null,
    ...(Object.keys(focus).length > 0 && { provider_metadata: { ...known.provider_metadata, ...focus } }),
  }
}
