import { open } from 'node:fs/promises'
import { type Definition, type Entry, optional, type Route } from '../../../../core/index.js'
import { type FileInfo, type OwnFile, readInfos, type SentFile, upload } from '../../../upload/index.js'
import { codeCaller } from '../../data/hooks.js'
import { withAbsent } from '../../not-carried.js'
import { NotFoundError } from '../../packages/utils/errors.js'
import type { Bag, Fn, LoadedPlugin, Loose, Runtime } from '../../types.js'
import { type FacadeRoute, facadeOf } from './facade.js'
import { mustStandAlone } from './in-transaction.js'
import { originalAction } from './original.js'

const fileUid = 'plugin::upload.file'
const folderUid = 'plugin::upload.folder'

const takesFiles = 'content-api.upload'

/** The list of routes that extensions change. */
export function uploadRoutes(): FacadeRoute[] {
  const all = (upload as Loose).routes({}) as readonly Route<Loose>[]
  const rows = [
    ['POST', '/', takesFiles],
    ['GET', '/files', 'content-api.find'],
    ['GET', '/files/:id', 'content-api.findOne'],
    ['DELETE', '/files/:id', 'content-api.destroy'],
  ] as const
  return rows.map(([method, path, handler]) => {
    const place = path === '/' ? '/upload' : `/upload${path}`
    return { method, path, handler, ours: all.filter(route => route.method === method && route.path === place) }
  })
}

/** Files of this server, as code knows them from Strapi's plugin. */
export function uploadFacade(runtime: Runtime, config: Bag): LoadedPlugin {
  const parts = upload as Loose
  const services: Record<string, Fn> = {
    upload: ({ strapi }) =>
      withAbsent("strapi.plugin('upload').service('upload')", new UploadService(runtime, strapi).functions),
  }
  const own = (): Loose => {
    const replaced = runtime.project.plugins.get('upload')?.server.services?.upload
    return replaced === services.upload ? undefined : runtime.strapi.service('plugin::upload.upload')
  }
  const around = (handler: string, original: Fn): Fn => {
    if (handler !== takesFiles) return original
    return async ctx => {
      const service = own()
      if (!service || ctx.query.id !== undefined || !ctx.request.files?.files) return original(ctx)
      const { fileInfo, ...data } = Object(ctx.request.body)
      ctx.body = await service.upload({
        data: { ...data, fileInfo: readInfos(fileInfo) },
        files: ctx.request.files.files,
      })
    }
  }
  const routes = uploadRoutes()
  const ours = routes.flatMap(route => (route.handler === takesFiles ? route.ours : []))
  const take = around(
    takesFiles,
    originalAction(runtime, { name: `upload.${takesFiles}`, plugin: upload, routes: ours, bodyOf: formOf }),
  )
  return facadeOf(runtime, {
    name: 'upload',
    plugin: upload,
    config,
    // The steps of Strapi's action, which code that replaces it calls: the server tells them apart by the request.
    controllers: { 'content-api': { uploadFiles: take, replaceFile: take, updateFileInfo: take } },
    types: (parts.contentTypes as readonly Definition[]).filter(({ uid }) => uid === fileUid || uid === folderUid),
    routes,
    services,
    ways: { [takesFiles]: { bodyOf: formOf } },
    around,
  })
}

/** A form as the route of the server takes it: the files as they arrived, and the fields in lists. */
async function formOf(ctx: Loose): Promise<unknown> {
  const { body, files } = ctx.request
  if (!files) return body
  const sent: SentFile[] = []
  // Code has several files of one name in reverse order.
  for (const [field, given] of Object.entries(files as Bag))
    for (const file of [given].flat().reverse()) sent.push(await sentFile(field, file))
  const fields = Object.entries(Object(body) as Bag).map(([name, value]) => [name, [value].flat()] as const)
  return { files: sent, fields: new Map(fields) }
}

async function sentFile(field: string, file: Bag): Promise<SentFile> {
  const { path, name, mime } = ownFile(file)
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength)
    return { field, path, name, mime, bytes: (await handle.stat()).size, head: buffer.subarray(0, bytesRead) }
  } finally {
    await handle.close()
  }
}

/** Bytes by which it is known what a file is. */
const headLength = 4096

/** A file as code has it: from a form, or made by itself in the same words. */
function ownFile(file: Bag): OwnFile {
  const { path, filepath, name, originalFilename, type, mimetype } = Object(file) as Bag
  const place = filepath ?? path
  if (typeof place !== 'string') throw new Error('a file to upload needs its "path", and has none')
  return { path: place, name: String(originalFilename ?? name ?? 'file'), mime: mimetype ?? type }
}

/** The place of files: the attribute of an entry. */
interface Owner {
  readonly id: Loose
  readonly model: string
  readonly field: string
}

class UploadService {
  readonly #runtime: Runtime
  readonly #strapi: Loose
  /** By themselves, as code takes them out of the service. */
  readonly functions: Bag

  constructor(runtime: Runtime, strapi: Loose) {
    this.#runtime = runtime
    this.#strapi = strapi
    const files = () => strapi.query(fileUid)
    this.functions = {
      upload: (given: Bag) => this.#upload(given),
      uploadToEntity: (owner: Owner, given: Loose) => this.#add(given, {}, owner),
      findOne: (id: Loose, populate?: Loose) => files().findOne({ where: { id }, ...(populate && { populate }) }),
      findMany: (query?: Bag) => strapi.entityService.findMany(fileUid, query),
      findPage: (query?: Bag) => strapi.entityService.findPage(fileUid, query),
      updateFileInfo: (id: Loose, info: Bag) => this.#describe(id, info),
      replace: (id: Loose, { data, file }: Bag) => this.#replace(id, data, file),
      remove: (file: Bag) => this.#remove(file),
      getSettings: () => this.#ours.host.shares.stored.get('settings'),
      setSettings: (value: Loose) => this.#alone('setSettings').host.shares.stored.set('settings', value),
    }
  }

  get #ours() {
    const found = this.#runtime.host?.service(optional(upload))
    if (!found) throw new Error('files can be asked for from bootstrap on')
    return found
  }

  #alone(name: string) {
    mustStandAlone(this.#runtime, `${name} of upload`)
    return this.#ours
  }

  /** `ref`, `refId` and `field` name the entry that the files are for. */
  async #upload({ data = {}, files }: Bag): Promise<Entry[]> {
    const { fileInfo, ref, refId, field } = data as Bag
    const owner = ref !== undefined && refId !== undefined ? { id: refId, model: ref, field } : undefined
    return this.#add(files, fileInfo, owner)
  }

  async #add(given: Loose, said: Loose, owner: Owner | undefined): Promise<Loose> {
    const own = [given ?? []].flat().map(ownFile)
    const infos = [said ?? {}].flat() as Bag[]
    const current = this.#runtime.data.current()
    const { files, undo } = await this.#ours.files.addOwn(own, infos.map(infoOf), {
      within: current?.session,
      folder: await this.#folder(infos[0]?.folder),
    })
    current?.onRollback(undo)
    if (owner) await this.#link(owner, files)
    const stored = await this.#rows(files.map(({ id }) => id))
    return owner && !Array.isArray(given) ? stored[0] : stored
  }

  async #folder(id: Loose): Promise<{ id: number; path: string } | undefined> {
    if (id === undefined || id === null) return undefined
    const folder = await this.#strapi.query(folderUid).findOne({ where: { id } })
    if (!folder) throw new NotFoundError(`There is no folder ${id}`)
    return { id: folder.id, path: folder.path }
  }

  /** Every column, in the order in which the files were given. */
  async #rows(ids: readonly unknown[]): Promise<Entry[]> {
    const found: Entry[] = await this.#strapi.query(fileUid).findMany({ where: { id: { $in: ids } } })
    return ids.flatMap(id => found.filter(file => file.id === id))
  }

  /** Lists get the files at their end; of one file the latest counts. No event tells of it, as in Strapi. */
  async #link({ id, model, field }: Owner, files: readonly Entry[]): Promise<void> {
    const { host } = this.#runtime
    const type = host?.types.types.get(model)
    const link = type?.links.get(field)
    if (!host || !type || link?.attribute.type !== 'media')
      throw new Error(`${model} has no media attribute "${field}"`)
    const ids = files.map(file => file.id)
    const before: Loose = link.many ? await this.#strapi.query(model).load({ id }, field) : []
    const data = { [field]: link.many ? [...(before ?? []).map((file: Bag) => file.id), ...ids] : (ids.at(-1) ?? null) }
    if (type.kind === 'component') await this.#strapi.query(model).update({ where: { id }, data })
    else
      await host
        .entries(model, this.#runtime.data.current()?.session)
        .update(Number(id), data, { caller: codeCaller, unchecked: true })
  }

  async #describe(id: Loose, info: Bag): Promise<Loose> {
    await this.#known(id)
    await this.#ours.files.describe(Number(id), infoOf(info), {
      within: this.#runtime.data.current()?.session,
    })
    return this.#strapi.query(fileUid).findOne({ where: { id } })
  }

  async #replace(id: Loose, data: Bag = {}, file: Loose): Promise<Loose> {
    await this.#known(id)
    await this.#alone('replace').files.replaceByOwn(Number(id), ownFile([file].flat()[0]), infoOf(data.fileInfo ?? {}))
    return this.#strapi.query(fileUid).findOne({ where: { id } })
  }

  async #known(id: Loose): Promise<void> {
    if (!(await this.#strapi.query(fileUid).findOne({ where: { id } }))) throw new NotFoundError()
  }

  /** The content leaves storage with the row. */
  async #remove(file: Bag): Promise<Loose> {
    const { host } = this.#runtime
    await host?.entries(fileUid, this.#runtime.data.current()?.session).delete(Number(file.id), { caller: codeCaller })
    return file
  }
}

const infoOf = ({ name, alternativeText, caption }: Bag): FileInfo => ({
  ...(name !== undefined && { name }),
  ...(alternativeText !== undefined && { alternativeText }),
  ...(caption !== undefined && { caption }),
})
